"""A rebuilt LambdaLR counts from 0, so the second resumed step takes the LR of epoch 1: 0.018 instead of 0.006."""

# needs: torch
import copy

import torch


def build():
    opt = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.02)
    return opt, torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 1 - e / 10)


def rates(opt, sched, n):
    out = []
    for _ in range(n):
        out.append(round(opt.param_groups[0]["lr"], 5))
        opt.step()
        sched.step()
    return out


opt, sched = build()
rates(opt, sched, 6)
saved = copy.deepcopy(opt.state_dict())
straight = rates(opt, sched, 2)
opt, sched = build()
opt.load_state_dict(saved)
resumed = rates(opt, sched, 2)
print("steps 6 and 7, straight:                   ", straight)
print("steps 6 and 7, only the optimizer restored:", resumed)
assert straight == [0.008, 0.006]
assert resumed == [0.008, 0.018]
