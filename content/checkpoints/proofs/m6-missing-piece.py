"""A damaged `.distcp` file is noticed only when a piece inside it is asked for."""

# needs: torch
import os
import tempfile
import warnings

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import FileSystemReader, FileSystemWriter
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save

warnings.filterwarnings("ignore")
path = tempfile.mkdtemp()
# two files in one process: as if two ranks had written one tensor each
dcp.save({"a": torch.zeros(9), "b": torch.ones(9)}, storage_writer=FileSystemWriter(path, thread_count=2))
where = {k.fqn: v.relative_path for k, v in FileSystemReader(path).read_metadata().storage_data.items()}
print(sorted(os.listdir(path)))
print(dict(sorted(where.items())))
assert where["a"] != where["b"]
os.remove(f"{path}/{where['b']}")
state = {"a": torch.ones(9)}
dcp.load(state, checkpoint_id=path)
print("file of b removed, load a:", state["a"].sum().item())
try:
    dcp.load({"b": torch.zeros(9)}, checkpoint_id=path)
    raise SystemExit("no error")
except dcp.api.CheckpointException as error:
    print("file of b removed, load b:", type(error.failures[0][0]).__name__)
    assert state["a"].sum() == 0
try:
    dcp_to_torch_save(path, path + "/full.pt")
    raise SystemExit("no error")
except dcp.api.CheckpointException as error:
    print("conversion of the folder: ", type(error.failures[0][0]).__name__)
