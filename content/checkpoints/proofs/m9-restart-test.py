"""On one CPU a full restore gives 20 steps = 10 + 10 bit for bit; which part matters depends on the run."""

# needs: torch
import copy

import torch

torch.set_num_threads(1)
data = torch.randn(64, 8, generator=torch.Generator().manual_seed(1))


def build():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Dropout(0.5), torch.nn.Linear(16, 1))
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    return model, opt, torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 1 / (1 + s))


def train(parts, first, last, noise=0.0):
    model, opt, sched = parts
    for i in range(first, last):
        b = slice(i * 8 % 64, i * 8 % 64 + 8)
        opt.zero_grad()
        rows = data[b] + noise * torch.randn(8, 8) if noise else data[b]
        ((model(rows) - data[b].sum(1, keepdim=True)) ** 2).mean().backward()
        opt.step()
        sched.step()
    return torch.cat([p.detach().flatten() for p in model.parameters()])


run = build()
train(run, 0, 10)
saved = [copy.deepcopy(p.state_dict()) for p in run] + [torch.get_rng_state()]
straight = train(run, 10, 20)
for left_out in ("nothing", "optimizer", "scheduler", "RNG"):
    new = build()
    for name, part, state in zip(("model", "optimizer", "scheduler"), new, saved):
        if name != left_out:
            part.load_state_dict(copy.deepcopy(state))
    torch.set_rng_state(saved[3]) if left_out != "RNG" else None
    same = torch.equal(straight, train(new, 10, 20))
    print(f"left out: {left_out:9} -> bitwise equal: {same}")
    assert same is (left_out == "nothing")

# no dropout, SGD without momentum, constant LR; rows by step number, perhaps with noise added to them


def build_plain():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1))
    opt = torch.optim.SGD(model.parameters(), lr=1e-2)
    return model, opt, torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 1.0)


for noise, needed in ((0.0, {"step number"}), (0.1, {"step number", "RNG"})):
    plain = build_plain()
    train(plain, 0, 10, noise)
    saved = [copy.deepcopy(p.state_dict()) for p in plain] + [torch.get_rng_state()]
    straight = train(plain, 10, 20, noise)
    matters = set()
    for left_out in ("nothing", "optimizer", "scheduler", "RNG", "step number"):
        new = build_plain()
        for name, part, state in zip(("model", "optimizer", "scheduler"), new, saved):
            if name != left_out:
                part.load_state_dict(copy.deepcopy(state))
        torch.set_rng_state(saved[3]) if left_out != "RNG" else None
        first = 0 if left_out == "step number" else 10
        if not torch.equal(straight, train(new, first, first + 10, noise)):
            matters.add(left_out)
    print(f"plain run, noise {noise}: not equal without", " or ".join(sorted(matters)))
    assert matters == needed
