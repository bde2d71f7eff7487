"""save_file accepts bf16 and empty tensors, but no int, no nested dict and no non-contiguous tensor."""

# needs: torch safetensors
import os
import tempfile

import torch
from safetensors.torch import save_file

path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
cases = {
    "bf16 tensor": torch.ones(2, dtype=torch.bfloat16),
    "empty tensor": torch.zeros(0, 5),
    "Python int": 5,
    "nested dict": {"b": torch.ones(1)},
    "w.t() of a 2x3 w": torch.arange(6.0).reshape(2, 3).t(),
}
ok = []
for name, value in cases.items():
    try:
        save_file({"a": value}, path)
        ok.append(name)
        print(f"{name:18}saved")
    except (TypeError, ValueError) as e:
        print(f"{name:18}{type(e).__name__}")
assert ok == ["bf16 tensor", "empty tensor"]
