"""bf16 weights, an fp32 master copy and two fp32 Adam moments take 14 bytes per parameter, gradients not counted."""

# needs: torch
import torch

n = 10_000
weights = torch.zeros(n, dtype=torch.bfloat16)
master = torch.zeros(n, requires_grad=True)  # fp32 copy that Adam updates
opt = torch.optim.Adam([master])
master.grad = torch.ones(n)
opt.step()
state = opt.state[master]
parts = {
    "weights bf16": weights,
    "master fp32": master,
    "exp_avg fp32": state["exp_avg"],
    "exp_avg_sq fp32": state["exp_avg_sq"],
}
total = 0
for name, t in parts.items():
    each = t.element_size() * t.numel() // n
    total += each
    print(f"{name:16} {each} bytes per parameter")
print(f"{'sum':16} {total} bytes per parameter")
print("7e9 parameters:", total * 7, "GB")
assert total == 14
assert total * 7 == 98
