"""Each forgotten part of a run shows elsewhere; lost BatchNorm statistics show in eval mode alone."""

# needs: torch
import copy

import torch
from torch import nn

x = torch.linspace(-1, 1, 24).reshape(8, 3)


def build():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 2))
    return net, torch.optim.Adam(net.parameters(), lr=0.1)


def step(net, opt, data):
    opt.zero_grad()
    net.train()(data).square().sum().backward()
    opt.step()


def outputs(net, opt):
    """On the same batch: outputs in train and in eval mode, then the parameters after one more step."""
    in_eval = copy.deepcopy(net).eval()(x)
    rng = torch.get_rng_state()
    in_train = copy.deepcopy(net).train()(x)
    torch.set_rng_state(rng)
    step(net, opt, x)
    return in_train, in_eval, torch.cat([p.flatten() for p in net.parameters()])


old, adam = build()
torch.manual_seed(1)
for _ in range(50):
    step(old, adam, torch.randn(8, 3) * 4 + 5)
saved = copy.deepcopy(old.state_dict()), copy.deepcopy(adam.state_dict()), torch.get_rng_state()
expected = outputs(old, adam)
print("forgotten            train()  eval()  next step")
seen = {}
for part in ("nothing", "running statistics", "last layer", "Adam moments", "RNG state"):
    net, opt = build()
    lost = {"running statistics": "1.running", "last layer": "3."}.get(part, "-")
    net.load_state_dict({k: v for k, v in saved[0].items() if not k.startswith(lost)}, strict=False)
    if part != "Adam moments":
        opt.load_state_dict(copy.deepcopy(saved[1]))
    if part != "RNG state":
        torch.set_rng_state(saved[2])
    else:
        torch.manual_seed(7)
    same = [torch.allclose(a, b, atol=1e-4) for a, b in zip(outputs(net, opt), expected)]
    seen[part] = ["same" if s else "other" for s in same]
    print(f"{part:20} {seen[part][0]:8} {seen[part][1]:7} {seen[part][2]}")
names = {k for k in saved[0] if k not in dict(old.named_parameters())}
print("no parameters:", *sorted(names))
assert seen["nothing"] == ["same", "same", "same"]
assert seen["running statistics"] == ["same", "other", "same"]
assert seen["last layer"] == ["other", "other", "other"]
assert seen["Adam moments"] == ["same", "same", "other"]
assert seen["RNG state"] == ["other", "same", "other"]
