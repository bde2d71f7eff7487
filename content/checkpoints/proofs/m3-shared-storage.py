"""Tensors that share storage are put into one shard and their bytes are counted once."""

# needs: torch huggingface_hub
import torch
from huggingface_hub import split_torch_state_dict_into_shards

w = torch.zeros(10)  # 40 bytes
state = {"emb": w, "body": torch.zeros(20), "head": w}
plan = split_torch_state_dict_into_shards(state, max_shard_size=100)
for file, names in plan.filename_to_tensors.items():
    print(file, names)
print("total_size:", plan.metadata["total_size"])
separate = {"emb": w, "body": torch.zeros(20), "head": w.clone()}
other = split_torch_state_dict_into_shards(separate, max_shard_size=100).metadata["total_size"]
print("total_size with a separate copy:", other)
assert plan.metadata["total_size"] == 120
assert other == 160
assert any({"emb", "head"} <= set(n) for n in plan.filename_to_tensors.values())
