"""torch.save of a small view stores the whole storage; a clone or safetensors stores only the elements."""

# needs: torch safetensors
import os
import tempfile

import torch
from safetensors.torch import save_file

os.chdir(tempfile.mkdtemp())
big = torch.zeros(100, 100)
row = big[:1]
torch.save({"row": row}, "view.pt")
torch.save({"row": row.clone()}, "clone.pt")
save_file({"row": row}, "row.safetensors")
sizes = {n: os.path.getsize(n) for n in ("view.pt", "clone.pt", "row.safetensors")}
print("elements in the view:", row.numel(), "of", big.numel())
for n, s in sizes.items():
    print(f"{n:16}{s:6} bytes")
assert sizes["view.pt"] > 40_000
assert sizes["clone.pt"] < 3_000
assert sizes["row.safetensors"] < 600
