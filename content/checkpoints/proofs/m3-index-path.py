"""huggingface_hub 2.4.0 rejects an index entry that points outside the folder."""

# needs: torch huggingface_hub safetensors
import json
import os
import tempfile

import torch
from huggingface_hub import load_torch_model, save_torch_state_dict

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
folder = os.path.join(tempfile.mkdtemp(), "m")
os.mkdir(folder)
save_torch_state_dict(model.state_dict(), folder, max_shard_size=80)
path = os.path.join(folder, "model.safetensors.index.json")
index = json.load(open(path))
os.link(os.path.join(folder, index["weight_map"]["1.bias"]), os.path.join(folder, "..", "x.safetensors"))
index["weight_map"]["1.bias"] = "../x.safetensors"
json.dump(index, open(path, "w"))
error = None
try:
    load_torch_model(model, folder)
except ValueError as e:
    error = e
print("the other file exists:", os.path.exists(os.path.join(folder, "..", "x.safetensors")))
print("loading:", type(error).__name__)
assert isinstance(error, ValueError)
