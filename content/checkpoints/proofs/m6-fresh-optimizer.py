"""`dcp.load` into a fresh `optimizer.state_dict()` brings no moments; `get_optimizer_state_dict` creates the slots."""

# needs: torch
import tempfile
import warnings

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict import get_optimizer_state_dict, set_optimizer_state_dict

warnings.filterwarnings("ignore")


def build(lr=0.001):
    model = torch.nn.Linear(2, 2)
    return model, torch.optim.AdamW(model.parameters(), lr=lr)


def step(model, opt, gradient):
    for p in model.parameters():
        p.grad = torch.full_like(p, gradient)
    opt.step()
    return round(opt.state[model.weight]["exp_avg"][0, 0].item(), 3)


model, opt = build()
model(torch.ones(1, 2)).sum().backward()
opt.step()
path = tempfile.mkdtemp()
dcp.save({"optim": get_optimizer_state_dict(model, opt)}, checkpoint_id=path)

_, naive = build()
state = {"optim": naive.state_dict()}
dcp.load(state, checkpoint_id=path)
naive.load_state_dict(state["optim"])
print("optimizer.state_dict():    no error, entries in state:", len(naive.state))
assert len(naive.state) == 0

other, right = build()
state = {"optim": get_optimizer_state_dict(other, right)}
dcp.load(state, checkpoint_id=path)
set_optimizer_state_dict(other, right, optim_state_dict=state["optim"])
same = torch.equal(right.state[other.weight]["exp_avg"], opt.state[model.weight]["exp_avg"])
print("get_optimizer_state_dict(): exp_avg restored:", same)
assert same

model, opt = build(lr=0.01)
print("saved:         exp_avg", step(model, opt, -5.0), "lr", opt.param_groups[0]["lr"])
dcp.save({"optim": opt.state_dict()}, checkpoint_id=path)
for early in (False, True):
    model, opt = build(lr=0.001)
    if early:
        step(model, opt, 3.0)
    state = {"optim": opt.state_dict()}
    dcp.load(state, checkpoint_id=path)
    opt.load_state_dict(state["optim"])
    new = step(model, opt, 5.0), opt.param_groups[0]["lr"]
    print("had a step:   " if early else "fresh:        ", "exp_avg", new[0], "lr", new[1], "after a gradient of 5.0")
    assert new == ((0.05, 0.01) if early else (0.5, 0.01))
