"""A resumed run equals the straight run bit for bit only if model, Adam, LR schedule, RNG and data position return."""

# needs: torch
import copy

import torch
from torch import nn

X = torch.randn(256, 8, generator=torch.Generator().manual_seed(0))
Y = torch.randn(256, 1, generator=torch.Generator().manual_seed(1))


def build(drop, factor=lambda e: 1 - e / 40):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(8, 16), nn.Dropout(drop), nn.Linear(16, 1))
    o = torch.optim.Adam(m.parameters(), lr=1e-2)
    return m, o, torch.optim.lr_scheduler.LambdaLR(o, factor)


def train(m, o, s, batches):
    losses = []
    for i in batches:
        rows = slice(8 * i, 8 * i + 8)
        o.zero_grad()
        loss = ((m(X[rows]) - Y[rows]) ** 2).mean()
        loss.backward()
        o.step()
        s.step()
        losses.append(loss.item())
    return losses[0], torch.cat([p.detach().flatten() for p in m.parameters()])


def compare(lost, drop):
    parts = build(drop)
    train(*parts, range(10))
    saved, rng = copy.deepcopy([p.state_dict() for p in parts]), torch.get_rng_state()
    loss, straight = train(*parts, range(10, 20))
    parts = build(drop)
    for part, state, name in zip(parts, saved, ("model", "optimizer", "scheduler")):
        name != lost and part.load_state_dict(state)
    lost != "RNG" and torch.set_rng_state(rng)
    first, resumed = train(*parts, range(10) if lost == "data" else range(10, 20))
    gap = (resumed - straight).abs().max().item()
    assert gap == 0 or gap > 1e-3
    return first == loss, gap == 0


print("after the resume                 first loss  20 steps")
for drop in (0.5, 0.0):
    for lost in ("nothing", "model", "optimizer", "scheduler", "RNG", "data"):
        if drop == 0.5 or lost in ("optimizer", "scheduler", "RNG", "data"):
            loss, end = compare(lost, drop)
            print(f"dropout {drop}, lost: {lost:13} {'equal' if loss else 'differs':11} {'equal' if end else 'differ'}")
            assert end == (lost == "nothing" or (lost, drop) == ("RNG", 0.0))
            assert drop == 0.5 or loss == (lost != "data")


def at_the_step(m, o):
    moments = torch.cat([(o.state[p]["exp_avg"] if o.state else 0 * p).flatten() for p in m.parameters()])
    loss = ((m.eval()(X) - Y) ** 2).mean()
    return moments, loss, torch.tensor(o.param_groups[0]["lr"]), m.train()[1](torch.ones(8, 16))


m, o, s = build(0.5, lambda e: 1)
train(m, o, s, range(10))
saved, straight = copy.deepcopy(m.state_dict()), at_the_step(m, o)
m, o, _ = build(0.5, lambda e: 1)
m.load_state_dict(saved)
same = [torch.equal(a, b) for a, b in zip(straight, at_the_step(m, o))]
kept = zip(("moments", "validation loss", "LR", "masks"), same)
print("weights alone, constant LR, still equal:", ", ".join(name for name, equal in kept if equal))
assert same == [False, True, True, False]
