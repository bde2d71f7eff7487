"""`GradScaler` has state: a fresh one starts at 65536 and forgets both the adapted scale and the growth counter."""

# needs: torch
import torch

w = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([w], lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for i in range(5):
    opt.zero_grad()
    scaler.scale(w.sum()).backward()
    if i < 3:
        w.grad[0] = float("inf")
    scaler.step(opt)
    scaler.update()
saved = scaler.state_dict()
fresh = torch.amp.GradScaler("cpu").state_dict()
print(*saved, sep="\n")
for key in ("scale", "_growth_tracker"):
    print(f"{key}: saved {saved[key]}, fresh {fresh[key]}")
assert (saved["scale"], saved["_growth_tracker"]) == (8192.0, 2)
assert (fresh["scale"], fresh["_growth_tracker"]) == (65536.0, 0)
