"""Gradients do not get into a saved state_dict: the file has the same size before and after backward()."""

# needs: torch
import os
import tempfile

import torch

model = torch.nn.Linear(100, 100)
path = os.path.join(tempfile.mkdtemp(), "m.pt")


def size():
    torch.save(model.state_dict(), path)
    return os.path.getsize(path)


before = size()
model(torch.ones(1, 100)).sum().backward()
after = size()
print("gradient in memory:", tuple(model.weight.grad.shape))
print("file before backward:", before, "bytes")
print("file after backward: ", after, "bytes")
fresh = torch.nn.Linear(100, 100)
fresh.load_state_dict(torch.load(path))
print("gradient after loading:", fresh.weight.grad)
assert before == after
assert fresh.weight.grad is None
