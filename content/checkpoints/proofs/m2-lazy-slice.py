"""safe_open reads names from the header; get_slice copies a part of one tensor, get_tensor the whole tensor."""

# needs: torch numpy safetensors
import os
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import save_file

path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
w = torch.arange(20.0).reshape(4, 5)
save_file({"w": w, "v": torch.ones(3)}, path)
with safe_open(path, framework="pt") as f:
    names = sorted(f.keys())
    part = f.get_slice("w")
    print("names:", names)
    print("shape, dtype:", part.get_shape(), part.get_dtype())
    rows = part[1:3]
    print("rows 1-2:", rows.tolist())
with safe_open(path, framework="np") as f:
    cut = f.get_tensor("w")[1:3]
    part = f.get_slice("w")[1:3]
behind = {"get_tensor": cut.base.nbytes, "get_slice": part.base.nbytes}
print("bytes of the two rows:", part.nbytes)
print("bytes of the array behind them:", behind)
assert behind == {"get_tensor": 80, "get_slice": 40}
assert torch.equal(rows, w[1:3])
assert names == ["v", "w"]
