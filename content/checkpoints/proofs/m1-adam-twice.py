"""In fp32 the saved state of AdamW is twice as large as the weights, that of SGD depends on its momentum."""

# needs: torch
import os
import tempfile

import torch

model = torch.nn.Linear(1000, 1000)
folder = tempfile.mkdtemp()


def size(obj):
    path = os.path.join(folder, "x.pt")
    torch.save(obj, path)
    return os.path.getsize(path) / 1e6


weights = size(model.state_dict())
print(f"weights:                 {weights:.1f} MB")
sizes = {}
for name, opt in (
    ("AdamW", torch.optim.AdamW(model.parameters())),
    ("AdamW, amsgrad", torch.optim.AdamW(model.parameters(), amsgrad=True)),
    ("SGD, momentum", torch.optim.SGD(model.parameters(), momentum=0.9)),
    ("SGD, no momentum", torch.optim.SGD(model.parameters(), momentum=0)),
):
    model(torch.ones(1, 1000)).sum().backward()
    opt.step()
    sizes[name] = size(opt.state_dict())
    print(f"{name + ':':24} {sizes[name]:.1f} MB")
print("kept per parameter by AdamW: exp_avg, exp_avg_sq")
assert 1.95 < sizes["AdamW"] / weights < 2.05
assert 2.95 < sizes["AdamW, amsgrad"] / weights < 3.05
assert 0.95 < sizes["SGD, momentum"] / weights < 1.05
assert sizes["SGD, no momentum"] < 0.01
