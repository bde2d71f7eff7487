"""The state of a fresh Adam is empty; a parameter gets its entry at the first `step()` that finds a gradient for it."""

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

a, b, c = (torch.nn.Parameter(torch.ones(2)) for _ in "abc")
opt = torch.optim.Adam([a, b, c])
a.sum().backward()
opt.zero_grad()
b.sum().backward()
print("b has a gradient, that of a is cleared:", len(opt.state_dict()["state"]), "entries")
assert opt.state_dict()["state"] == {}
opt.step()
print("one step:", len(opt.state_dict()["state"]), "entry, that of b")
assert list(opt.state_dict()["state"]) == [1]
