"""A resumed run equals the straight run bit for bit only if model, optimizer, LR scheduler and RNG state all return."""

# needs: torch
import copy

import torch
from torch import nn

X = torch.randn(64, 8, generator=torch.Generator().manual_seed(0))
Y = torch.randn(64, 1, generator=torch.Generator().manual_seed(1))


def build():
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.5), nn.Linear(16, 1))
    o = torch.optim.Adam(m.parameters(), lr=1e-2)
    return m, o, torch.optim.lr_scheduler.LambdaLR(o, lambda e: 1 - e / 40)


def train(m, o, s, steps):
    for i in steps:
        rows = slice(i * 8 % 64, i * 8 % 64 + 8)
        o.zero_grad()
        ((m(X[rows]) - Y[rows]) ** 2).mean().backward()
        o.step()
        s.step()
    return torch.cat([p.detach().flatten() for p in m.parameters()])


parts = build()
train(*parts, range(10))
saved = copy.deepcopy([p.state_dict() for p in parts]), torch.get_rng_state()
straight = train(*parts, range(10, 20))
for lost in ("nothing", "model", "optimizer", "scheduler", "RNG"):
    parts = build()
    for part, state, name in zip(parts, saved[0], ("model", "optimizer", "scheduler")):
        name != lost and part.load_state_dict(state)
    lost != "RNG" and torch.set_rng_state(saved[1])
    gap = (train(*parts, range(10, 20)) - straight).abs().max().item()
    print(f"lost: {lost:10} largest difference {'exactly 0' if gap == 0 else 'above 0.001'}")
    assert gap == 0 if lost == "nothing" else gap > 1e-3
