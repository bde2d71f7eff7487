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
sizes_of_two = {
    "both cut first": {"a": big[:1].clone(), "b": big[50:].clone()},
    "b cut last": {"a": big[:1].clone(), "b": big.clone()[50:]},
    "a is a view": {"a": big[:1], "b": big[50:].clone()},
    "two storages": {"a": big[:1], "b": big.clone()[50:]},
}
print("elements in the view:", row.numel(), "of", big.numel())
for n, s in sizes.items():
    print(f"{n:16}{s:6} bytes")
for n, part in sizes_of_two.items():
    torch.save(part, "part.pt")
    sizes_of_two[n] = os.path.getsize("part.pt")
    print(f"{n:16}{sizes_of_two[n]:6} bytes")
assert [round(s / 20_000) for s in sizes_of_two.values()] == [1, 2, 3, 4]
assert sizes["view.pt"] > 40_000
assert sizes["clone.pt"] < 3_000
assert sizes["row.safetensors"] < 600
