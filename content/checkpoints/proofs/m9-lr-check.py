"""Scheduler forgotten: a wrong LR from step 2 on. Scheduler built after the load of the optimizer: wrong in step 1."""

# needs: torch
import torch


def build():
    p = torch.nn.Parameter(torch.zeros(1))
    opt = torch.optim.SGD([p], lr=0.05)
    return opt, torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 1 - 0.05 * s)


def lrs(opt, sched, n):
    out = []
    for _ in range(n):
        out.append(round(opt.param_groups[0]["lr"], 4))
        opt.step()
        sched.step()
    return out


opt, sched = build()
lrs(opt, sched, 12)
saved = opt.state_dict(), sched.state_dict()
straight = lrs(opt, sched, 3)
opt2, sched2 = build()
opt2.load_state_dict(saved[0])  # the scheduler is forgotten
resumed = lrs(opt2, sched2, 3)
opt3, _ = build()
opt3.load_state_dict(saved[0])
late = torch.optim.lr_scheduler.LambdaLR(opt3, lambda s: 1 - 0.05 * s)  # built after loading
late_lrs = lrs(opt3, late, 3)
opt4, _ = build()
opt4.load_state_dict(saved[0])
both = torch.optim.lr_scheduler.LambdaLR(opt4, lambda s: 1 - 0.05 * s)  # built after loading, then restored
both.load_state_dict(saved[1])
both_lrs = lrs(opt4, both, 3)
print("straight run, steps 12-14:", straight)
print("scheduler forgotten:      ", resumed)
print("built after loading:      ", late_lrs)
print("built late, then restored:", both_lrs)
assert resumed[0] == straight[0] == 0.02
assert resumed[1] == 0.0475 != straight[1]
assert late_lrs[:2] == [0.05, 0.0475]
assert both_lrs[:2] == [0.05, 0.0175]
