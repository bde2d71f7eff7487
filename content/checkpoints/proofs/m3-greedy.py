"""Packing follows the order of state_dict: sizes 6, 8, 3, 1 with limit 10 need three shards, not two."""

# needs: torch huggingface_hub
import torch
from huggingface_hub import split_torch_state_dict_into_shards


def pack(sizes):
    state = {k: torch.zeros(n, dtype=torch.uint8) for k, n in sizes.items()}
    plan = split_torch_state_dict_into_shards(state, max_shard_size=10)
    return list(plan.filename_to_tensors.values())


sizes = {"A": 6, "B": 8, "C": 3, "D": 1}
packed = pack(sizes)
for names in packed:
    print(names, [sizes[n] for n in names], "sum", sum(sizes[n] for n in names))
print("best possible: A, C, D (10 bytes) and B (8 bytes)")
print("sizes 6, 5, 4, 7:", pack({"A": 6, "B": 5, "C": 4, "D": 7}))
assert packed == [["A"], ["B"], ["C", "D"]]
