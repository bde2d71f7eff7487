"""The index changes with the bytes, names and files of tensors, not with their shapes or values."""

# needs: torch huggingface_hub safetensors
import json
import os
import tempfile

import torch
from huggingface_hub import save_torch_state_dict


def index(w, name="w"):
    folder = tempfile.mkdtemp()
    state = {name: w, "x": torch.ones(6), "y": torch.ones(6)}
    save_torch_state_dict(state, folder, max_shard_size=30)
    return json.load(open(os.path.join(folder, "model.safetensors.index.json")))


w = torch.ones(4, 3)  # 48 bytes in fp32
first = index(w)
print("first save: total_size", first["metadata"]["total_size"])
changes = {
    "in bf16": index(w.bfloat16()),
    "transposed": index(w.T.contiguous()),
    "other values": index(w * 2),
    "two of four rows": index(w[:2].clone()),
    "renamed": index(w, "v"),
}
for change, second in changes.items():
    same = "same" if second["weight_map"] == first["weight_map"] else "other"
    print(f"{change}: total_size {second['metadata']['total_size']}, {same} weight_map")
smaller = {"metadata": {"total_size": 72}, "weight_map": first["weight_map"]}
assert [c for c, i in changes.items() if i == smaller] == ["in bf16", "two of four rows"]
assert [c for c, i in changes.items() if i == first] == ["transposed", "other values"]
