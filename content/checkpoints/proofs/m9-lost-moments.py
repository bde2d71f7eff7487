"""With Adam's moments lost, the loss right after loading is unchanged and jumps in the steps that follow."""

# needs: torch
import copy

import torch

torch.set_num_threads(1)
g = torch.Generator().manual_seed(1)
x = torch.randn(1024, 32, generator=g)
y = x.sum(1, keepdim=True) + 0.5 * torch.randn(1024, 1, generator=g)
torch.manual_seed(0)
model = torch.nn.Linear(32, 1)


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
train(model, opt, 300)
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
