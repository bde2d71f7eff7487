"""Four ranks write a file each; pieces load on three ranks; a plain key keeps one value; smaller saves leave files."""

# needs: torch
import os
import tempfile
import warnings

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor

warnings.filterwarnings("ignore")


def work(rank, world, task, path, lines):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", init_method=f"file://{path}.{task}{world}", rank=rank, world_size=world)
    w = torch.arange(32.0).reshape(8, 4) * (world if task == "save" else 0)
    w = distribute_tensor(w, init_device_mesh("cpu", (world,)), [Shard(0)])
    state = {"w": w, "step": 100 + rank, f"rng{rank}": rank}
    getattr(dcp, task)(state, checkpoint_id=path)
    lines[rank] = w.to_local().shape[0], state["step"], w.full_tensor().sum().item(), state[f"rng{rank}"]
    dist.destroy_process_group()


def run(world, task, path):
    with mp.Manager() as m:
        mp.start_processes(work, (world, task, path, lines := m.dict()), nprocs=world, start_method="fork")
        return [lines[r] for r in range(world)]


path = tempfile.mkdtemp() + "/c"
run(4, "save", path)
print("4 ranks:", *sorted(os.listdir(path)))
rows, steps, sums, own = zip(*run(3, "load", path))
print(f"3 ranks: rows {rows}, sum right {set(sums) == {4 * 496.0}}")
print(f"different values under `step`: {len(set(steps))} (saved 4), own keys {own}")
assert rows == (3, 3, 2)
assert set(sums) == {4 * 496.0}
assert len(set(steps)) == 1
assert own == (0, 1, 2)
run(2, "save", path)
print("2 ranks:", *sorted(os.listdir(path)))
print("loaded by 2 ranks, sum of the newer save:", sums := {row[2] for row in run(2, "load", path)})
assert len(os.listdir(path)) == 5
assert sums == {2 * 496.0}
