"""`async_save` writes the values of the moment of the call; the folder is complete only when the future is done."""

# needs: torch
import os
import tempfile
import threading
import warnings

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp

warnings.filterwarnings("ignore")
os.environ["GLOO_SOCKET_IFNAME"] = "lo"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
gate = threading.Event()


class Slow(dcp.FileSystemWriter):
    def write_data(self, plan, planner):
        gate.wait()
        return super().write_data(plan, planner)


path = tempfile.mkdtemp()
w = torch.full((3,), 498.0)
future = dcp.async_save({"w": w}, storage_writer=Slow(path))
print("call returned, files:", os.listdir(path), "done:", future.done())
assert os.listdir(path) == []
assert not future.done()
w += 1
w += 1
gate.set()
future.result()
w += 1
print("after result(), files:", sorted(os.listdir(path)))
loaded = {"w": torch.zeros(3)}
dcp.load(loaded, checkpoint_id=path)
print("tensor now:", w.tolist(), "saved:", loaded["w"].tolist())
assert loaded["w"].tolist() == [498.0, 498.0, 498.0]
dist.destroy_process_group()
