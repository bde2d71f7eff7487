"""huggingface_hub 2.4.0 rejects index entries that leave the folder; other names and subfolders are accepted."""

# needs: torch huggingface_hub safetensors
import json
import os
import tempfile

import torch
from huggingface_hub import load_torch_model, save_torch_state_dict

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
refused = []
absolute = os.path.join(tempfile.mkdtemp(), "x.safetensors")
names = ("model-00007-of-00002.safetensors", "../x.safetensors", "sub/x.safetensors", "x.safetensors")
for entry in (*names, absolute):
    folder = os.path.join(tempfile.mkdtemp(), "m")
    os.makedirs(os.path.join(folder, "sub"))
    save_torch_state_dict(model.state_dict(), folder, max_shard_size=80)
    path = os.path.join(folder, "model.safetensors.index.json")
    index = json.load(open(path))
    os.link(os.path.join(folder, index["weight_map"]["1.bias"]), os.path.join(folder, entry))
    index["weight_map"]["1.bias"] = entry
    json.dump(index, open(path, "w"))
    print("an absolute path" if entry == absolute else entry, "exists:", os.path.exists(os.path.join(folder, entry)))
    try:
        load_torch_model(model, folder)
        print("  loading: done")
    except ValueError as e:
        refused.append(entry)
        print("  loading:", type(e).__name__)
assert refused == ["../x.safetensors", absolute]
