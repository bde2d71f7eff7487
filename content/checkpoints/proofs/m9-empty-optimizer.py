"""A resume that forgot the optimizer passes checks of weights and loss; its state is empty, its LR the initial one."""

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

# the same with a falling LambdaLR, which is restored each time


def with_scheduler(model):
    opt = torch.optim.AdamW(model.parameters(), lr=0.01)
    return opt, torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 1 - 0.05 * s)


opt, sched = with_scheduler(model)
for _ in range(12):
    opt.zero_grad()
    model(x).pow(2).mean().backward()
    opt.step()
    sched.step()
saved = copy.deepcopy((model.state_dict(), opt.state_dict(), sched.state_dict()))
want = (round(opt.param_groups[0]["lr"], 4), len(opt.state), sched.last_epoch, model(x).pow(2).mean().item())
for forgotten in (True, False):
    fresh = nn.Linear(4, 1)
    fresh.load_state_dict(saved[0])
    opt2, sched2 = with_scheduler(fresh)
    if not forgotten:
        opt2.load_state_dict(copy.deepcopy(saved[1]))
    sched2.load_state_dict(saved[2])
    loss = fresh(x).pow(2).mean().item()
    have = (round(opt2.param_groups[0]["lr"], 4), len(opt2.state), sched2.last_epoch, loss)
    same = [a == b for a, b in zip(have, want)]
    print(f"forgotten: {forgotten}, LR {have[0]}, entries {have[1]}, last_epoch {have[2]}, same loss {same[3]}")
    assert same == [not forgotten, not forgotten, True, True]
