"""A tensor above the limit is not cut: it gets a shard of its own that exceeds max_shard_size."""

# needs: torch huggingface_hub
import torch
from huggingface_hub import split_torch_state_dict_into_shards

sizes = {"norm": 1, "emb": 70, "bias": 1, "head": 48, "user": 45, "item": 20}  # one byte stands for 0.1 GB
state = {k: torch.zeros(n, dtype=torch.uint8) for k, n in sizes.items()}
plan = split_torch_state_dict_into_shards(state, max_shard_size=40)
print("limit: 40 bytes")
shards = []
for file, names in plan.filename_to_tensors.items():
    shards.append((names, sum(sizes[n] for n in names)))
    print(file, *shards[-1], "bytes")
refused = [names for names, total in shards if total > 50]
print("above 50 bytes:", refused)
assert refused == [["emb"]]
assert (["head"], 48) in shards
assert (["user"], 45) in shards
