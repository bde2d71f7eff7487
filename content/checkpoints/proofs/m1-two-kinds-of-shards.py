"""A file shard of the Hub layout holds whole tensors; a rank of a sharded run holds a slice of each tensor."""

# needs: torch huggingface_hub safetensors
import glob
import os
import tempfile
import warnings

warnings.filterwarnings("ignore")
import torch
import torch.distributed as dist
from huggingface_hub import save_torch_state_dict
from safetensors.torch import load_file
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor
from torch.testing._internal.distributed.fake_pg import FakeStore

w = torch.arange(32.0).reshape(8, 4)
folder = tempfile.mkdtemp()
save_torch_state_dict({"u": w + 1, "v": w + 2, "w": w, "x": w + 3}, folder, max_shard_size=130)
holders = []
for path in sorted(glob.glob(os.path.join(folder, "*.safetensors"))):
    for name, t in load_file(path).items():
        print(os.path.basename(path), name, tuple(t.shape))
        holders += [tuple(t.shape)] if name == "w" else []
dist.init_process_group("fake", rank=0, world_size=4, store=FakeStore())
mesh = init_device_mesh("cpu", (4,))
local = tuple(distribute_tensor(w, mesh, [Shard(0)]).to_local().shape)
print("rank 0 of 4 holds w as", local)
dist.destroy_process_group()
assert holders == [(8, 4)]
assert local == (2, 4)
