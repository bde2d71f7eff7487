"""A tensor saved by six ranks and loaded by two: each of them reads three of the six data files."""

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


class Reader(dcp.FileSystemReader):
    def read_data(self, plan, planner):
        self.files = sorted({self.storage_data[item.storage_index].relative_path for item in plan.items})
        return super().read_data(plan, planner)


def work(rank, world, path, lines):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", init_method=f"file://{path}.{world}", rank=rank, world_size=world)
    w = distribute_tensor(torch.ones(12, 2), init_device_mesh("cpu", (world,)), [Shard(0)])
    if world == 6:
        dcp.save({"w": w}, checkpoint_id=path)
    else:
        dcp.load({"w": w}, storage_reader=(reader := Reader(path)))
        lines[rank] = reader.files
    dist.destroy_process_group()


if __name__ == "__main__":
    path = tempfile.mkdtemp() + "/c"
    with mp.Manager() as manager:
        lines = manager.dict()
        for world in (6, 2):
            mp.start_processes(work, (world, path, lines), nprocs=world, start_method="fork")
        for rank in (0, 1):
            print("rank", rank, "reads", *lines[rank])
        assert [len(lines[r]) for r in (0, 1)] == [3, 3]
