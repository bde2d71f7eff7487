"""A lost dropout RNG state leaves the evaluation curve smooth although the parameters are not those of the run."""

# needs: torch
import copy

import torch
from torch import nn

torch.set_num_threads(1)
x = torch.randn(256, 8, generator=torch.Generator().manual_seed(1))
y = torch.sin(x.sum(1, keepdim=True))
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Dropout(0.1), nn.Linear(64, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)


def train(model, opt, steps):
    curve = []
    for _ in range(steps):
        model.train()
        opt.zero_grad()
        ((model(x) - y) ** 2).mean().backward()
        opt.step()
        model.eval()
        curve.append(((model(x) - y) ** 2).mean().item())
    return curve


before = train(model, opt, 500)
resumed = copy.deepcopy(model)
opt2 = torch.optim.Adam(resumed.parameters(), lr=1e-3)
opt2.load_state_dict(copy.deepcopy(opt.state_dict()))
straight = train(model, opt, 20)
torch.manual_seed(0)  # the stream starts anew instead of going on
after = train(resumed, opt2, 20)
print("before:  ", [f"{v:.3f}" for v in before[-3:]])
print("straight:", [f"{v:.3f}" for v in straight[:3]])
print("resumed: ", [f"{v:.3f}" for v in after[:3]])
same = all(torch.equal(a, b) for a, b in zip(model.parameters(), resumed.parameters()))
print("jump below 1 %:", abs(after[0] / before[-1] - 1) < 0.01, "| parameters equal:", same)
assert abs(after[0] / before[-1] - 1) < 0.01
assert not same
