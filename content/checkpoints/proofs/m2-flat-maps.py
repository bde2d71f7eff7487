"""save_file accepts contiguous tensors, even views, but no int, no nested dict and no non-contiguous view."""

# needs: torch safetensors
import os
import tempfile

import torch
from safetensors.torch import save_file

w = torch.ones(4, 6)
path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
cases = {
    "bf16 tensor": torch.ones(2, dtype=torch.bfloat16),
    "empty tensor": torch.zeros(0, 5),
    "w[:2]": w[:2],
    "w.t().contiguous()": w.t().contiguous(),
    "w[:, :2]": w[:, :2],
    "w.t()": w.t(),
    "w.numel()": w.numel(),
    '{"b": w}': {"b": w},
}
ok = []
for name, value in cases.items():
    try:
        save_file({"a": value}, path)
        ok.append(name)
        print(f"{name:20}saved")
    except (TypeError, ValueError) as e:
        print(f"{name:20}{type(e).__name__}")
assert ok == list(cases)[:4]
