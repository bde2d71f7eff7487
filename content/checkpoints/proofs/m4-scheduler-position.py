"""With the optimizer restored and a LambdaLR scheduler not, the first LR after a resume is right and the next jumps."""

# needs: torch
import copy

import torch


def build(kind):
    opt = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1e-2)
    if kind == "StepLR":
        return opt, torch.optim.lr_scheduler.StepLR(opt, 5, 0.5)
    return opt, torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 1 - e / 20)


def rates(opt, sched, n):
    out = []
    for _ in range(n):
        out.append(round(opt.param_groups[0]["lr"], 5))
        opt.step()
        sched.step()
    return out


def compare(kind, cut):
    opt, sched = build(kind)
    rates(opt, sched, cut)
    saved = copy.deepcopy(opt.state_dict())
    position = sched.state_dict()["last_epoch"]
    straight = rates(opt, sched, 3)
    opt, sched = build(kind)
    opt.load_state_dict(saved)
    resumed = rates(opt, sched, 3)
    print(f"{kind} at {cut}, last_epoch {position}: straight {straight}")
    print(f"{'without the scheduler state: ':>31}{resumed}")
    return straight, resumed


assert compare("LambdaLR", 12) == ([0.004, 0.0035, 0.003], [0.004, 0.0095, 0.009])
straight, resumed = compare("StepLR", 10)
assert straight == resumed

for cut in (16, 18, 21, 25):
    opt, sched = build("StepLR")
    rates(opt, sched, cut)
    saved = copy.deepcopy(opt.state_dict())
    straight = rates(opt, sched, 40 - cut)
    opt, sched = build("StepLR")
    opt.load_state_dict(saved)
    equal = rates(opt, sched, 40 - cut) == straight
    print(f"StepLR with period 5 at {cut}: the LRs up to step 40 {'equal' if equal else 'differ'}")
    assert equal == (cut == 25)
