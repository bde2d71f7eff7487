"""weights_only=True restricts types: an optimizer state loads, a whole module and NumPy arrays do not."""

# needs: torch numpy
import argparse
import os
import pickle
import tempfile

import numpy as np
import torch

os.chdir(tempfile.mkdtemp())
net = torch.nn.Linear(2, 2)
adam = torch.optim.Adam(net.parameters())
net(torch.ones(1, 2)).sum().backward()
adam.step()
args = argparse.Namespace(lr=0.1, name="run")


def load(name):
    try:
        return torch.load(name, weights_only=True)
    except pickle.UnpicklingError:
        return None


refused = []
for key, value in {"model": net, "adam": adam.state_dict(), "args": vars(args), "step": 7}.items():
    torch.save({key: value}, "c.pt")
    back = load("c.pt")
    print(f"{key:6}", "UnpicklingError" if back is None else "loads")
    if back is None:
        refused.append(key)
torch.save({"model": net.state_dict(), "adam": adam.state_dict(), "args": vars(args), "step": 7}, "c.pt")
back = load("c.pt")
print("with net.state_dict():", sorted(back))
state = np.random.get_state()
torch.save({"numpy": state}, "rng.pt")
assert load("rng.pt") is None
print("NumPy random state: UnpicklingError")
allow = [np._core.multiarray._reconstruct, np.ndarray, np.dtype, type(np.dtype(np.uint32))]
with torch.serialization.safe_globals(allow):
    print("with safe_globals:", load("rng.pt")["numpy"][0])
torch.save({"numpy": (state[0], torch.from_numpy(state[1]), *state[2:])}, "rng.pt")
kind, keys, *rest = load("rng.pt")["numpy"]
expected = np.random.rand(3)
np.random.set_state((kind, keys.numpy(), *rest))
same = np.array_equal(np.random.rand(3), expected)
print("array saved as a tensor: loads, same numbers:", same)
assert refused == ["model"]
assert "exp_avg" in back["adam"]["state"][0]
assert same
