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

# which value is the first to differ depends on the part that was lost


def mse(model):
    return ((model(x) - y) ** 2).mean()


def with_scheduler(model):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    return opt, torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 1 / (1 + s))


def checks(model, opt, sched):
    values = {"validation loss before step 1": mse(model.eval()).item()}
    opt.zero_grad()
    loss = mse(model.train())
    values["training loss of step 1"] = loss.item()
    loss.backward()
    opt.step()
    sched.step()
    values["weights after step 1"] = [p.tolist() for p in model.parameters()]
    values["LR of step 2"] = opt.param_groups[0]["lr"]
    return values


opt, sched = with_scheduler(model)
for _ in range(10):
    checks(model, opt, sched)
saved = copy.deepcopy((model.state_dict(), opt.state_dict(), sched.state_dict(), torch.get_rng_state()))
want = checks(model, opt, sched)
first_to_differ = {}
for lost in ("nothing", "weights", "RNG", "moments", "scheduler"):
    new = copy.deepcopy(resumed)  # other weights
    opt, sched = with_scheduler(new)
    if lost != "weights":
        new.load_state_dict(saved[0])
    opt.load_state_dict(copy.deepcopy(saved[1]))
    if lost == "moments":
        opt.state.clear()
    if lost != "scheduler":
        sched.load_state_dict(saved[2])
    torch.manual_seed(0) if lost == "RNG" else torch.set_rng_state(saved[3])
    have = checks(new, opt, sched)
    first_to_differ[lost] = next((name for name in want if have[name] != want[name]), "none")
    print(f"lost: {lost:9} -> first to differ: {first_to_differ[lost]}")
assert list(first_to_differ.values()) == ["none", *want]
