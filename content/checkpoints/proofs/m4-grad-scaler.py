"""`GradScaler` has state: a fresh one starts at 65536 and skips a step for each halving down to the adapted scale."""

# needs: torch
import torch

w = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([w], lr=0.1)


def train(scaler, steps):
    """How many of the steps were skipped. In `fp16` this gradient of 3 overflows if the scale is above 16384."""
    skipped = 0
    for _ in range(steps):
        opt.zero_grad()
        scaler.scale((3 * w.half()).sum()).backward()
        before = w.detach().clone()
        scaler.step(opt)
        scaler.update()
        skipped += torch.equal(before, w)
    return skipped


scaler = torch.amp.GradScaler("cpu")
train(scaler, 5)
saved = scaler.state_dict()
fresh = torch.amp.GradScaler("cpu").state_dict()
print(*saved, sep="\n")
for key in ("scale", "_growth_tracker"):
    print(f"{key}: saved {saved[key]}, fresh {fresh[key]}")
assert (saved["scale"], saved["_growth_tracker"]) == (16384.0, 3)
assert (fresh["scale"], fresh["_growth_tracker"]) == (65536.0, 0)
for name, state in (("with its state", saved), ("without its state", fresh)):
    scaler = torch.amp.GradScaler("cpu")
    scaler.load_state_dict(state)
    skipped = train(scaler, 20)
    print(f"resumed {name}: {skipped} of 20 steps skipped")
    assert skipped == (0 if state is saved else 2)
