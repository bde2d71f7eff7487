"""Gradients do not get into a saved state_dict: a run that loads it goes on without them."""

# needs: torch
import os
import tempfile

import torch

model = torch.nn.Linear(100, 100)
path = os.path.join(tempfile.mkdtemp(), "m.pt")


def size():
    torch.save(model.state_dict(), path)
    return os.path.getsize(path)


before = size()
model(torch.ones(1, 100)).sum().backward()
after = size()
print("gradient in memory:", tuple(model.weight.grad.shape))
print("file before backward:", before, "bytes")
print("file after backward: ", after, "bytes")
fresh = torch.nn.Linear(100, 100)
fresh.load_state_dict(torch.load(path))
print("gradient after loading:", fresh.weight.grad)
assert before == after
assert fresh.weight.grad is None


def train(net, gradients, save_before_step):
    """One step of plain SGD per gradient; saves at the last one."""
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for gradient in gradients:
        optimizer.zero_grad()
        (net.weight * gradient).sum().backward()
        if save_before_step:
            torch.save(net.state_dict(), path)
        optimizer.step()
        if not save_before_step:
            torch.save(net.state_dict(), path)


results = []
for before in (True, False):
    net = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.ones_(net.weight)
    train(net, [2.0], before)
    resumed = torch.nn.Linear(1, 1, bias=False)
    resumed.load_state_dict(torch.load(path))
    loaded = resumed.weight.item()
    train(resumed, [5.0], before)
    results.append(round(resumed.weight.item(), 4))
    print(f"saved {'before' if before else 'after '} step(): loaded {loaded:.1f}, after the next batch {results[-1]}")
assert results == [0.5, 0.3]
