""" "2GB" means 2 * 10**9 bytes, so two tensors of 1 GiB need two shards; "2GiB" raises ValueError."""

# needs: torch huggingface_hub
import torch
from huggingface_hub import split_torch_state_dict_into_shards

gib = 2**30
state = {k: torch.empty(gib, dtype=torch.uint8) for k in "ab"}  # memory is never touched
plan = split_torch_state_dict_into_shards(state, max_shard_size="2GB")
print("two tensors:", 2 * gib, "bytes; limit 2GB:", 2 * 10**9, "bytes")
print("shards:", len(plan.filename_to_tensors))
error = None
try:
    split_torch_state_dict_into_shards(state, max_shard_size="2GiB")
except ValueError as e:
    error = e
print("2GiB:", type(error).__name__)
assert len(plan.filename_to_tensors) == 2
assert isinstance(error, ValueError)
