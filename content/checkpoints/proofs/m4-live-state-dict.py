"""`state_dict()` refers to the live tensors: it changes with training, a deep copy or a saved file does not."""

# needs: torch
import copy
import io

import torch

m = torch.nn.Linear(1, 1, bias=False)
torch.nn.init.constant_(m.weight, 1.0)
best, best_dict, best_copy = m.state_dict(), dict(m.state_dict()), copy.deepcopy(m.state_dict())
torch.save(m.state_dict(), file := io.BytesIO())
opt = torch.optim.SGD(m.parameters(), lr=0.5)
m(torch.ones(1, 1)).sum().backward()
opt.step()
file.seek(0)
values = [d["weight"].item() for d in (m.state_dict(), best, best_dict, best_copy, torch.load(file))]
for name, v in zip(("model after a step", "state_dict()", "dict(state_dict())", "deepcopy", "torch.save"), values):
    print(f"{name:20} {v}")
assert values == [0.5, 0.5, 0.5, 1.0, 1.0]
