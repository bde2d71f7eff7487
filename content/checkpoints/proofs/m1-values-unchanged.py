"""Splitting into shards does not change values: all tensors come back bit for bit from three shards."""

# needs: torch huggingface_hub safetensors
import glob
import os
import tempfile

import torch
from huggingface_hub import save_torch_state_dict
from safetensors.torch import load_file

torch.manual_seed(0)
state = {f"layer{i}.weight": torch.randn(10, 10) for i in range(6)}
folder = tempfile.mkdtemp()
save_torch_state_dict(state, folder, max_shard_size=900)
back = {}
for path in sorted(glob.glob(os.path.join(folder, "*.safetensors"))):
    part = load_file(path)
    print(os.path.basename(path), sorted(part))
    back.update(part)
same = all(torch.equal(state[k], back[k]) for k in state)
print("same names:", state.keys() == back.keys(), " bit-identical:", same)
assert same
assert state.keys() == back.keys()
