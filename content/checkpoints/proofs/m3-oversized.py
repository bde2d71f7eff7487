"""A tensor above the limit is not cut: it gets a shard of its own that exceeds max_shard_size."""

# needs: torch huggingface_hub
import torch
from huggingface_hub import split_torch_state_dict_into_shards

state = {
    "norm": torch.zeros(1, dtype=torch.uint8),
    "emb": torch.zeros(7, dtype=torch.uint8),
    "head": torch.zeros(1, dtype=torch.uint8),
}
plan = split_torch_state_dict_into_shards(state, max_shard_size=5)
print("limit: 5 bytes")
shards = []
for file, names in plan.filename_to_tensors.items():
    shards.append((names, sum(state[n].numel() for n in names)))
    print(file, *shards[-1], "bytes")
assert (["emb"], 7) in shards
