"""Names map to files and headers map to byte ranges: a reader of two rows opens one shard of three."""

# needs: torch huggingface_hub safetensors
import json
import os
import tempfile

import torch
from huggingface_hub import save_torch_state_dict
from safetensors import safe_open

state = {c: torch.arange(12.0).reshape(4, 3) + i for i, c in enumerate("abc")}
folder = tempfile.mkdtemp()
save_torch_state_dict(state, folder, max_shard_size=50)
weight_map = json.load(open(os.path.join(folder, "model.safetensors.index.json")))["weight_map"]
file = weight_map["b"]
for other in set(weight_map.values()) - {file}:
    os.remove(os.path.join(folder, other))  # not needed for b
with safe_open(os.path.join(folder, file), framework="pt") as f:
    part = f.get_slice("b")[2:4]
print("file named by the index:", file)
print("files left in the folder:", sum(n.endswith(".safetensors") for n in os.listdir(folder)))
print("rows 2-3 of b:", part.tolist())
assert torch.equal(part, state["b"][2:4])
