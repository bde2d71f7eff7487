"""from_pretrained stops without a shard or the index, but only reports a tensor absent from the files."""

# needs: torch transformers safetensors
import glob
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import AutoModel, GPT2Config, GPT2Model

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
torch.manual_seed(0)
model = GPT2Model(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=2, n_head=2))
for layer in ("c_fc", "c_proj"):
    torch.nn.init.constant_(getattr(model.h[0].mlp, layer).bias, 5.0)
message, errors = "no file named model.safetensors", {}
for lost in ("model-00002-of-00004.safetensors", "model.safetensors.index.json", "config.json"):
    d = tempfile.mkdtemp()
    model.save_pretrained(d, max_shard_size="10KB")
    os.remove(os.path.join(d, lost))
    read = [load_file(p) for p in glob.glob(os.path.join(d, "*.safetensors"))]
    print("without", lost)
    print("  read by glob:", len(read), "shards")
    try:
        AutoModel.from_pretrained(d)
    except (OSError, ValueError) as e:
        errors[lost] = e
        print("  from_pretrained:", type(e).__name__ + f": {message}" * (message in str(e)))
d = tempfile.mkdtemp()
model.save_pretrained(d)
path, name = os.path.join(d, "model.safetensors"), "h.0.mlp.c_proj.bias"
state = load_file(path)
del state[name]
save_file(state, path, metadata={"format": "pt"})
again, info = GPT2Model.from_pretrained(d, output_loading_info=True)
print("tensor absent from the file: loads, missing_keys:")
print(" ", sorted(info["missing_keys"]))
values = [again.h[0].mlp.c_fc.bias[0].item(), again.h[0].mlp.c_proj.bias[0].item()]
print("  c_fc.bias and c_proj.bias:", *values)
assert len(errors) == 3
assert isinstance(errors["model-00002-of-00004.safetensors"], FileNotFoundError)
assert [k for k, e in errors.items() if message in str(e)] == ["model.safetensors.index.json"]
assert set(info["missing_keys"]) == {name}
assert values == [5.0, 0.0]
