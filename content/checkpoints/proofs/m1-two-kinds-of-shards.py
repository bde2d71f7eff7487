"""A file shard of the Hub layout holds whole tensors; the file of an FSDP rank holds a slice of every tensor."""

# needs: torch huggingface_hub safetensors
import os
import tempfile
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from huggingface_hub import save_torch_state_dict
from safetensors.torch import load_file
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Replicate, Shard, distribute_tensor
from torch.testing._internal.distributed.fake_pg import FakeStore

NAMES = ["w0", "w1", "w2", "w3"]
path = Path(tempfile.mkdtemp())


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name in NAMES:
            self.register_parameter(name, torch.nn.Parameter(torch.ones(8, 32)))


def work(rank):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", init_method=f"file://{path}/store", rank=rank, world_size=4)
    fully_shard(net := Net(), mesh=init_device_mesh("cpu", (4,)))
    dcp.save(net.state_dict(), checkpoint_id=path / "D")
    dist.destroy_process_group()


mp.start_processes(work, nprocs=4, start_method="fork")
(path / "P").mkdir()
save_torch_state_dict(Net().state_dict(), path / "P", max_shard_size=1030)
for file in sorted(path.glob("P/*.safetensors")):
    shapes = {name: tuple(t.shape) for name, t in load_file(file).items()}
    print(f"P/{file.name}:", *shapes, *shapes.values())
    assert list(shapes.values()) == [(8, 32)]
rows = {}  # file of D: tensor: its rows in this file
for key, place in dcp.FileSystemReader(path / "D").read_metadata().storage_data.items():
    rows.setdefault(place.relative_path, {})[key.fqn] = [key.offset[0], key.offset[0] + 1]
for file, held in sorted(rows.items()):
    print(f"D/{file}: rows", *held["w0"], "of", *sorted(held))
    assert sorted(held) == NAMES
read = [file for file, held in rows.items() if set(held["w0"]) & {2, 3, 4, 5}]
print("rows 2 to 5 of w0: 1 file of P,", len(read), "files of D")
lost = load_file(path / "P/model-00003-of-00004.safetensors")
left = {}
for name in ("w2", "w3"):
    in_d = sum(len(held[name]) for file, held in rows.items() if file != "__2_0.distcp")
    left[name] = 8 * (name not in lost), in_d
print("third files lost, rows left in P, D:", *(f"{n} {counts}" for n, counts in left.items()))
assert len(rows) == 4
assert len(read) == 2
assert left == {"w2": (0, 6), "w3": (8, 6)}

dist.init_process_group("fake", rank=0, world_size=4, store=FakeStore())


def local(mesh, *placements):
    return tuple(distribute_tensor(torch.ones(8, 32), init_device_mesh("cpu", mesh), placements).to_local().shape)


one = [local((4,), p) for p in (Shard(0), Shard(1), Replicate())]
two = local((2, 2), Shard(0), Shard(1))
print("rank 0 of 4:", *(f"{p} {s}" for p, s in zip(("Shard(0)", "Shard(1)", "Replicate()"), one)))
print("rank 0 of 2 x 2, Shard(0) and Shard(1):", two)
dist.destroy_process_group()
assert [*one, two] == [(2, 32), (8, 8), (8, 32), (4, 16)]
