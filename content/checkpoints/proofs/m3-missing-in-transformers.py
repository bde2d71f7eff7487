"""from_pretrained stops without a shard or the index, but only reports a tensor absent from the files."""

# needs: torch transformers safetensors
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import GPT2Config, GPT2LMHeadModel

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
torch.manual_seed(0)
cfg = GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=2, n_head=2)
model = GPT2LMHeadModel(cfg)
errors = {}
for lost in ("model-00002-of-00004.safetensors", "model.safetensors.index.json"):
    d = tempfile.mkdtemp()
    model.save_pretrained(d, max_shard_size="10KB")
    os.remove(os.path.join(d, lost))
    try:
        GPT2LMHeadModel.from_pretrained(d)
    except OSError as e:
        errors[lost] = str(e)
        print("without", lost)
        print("  " + type(e).__name__, "about model.safetensors" * ("named model.safetensors" in str(e)))
d = tempfile.mkdtemp()
model.save_pretrained(d)
path, name = os.path.join(d, "model.safetensors"), "transformer.h.0.mlp.c_fc.weight"
state = load_file(path)
del state[name]
save_file(state, path, metadata={"format": "pt"})
again, info = GPT2LMHeadModel.from_pretrained(d, output_loading_info=True)
print("tensor absent from the file: loads, missing_keys:")
print(" ", sorted(info["missing_keys"]))
same = torch.equal(again.state_dict()[name], model.state_dict()[name])
print("  value restored:", same)
assert len(errors) == 2
assert set(info["missing_keys"]) == {name}
assert not same
