"""Values of __metadata__ must be strings: an int raises TypeError, its text form is accepted."""

# needs: torch safetensors
import os
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import save_file

path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
t = {"w": torch.ones(2)}
error = None
try:
    save_file(t, path, metadata={"step": 3})
except TypeError as e:
    error = e
print("step=3  :", type(error).__name__)
save_file(t, path, metadata={"step": "3"})
with safe_open(path, framework="pt") as f:
    print("step='3':", f.metadata())
    assert f.metadata() == {"step": "3"}
assert isinstance(error, TypeError)
