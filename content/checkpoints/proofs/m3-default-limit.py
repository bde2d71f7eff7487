"""In transformers 5.24.0 save_pretrained has the default limit 50GB; huggingface_hub 2.4.0 has 5GB."""

# needs: torch transformers huggingface_hub
import inspect

import huggingface_hub
import torch
import transformers
from huggingface_hub import split_torch_state_dict_into_shards
from huggingface_hub.serialization import _base

here = inspect.signature(transformers.PreTrainedModel.save_pretrained).parameters["max_shard_size"].default
hub = _base.MAX_SHARD_SIZE
print("transformers", transformers.__version__, "save_pretrained:", here)
print("huggingface_hub", huggingface_hub.__version__, "save_torch_state_dict:", hub)
state = {f"w{i}": torch.zeros(100, dtype=torch.uint8) for i in range(140)}  # one byte stands for 1 MB
files = {}
for limit in ("5GB", "50GB"):
    plan = split_torch_state_dict_into_shards(state, max_shard_size=1000 * int(limit[:-2]))
    files[limit] = len(plan.filename_to_tensors)
    print("14 GB with", limit + ":", files[limit], "file" + "s" * (files[limit] > 1))
assert here == "50GB"
assert hub == "5GB"
assert files == {"5GB": 3, "50GB": 1}
