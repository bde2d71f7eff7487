"""A resume that forgot the optimizer passes checks of weights, files and loss; its state is empty."""

# needs: torch
import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
opt = torch.optim.AdamW(model.parameters())
x = torch.ones(8, 4)
for _ in range(5):
    model(x).pow(2).mean().backward()
    opt.step()
    opt.zero_grad()
saved = copy.deepcopy({"model": model.state_dict(), "optimizer": opt.state_dict()})

fresh = nn.Linear(4, 1)
result = fresh.load_state_dict(saved["model"])
forgot = torch.optim.AdamW(fresh.parameters())  # load_state_dict was not called
good = torch.optim.AdamW(fresh.parameters())
good.load_state_dict(saved["optimizer"])
loss = fresh(x).pow(2).mean().item()
print("missing keys:", result.missing_keys, "| loss finite:", loss < float("inf"))
print("same hyperparameters:", forgot.param_groups[0]["lr"] == good.param_groups[0]["lr"])
print("entries of optimizer state, forgotten:", len(forgot.state), "restored:", len(good.state))
want = saved["optimizer"]["state"][0]
have = good.state[fresh.weight]
print("exp_avg equal:", torch.equal(have["exp_avg"], want["exp_avg"]), "| step:", int(have["step"]))
print("names in the state:", sorted(have))
assert not result.missing_keys
assert len(forgot.state) == 0
assert len(good.state) == 2
assert torch.equal(have["exp_avg"], want["exp_avg"])
assert int(have["step"]) == 5
