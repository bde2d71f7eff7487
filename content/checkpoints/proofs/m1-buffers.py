"""state_dict() has parameters and persistent buffers; non-persistent buffers and gradients are absent."""

# needs: torch
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = torch.nn.BatchNorm1d(3)
        self.register_buffer("attn_mask", torch.ones(3), persistent=False)
        self.register_buffer("out_scale", torch.ones(3))


net = Net()
net.bn(torch.randn(4, 3)).sum().backward()
keys = sorted(net.state_dict())
for k in keys:
    print(k)
print("attn_mask in state_dict:", "attn_mask" in keys)
print("gradient in memory:", net.bn.weight.grad is not None, "- bn.momentum:", net.bn.momentum)
assert keys == ["bn.bias", "bn.num_batches_tracked", "bn.running_mean", "bn.running_var", "bn.weight", "out_scale"]
