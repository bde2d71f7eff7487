"""save_file refuses tied weights; save_model drops one name, and load_model knows how to restore it."""

# needs: torch safetensors
import os
import tempfile

import torch
from safetensors.torch import load_file, load_model, save_file, save_model

path = os.path.join(tempfile.mkdtemp(), "m.safetensors")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = torch.nn.Linear(4, 4, bias=False)
        self.head = torch.nn.Linear(4, 4, bias=False)
        self.head.weight = self.emb.weight


net, errors = Net(), []
try:
    save_file(net.state_dict(), path)
except RuntimeError as e:
    errors.append("share memory" in str(e))
print("save_file: 'Some tensors share memory':", errors == [True])
save_model(net, path)
print("names in the file:", list(load_file(path)))
try:
    Net().load_state_dict(load_file(path))
except RuntimeError as e:
    errors.append("head.weight" in str(e))
    print("load_state_dict: missing head.weight:", errors[-1])
fresh = Net()
load_model(fresh, path)
print("load_model: equal:", torch.equal(fresh.head.weight, net.emb.weight))
assert errors == [True, True]
assert fresh.head.weight is fresh.emb.weight
assert torch.equal(fresh.head.weight, net.emb.weight)
