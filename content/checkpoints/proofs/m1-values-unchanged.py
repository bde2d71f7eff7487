"""Splitting does not change values: tensors come back bit for bit, and a finer split alters none of them."""

# needs: torch huggingface_hub safetensors
import glob
import os
import tempfile

import torch
from huggingface_hub import save_torch_state_dict
from safetensors.torch import load_file

torch.manual_seed(0)
state = {f"layer{i}.weight": torch.randn(10, 10) for i in range(6)}


def save(limit):
    folder = tempfile.mkdtemp()
    save_torch_state_dict(state, folder, max_shard_size=limit)
    back = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.safetensors"))):
        part = load_file(path)
        print(os.path.basename(path), sorted(part))
        back.update(part)
    return back


back = save(900)
same = all(torch.equal(state[k], back[k]) for k in state)
print("same names:", state.keys() == back.keys(), " bit-identical:", same)
assert same
assert state.keys() == back.keys()
print("two tensors are trained further, then saved with a smaller limit:")
state |= {k: state[k] + 0.1 for k in ("layer4.weight", "layer5.weight")}
later = save(450)
changed = [k for k in back if not torch.equal(back[k], later[k])]
print("different from the first save:", *changed)
assert changed == ["layer4.weight", "layer5.weight"]
