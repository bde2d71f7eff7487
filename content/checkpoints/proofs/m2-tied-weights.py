"""save_file refuses two names for one storage; save_model drops one, and load_model keeps the tie."""

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
fresh.emb.weight.data.mul_(2)
print("emb doubled, head is twice the saved one:", torch.equal(fresh.head.weight, net.emb.weight * 2))
one = torch.nn.ModuleDict({n: torch.nn.Linear(4, 4, bias=False) for n in ("emb", "gate", "up", "down", "proj")})
w = one.emb.weight
one.gate.weight.data.copy_(w)
one.up.weight.data = w.data
one.down.weight = torch.nn.Parameter(w.clone())
one.proj.load_state_dict(one.emb.state_dict())
shared = [n for n, layer in one.items() if layer.weight.data_ptr() == w.data_ptr()]
print("equal values:", [n for n, layer in one.items() if torch.equal(layer.weight, w)])
try:
    save_file(one.state_dict(), path)
except RuntimeError as e:
    named = [n for n in one if f"'{n}.weight'" in str(e)]
print("named by the error:", named)
assert named == shared == ["emb", "up"]
assert errors == [True, True]
assert fresh.head.weight is fresh.emb.weight
assert torch.equal(fresh.head.weight, net.emb.weight * 2)
