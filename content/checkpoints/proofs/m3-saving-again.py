"""Saving again with fewer shards removes old shards and the old index; files of other names stay."""

# needs: torch huggingface_hub safetensors
import os
import tempfile

import torch
from huggingface_hub import save_torch_state_dict

state = {c: torch.zeros(6) for c in "abc"}
folder = tempfile.mkdtemp()
save_torch_state_dict(state, folder, max_shard_size=30)
save_torch_state_dict({"lora": torch.ones(1)}, folder, filename_pattern="adapter{suffix}.safetensors")
print("first save:")
for n in sorted(os.listdir(folder)):
    print("  " + n)
save_torch_state_dict(state, folder, max_shard_size="5GB")
after = sorted(os.listdir(folder))
print("second save, one shard:")
for n in after:
    print("  " + n)
assert after == ["adapter.safetensors", "model.safetensors"]
