"""DCP becomes one `torch.save` file with `dcp_to_torch_save`, or safetensors with `HuggingFaceStorageWriter`."""

# needs: torch safetensors accelerate
import os
import tempfile
import warnings

import torch
import torch.distributed.checkpoint as dcp
from accelerate.utils import merge_fsdp_weights
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save, torch_save_to_dcp

warnings.filterwarnings("ignore")
out = tempfile.mkdtemp()
dcp.save({"a": torch.ones(2), "b": torch.zeros(3)}, checkpoint_id=f"{out}/dcp")
dcp_to_torch_save(f"{out}/dcp", f"{out}/full.pt")
print("dcp_to_torch_save:", {k: v.tolist() for k, v in torch.load(f"{out}/full.pt").items()})
torch_save_to_dcp(f"{out}/full.pt", f"{out}/back")
print("torch_save_to_dcp:", sorted(os.listdir(f"{out}/back")))
state = {"a": torch.zeros(2), "b": torch.ones(3)}
dcp.load(state, checkpoint_id=f"{out}/back")
assert state["a"].tolist() == [1, 1]
assert state["b"].tolist() == [0, 0, 0]
merge_fsdp_weights(f"{out}/dcp", f"{out}/merged")
print("accelerate merge-weights:", merged := os.listdir(f"{out}/merged"))
assert merged == ["model.safetensors"]
writer = dcp.HuggingFaceStorageWriter(path=f"{out}/hf", fqn_to_index_mapping={"a": 1, "b": 2})
dcp.save(state, storage_writer=writer)
print("HuggingFaceStorageWriter:", *(names := sorted(os.listdir(f"{out}/hf"))), sep="\n  ")
assert names[-1] == "model.safetensors.index.json"
assert len(names) == 3
