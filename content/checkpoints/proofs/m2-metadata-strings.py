"""Values of __metadata__ must be strings: a number raises TypeError and leaves the file as it was."""

# needs: torch safetensors
import os
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import save_file

path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
t = {"w": torch.ones(2)}
seen = []
for step in ("10", 20, "30", 40.0):
    try:
        save_file(t, path, metadata={"step": step})
        verdict = "saved"
    except TypeError:
        verdict = "TypeError"
    with safe_open(path, framework="pt") as f:
        seen.append((verdict, f.metadata()["step"]))
    print(f"{step!r:5} {verdict:10} step in the file: {seen[-1][1]}")
assert seen == [("saved", "10"), ("TypeError", "10"), ("saved", "30"), ("TypeError", "30")]
