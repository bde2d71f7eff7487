"""state_dict() has parameters and persistent buffers; other tensors and gradients are absent."""

# needs: torch
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        x = torch.ones(3)
        self.p = torch.nn.Parameter(x, requires_grad=False)
        self.register_buffer("q", x)
        self.register_buffer("r", x, persistent=False)
        self.s = torch.nn.Parameter(x)
        self.t = x
        self.bn = torch.nn.BatchNorm1d(3)


net = Net()
(net.bn(torch.randn(4, 3)) * net.s).sum().backward()
keys = sorted(net.state_dict())
for k in keys:
    print(k)
print("r in state_dict:", "r" in keys, "- t in state_dict:", "t" in keys)
print("gradient in memory:", net.bn.weight.grad is not None)
assert keys == ["bn.bias", "bn.num_batches_tracked", "bn.running_mean", "bn.running_var", "bn.weight", "p", "q", "s"]
