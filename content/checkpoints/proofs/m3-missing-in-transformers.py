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
model = GPT2Model(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2))
for part in (model.h[0].attn, model.h[0].mlp):
    torch.nn.init.constant_(part.c_proj.bias, 5.0)
model.save_pretrained(d)
path = os.path.join(d, "model.safetensors")
whole = {k: t.clone() for k, t in load_file(path).items()}
for end in ("mlp.c_proj.bias", "c_proj.bias"):
    save_file({k: t for k, t in whole.items() if not k.endswith(end)}, path, metadata={"format": "pt"})
    again, info = GPT2Model.from_pretrained(d, output_loading_info=True)
    missing = sorted(info["missing_keys"])
    values = [part.c_proj.bias[0].item() for part in (again.h[0].attn, again.h[0].mlp)]
    print(f"without *{end}: loads, missing_keys {len(missing)}, bias in attn, mlp:", *values)
    assert missing == [k for k in ("h.0.attn.c_proj.bias", "h.0.mlp.c_proj.bias") if k.endswith(end)]
    assert values == [0.0 if f"h.0.{part}.c_proj.bias" in missing else 5.0 for part in ("attn", "mlp")]
assert len(errors) == 3
assert isinstance(errors["model-00002-of-00004.safetensors"], FileNotFoundError)
assert [k for k, e in errors.items() if message in str(e)] == ["model.safetensors.index.json"]
assert values == [0.0, 0.0]
