"""In transformers 5.24.0 save_pretrained has the default limit 50GB; huggingface_hub 2.4.0 has 5GB."""

# needs: torch transformers huggingface_hub
import inspect

import huggingface_hub
import transformers
from huggingface_hub.serialization import _base

here = inspect.signature(transformers.PreTrainedModel.save_pretrained).parameters["max_shard_size"].default
hub = _base.MAX_SHARD_SIZE
print("transformers", transformers.__version__, "save_pretrained:", here)
print("huggingface_hub", huggingface_hub.__version__, "save_torch_state_dict:", hub)
print("14 GB with 5GB: 3 shards or more; with 50GB: one file")
assert here == "50GB"
assert hub == "5GB"
