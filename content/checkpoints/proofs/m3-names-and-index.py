"""An index is written only when there is more than one shard; its metadata counts tensor bytes."""

# needs: torch huggingface_hub safetensors
import json
import os
import tempfile

import torch
from huggingface_hub import save_torch_state_dict

state = {c: torch.zeros(6) for c in "abcd"}  # 24 bytes each
for limit in ("5GB", 30):
    folder = tempfile.mkdtemp()
    save_torch_state_dict(state, folder, max_shard_size=limit)
    names = sorted(os.listdir(folder))
    print("limit", limit)
    for n in names:
        print("  " + n)
index = json.load(open(os.path.join(folder, "model.safetensors.index.json")))
files = sum(os.path.getsize(os.path.join(folder, n)) for n in names if n.endswith(".safetensors"))
print("keys of the index:", sorted(index))
print("metadata:", index["metadata"])
with open(os.path.join(folder, names[0]), "rb") as f:
    header = int.from_bytes(f.read(8), "little")
    size = len(f.read()) + 8
print("one shard:", size, "bytes = 8 length field +", header, "header +", size - 8 - header, "data")
print("sum of the shard file sizes:", files)
assert sorted(index) == ["metadata", "weight_map"]
assert "model-00003-of-00004.safetensors" in names
assert index["metadata"] == {"total_size": 96}
assert files == 480
assert 4 * (size - 8 - header) == 96
assert len(names) == 5
