"""A saved RNG state continues the stream, a seed restarts it, and torch, NumPy and `random` keep separate states."""

# needs: torch numpy
import random

import numpy as np
import torch

torch.manual_seed(7)
before = torch.rand(3)
state = torch.get_rng_state()
after = torch.rand(3)
torch.set_rng_state(state)
print("state restored, stream goes on:    ", torch.equal(torch.rand(3), after))
torch.set_rng_state(state)
assert torch.equal(torch.rand(3), after)
torch.manual_seed(7)
again = torch.rand(3)
print("seed set again, stream goes on:    ", torch.equal(again, after))
print("seed set again, stream starts over:", torch.equal(again, before))
assert torch.equal(again, before)
assert not torch.equal(again, after)
print("torch state:", state.dtype, tuple(state.shape))
assert state.dtype == torch.uint8
assert state.ndim == 1

np.random.seed(0), random.seed(0)
np.random.rand(), random.random()
ours = np.random.get_state()[2], random.getstate()
torch.set_rng_state(state)
print("NumPy and random moved with torch: ", (np.random.get_state()[2], random.getstate()) != ours)
assert (np.random.get_state()[2], random.getstate()) == ours

saved, numpy_next = np.random.get_state(), np.random.rand()
others = random.random(), torch.rand(1).item()
np.random.seed(0), random.seed(0), torch.manual_seed(7)  # a new process
np.random.set_state(saved)
print("NumPy state restored, NumPy goes on:", np.random.rand() == numpy_next)
print("... and random, torch with it:     ", (random.random(), torch.rand(1).item()) == others)
np.random.set_state(saved)
assert np.random.rand() == numpy_next
