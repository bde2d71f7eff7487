"""A loader that follows the index stops at a missing shard; one that globs the folder goes on silently."""

# needs: torch huggingface_hub safetensors
import glob
import os
import tempfile

import torch
from huggingface_hub import load_torch_model, save_torch_state_dict
from safetensors.torch import load_file

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
for p in model.parameters():
    torch.nn.init.ones_(p)
folder = tempfile.mkdtemp()
save_torch_state_dict(model.state_dict(), folder, max_shard_size=80)
os.remove(os.path.join(folder, "model-00001-of-00002.safetensors"))
for p in model.parameters():
    torch.nn.init.zeros_(p)
error = None
try:
    load_torch_model(model, folder)
except FileNotFoundError as e:
    error = e
print("by the index:", type(error).__name__)
found = {}
for path in glob.glob(os.path.join(folder, "*.safetensors")):
    found.update(load_file(path))
model.load_state_dict(found, strict=False)
lost = sorted(set(model.state_dict()) - set(found))
print("by glob: no exception, never read:", lost)
values = [layer.weight.max().item() for layer in model]
print("model[0] and model[1] hold", *values)
assert isinstance(error, FileNotFoundError)
assert lost == ["0.bias", "0.weight"]
assert values == [0.0, 1.0]
