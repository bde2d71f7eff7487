"""The state of a fresh Adam is empty; `step`, `exp_avg` and `exp_avg_sq` appear at the first `step()`."""

# needs: torch
import torch

p = torch.nn.Parameter(torch.zeros(3))
opt = torch.optim.Adam([p])
print("fresh:     ", opt.state_dict()["state"])
assert opt.state_dict()["state"] == {}
p.grad = torch.ones(3)
print("backward:  ", opt.state_dict()["state"])
assert opt.state_dict()["state"] == {}
opt.step()
names = list(opt.state_dict()["state"][0])
print("first step:", names)
assert names == ["step", "exp_avg", "exp_avg_sq"]
