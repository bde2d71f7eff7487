"""total_size counts bytes of tensors: 500000 fp32 and 500 bf16 elements give 2001000."""

# needs: torch huggingface_hub
import torch
from huggingface_hub import split_torch_state_dict_into_shards

state = {"w": torch.zeros(1000, 500), "b": torch.zeros(500, dtype=torch.bfloat16)}
plan = split_torch_state_dict_into_shards(state, max_shard_size="1MB")
for name, t in state.items():
    print(name, t.dtype, t.numel(), "elements x", t.element_size(), "bytes")
print("total_size:", plan.metadata["total_size"])
assert plan.metadata["total_size"] == 500_000 * 4 + 500 * 2 == 2_001_000
