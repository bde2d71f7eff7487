"""In safetensors 0.8.0 the NumPy loader fails on a bf16 tensor, the torch loader reads it."""

# needs: torch numpy safetensors
import os
import tempfile

import safetensors.numpy
import safetensors.torch
import torch

path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
w = torch.ones(2, dtype=torch.bfloat16)
safetensors.torch.save_file({"w": w}, path)
error = None
try:
    safetensors.numpy.load_file(path)
except TypeError as e:
    error = e
print("numpy loader:", error)
back = safetensors.torch.load_file(path)["w"]
print("torch loader:", back)
print("via torch to NumPy:", back.float().numpy())
loaded = []
for name, dtype in {"F16": torch.float16, "BOOL": torch.bool, "F32": torch.float32}.items():
    safetensors.torch.save_file({"w": torch.ones(2, dtype=dtype)}, path)
    loaded.append(f"{name} as {safetensors.numpy.load_file(path)['w'].dtype}")
print("numpy loader:", ", ".join(loaded))
assert len(loaded) == 3
assert error is not None
assert "bfloat16" in str(error)
assert torch.equal(back, w)
