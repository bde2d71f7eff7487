"""`.metadata` is a pickle that comes last: until it is there, a DCP folder holding all data files cannot be loaded."""

# needs: torch
import contextlib
import logging
import os
import tempfile
import warnings

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import FileSystemWriter

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


class Killed(FileSystemWriter):
    def finish(self, metadata, results):
        print("just before the last step:", sorted(os.listdir(self.path)))
        raise KeyboardInterrupt


path = tempfile.mkdtemp()
with contextlib.suppress(dcp.api.CheckpointException, KeyboardInterrupt):
    dcp.save({"w": torch.ones(3)}, storage_writer=Killed(path))
assert sorted(os.listdir(path)) == ["__0_0.distcp"]
try:
    with contextlib.redirect_stderr(None):
        dcp.load({"w": torch.zeros(3)}, checkpoint_id=path)
    raise SystemExit("no error")
except dcp.api.CheckpointException as error:
    print("load:", type(error).__name__)
open(path + "/.metadata.tmp", "wb").close()
try:
    with contextlib.redirect_stderr(None):
        dcp.load({"w": torch.zeros(3)}, checkpoint_id=path)
    raise SystemExit("no error")
except dcp.api.CheckpointException as error:
    print("load with .metadata.tmp:", type(error).__name__)
dcp.save({"w": torch.ones(3)}, checkpoint_id=path)
print("after a full save:        ", sorted(os.listdir(path)))
first = open(path + "/.metadata", "rb").read(2)
print("first bytes of .metadata: ", first.hex(" "), "(pickle protocol 4)")
assert first == b"\x80\x04"
