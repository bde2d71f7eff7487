"""Names map to files and headers map to byte ranges: a reader of two rows opens one shard of two."""

# needs: torch huggingface_hub safetensors
import json
import os
import tempfile

import torch
from huggingface_hub import save_torch_state_dict
from safetensors import safe_open

state = {c: torch.arange(12.0).reshape(4, 3) + i for i, c in enumerate("abcd")}
folder = tempfile.mkdtemp()
save_torch_state_dict(state, folder, max_shard_size=100)
weight_map = json.load(open(os.path.join(folder, "model.safetensors.index.json")))["weight_map"]
file = weight_map["d"]
for other in set(weight_map.values()) - {file}:
    os.remove(os.path.join(folder, other))  # not needed for d
with safe_open(os.path.join(folder, file), framework="pt") as f:
    part = f.get_slice("d")[2:4]
with open(os.path.join(folder, file), "rb") as f:
    length = int.from_bytes(f.read(8), "little")
    entry = json.loads(f.read(length))["d"]
    f.seek(8 + length + 72)
    by_hand = torch.frombuffer(bytearray(f.read(24)), dtype=torch.float32).reshape(2, 3)
print("file named by the index:", file)
print("files left in the folder:", sum(n.endswith(".safetensors") for n in os.listdir(folder)))
print("header of d:", entry)
print("rows 2-3 of d:", part.tolist())
print("bytes 72-96 after the header:", by_hand.tolist())
assert torch.equal(part, state["d"][2:4])
assert torch.equal(by_hand, part)
assert entry["data_offsets"] == [48, 96]
