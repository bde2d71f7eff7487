"""torch.utils.checkpoint recomputes the forward pass during backward and writes no file."""

# needs: torch
import os
import tempfile

import torch
from torch.utils.checkpoint import checkpoint

os.chdir(tempfile.mkdtemp())
calls = 0


def block(x):
    global calls
    calls += 1
    return torch.tanh(x) * 2


counts, grads = [], []
for name, f in (("plain", block), ("checkpoint", lambda x: checkpoint(block, x, use_reentrant=False))):
    calls = 0
    x = torch.linspace(-1, 1, 5, requires_grad=True)
    f(x).sum().backward()
    counts.append(calls)
    grads.append(x.grad)
    print(f"{name:11} forward calls: {calls}")
print("equal gradients:", torch.equal(*grads))
print("files written:", os.listdir("."))
assert counts == [1, 2]
assert os.listdir(".") == []
assert torch.equal(*grads)
