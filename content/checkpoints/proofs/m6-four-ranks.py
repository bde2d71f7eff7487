"""Four ranks write a file each; pieces load on three; a shared plain key keeps one value; smaller saves leave files."""

# needs: torch
import logging
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
logging.disable(logging.CRITICAL)


def work(rank, world, task, path, plain, lines):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", init_method=f"file://{path}.{task}{world}", rank=rank, world_size=world)
    w = torch.arange(32.0).reshape(8, 4) * (world if task == "save" else 0)
    w = distribute_tensor(w, init_device_mesh("cpu", (world,)), [Shard(0)])
    values = {"step": 100 + rank, f"local{rank % 2}": rank, f"rng{rank}": rank} if plain else {}
    try:
        getattr(dcp, task)(state := {"w": w, **values}, checkpoint_id=path)
        lines[rank] = w.to_local().shape[0], w.full_tensor().sum().item(), *[state[name] for name in values]
    except dcp.api.CheckpointException as error:
        lines[rank] = sorted(error.failures)
    dist.destroy_process_group()


def run(world, task, path, plain=True):
    with mp.Manager() as m:
        mp.start_processes(work, (world, task, path, plain, lines := m.dict()), nprocs=world, start_method="fork")
        return [lines[r] for r in range(world)]


path = tempfile.mkdtemp() + "/c"
run(4, "save", path)
print("4 ranks:", *sorted(os.listdir(path)))
rows, sums, *_ = zip(*run(3, "load", path))
print(f"3 ranks: rows {rows}, sum right {set(sums) == {4 * 496.0}}")
assert rows == (3, 3, 2)
assert set(sums) == {4 * 496.0}
kept = [len(set(values)) for values in list(zip(*run(4, "load", path)))[2:]]
print("4 ranks, values left of one key, of two keys, of a key per rank:", kept)
assert kept == [1, 2, 4]
run(3, "save", path)
run(2, "save", path)
print("3, then 2:", *sorted(os.listdir(path)))
named = {place.relative_path for place in dcp.FileSystemReader(path).read_metadata().storage_data.values()}
print("named in .metadata:", *sorted(named))
print("loaded by 2 ranks, sum of the newer save:", sums := {row[1] for row in run(2, "load", path)})
assert len(os.listdir(path)) == 5
assert len(named) == 2
assert sums == {2 * 496.0}
run(4, "save", path := path + "2", plain=False)
for rank in (0, 1):
    os.remove(f"{path}/__{rank}_0.distcp")
print("files of ranks 0 and 1 missing, `w` loaded by 2 ranks, failed:", failed := run(2, "load", path, plain=False)[0])
assert failed == [0]
