"""With Adam's moments lost the loss jumps one step after loading: each weight moves by about a whole LR."""

# needs: torch
import copy

import torch

torch.set_num_threads(1)  # and doubles: near the minimum the gradients of floats are rounding noise
g = torch.Generator().manual_seed(1)
x = torch.randn(1024, 32, generator=g)
y = (x.sum(1, keepdim=True) + 0.5 * torch.randn(1024, 1, generator=g)).double()
x = x.double()
torch.manual_seed(4)
model = torch.nn.Linear(32, 1).double()


def loss(m):
    return ((m(x) - y) ** 2).mean()


def train(m, opt, steps):
    curve = []
    for _ in range(steps):
        opt.zero_grad()
        loss(m).backward()
        opt.step()
        curve.append(loss(m).item())
    return curve


opt = torch.optim.Adam(model.parameters(), lr=0.05)
train(model, opt, 310)
at_save, lost = loss(model).item(), copy.deepcopy(model)
after_load = loss(lost).item()
kept = train(model, opt, 6)
fresh = train(lost, torch.optim.Adam(lost.parameters(), lr=0.05), 6)
print(f"at save {at_save:.3f}, right after loading {after_load:.3f}")
print("moments kept:", [f"{v:.3f}" for v in kept])
print("moments lost:", [f"{v:.3f}" for v in fresh])
assert after_load == at_save
assert max(fresh) > 1.2 * at_save
assert max(kept) < 1.05 * at_save


def moved(make, state=None):
    w = torch.nn.Parameter(torch.ones(1))
    opt = make([w], lr=0.05)
    if state:
        step, avg, avg_sq = (torch.tensor(v) for v in state)
        opt.state[w] = {"step": step, "exp_avg": avg.view(1), "exp_avg_sq": avg_sq.view(1)}
    w.grad = torch.full((1,), 0.002)
    opt.step()
    return 1 - w.item()


adam = torch.optim.Adam
moves = {
    "SGD": moved(torch.optim.SGD),
    "Adam, state restored": moved(adam, (5000.0, 0.002, 0.04)),
    "Adam, state empty": moved(adam),
    "Adam, step restored alone": moved(adam, (5000.0, 0.0, 0.0)),
}
print("gradient 0.002, LR 0.05, one weight moves by")
for name, value in moves.items():
    print(f"  {name}: {value:.4f}")
for have, want in zip(moves.values(), (0.0001, 0.0005, 0.05, 0.16)):
    assert abs(have / want - 1) < 0.02
