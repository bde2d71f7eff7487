"""weights_only=False runs a command stored in the file; the default of torch >= 2.6 refuses the file."""

# needs: torch
import os
import pickle
import tempfile

import torch

os.chdir(tempfile.mkdtemp())


class Payload:
    def __reduce__(self):
        return os.mkdir, ("created-by-the-file",)


torch.save({"w": torch.ones(1), "x": Payload()}, "m.pt")
error = None
try:
    torch.load("m.pt")
except pickle.UnpicklingError as e:
    error = e
after_default = os.path.exists("created-by-the-file")
print("default:", type(error).__name__, "- code run:", after_default)
torch.load("m.pt", weights_only=False)
after_false = os.path.exists("created-by-the-file")
print("weights_only=False: loaded - code run:", after_false)
assert isinstance(error, pickle.UnpicklingError)
assert not after_default
assert after_false
