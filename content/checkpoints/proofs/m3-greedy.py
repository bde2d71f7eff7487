"""Packing follows the order of state_dict: sizes 6, 5, 4, 5 with limit 10 need three shards, not two."""

# needs: torch huggingface_hub
import torch
from huggingface_hub import split_torch_state_dict_into_shards

sizes = {"a": 6, "b": 5, "c": 4, "d": 5}
state = {k: torch.zeros(n, dtype=torch.uint8) for k, n in sizes.items()}
plan = split_torch_state_dict_into_shards(state, max_shard_size=10)
packed = []
for names in plan.filename_to_tensors.values():
    packed.append([sizes[n] for n in names])
    print(names, packed[-1], "sum", sum(packed[-1]))
print("best possible: [6, 4] and [5, 5]")
assert packed == [[6], [5, 4], [5]]
