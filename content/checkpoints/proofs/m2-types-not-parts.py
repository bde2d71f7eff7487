"""weights_only=True restricts types: an optimizer state loads, NumPy objects need safe_globals."""

# needs: torch numpy
import os
import pickle
import tempfile

import numpy as np
import torch

os.chdir(tempfile.mkdtemp())
model = torch.nn.Linear(2, 2)
opt = torch.optim.Adam(model.parameters())
model(torch.ones(1, 2)).sum().backward()
opt.step()
torch.save({"model": model.state_dict(), "optimizer": opt.state_dict(), "step": 1}, "a.pt")
back = torch.load("a.pt", weights_only=True)
print("keys:", sorted(back))
print("moments:", sorted(back["optimizer"]["state"][0]))
torch.save({"numpy": np.random.get_state()}, "rng.pt")
error = None
try:
    torch.load("rng.pt", weights_only=True)
except pickle.UnpicklingError as e:
    error = e
print("NumPy RNG state:", type(error).__name__)
allow = [np._core.multiarray._reconstruct, np.ndarray, np.dtype, type(np.dtype(np.uint32))]
with torch.serialization.safe_globals(allow):
    state = torch.load("rng.pt", weights_only=True)
print("with safe_globals:", state["numpy"][0])
assert "exp_avg" in back["optimizer"]["state"][0]
assert back["step"] == 1
assert isinstance(error, pickle.UnpicklingError)
assert state["numpy"][0] == "MT19937"
