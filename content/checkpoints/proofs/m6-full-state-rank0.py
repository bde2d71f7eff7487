"""A full `state_dict` is whole on every rank; with `cpu_offload=True` as well rank 0 has it and the others nothing."""

# needs: torch
import os
import tempfile
import warnings

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

warnings.filterwarnings("ignore")


def work(rank, store, lines):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    model = torch.nn.Linear(4, 8)
    fully_shard(model, mesh=init_device_mesh("cpu", (2,)))
    part = get_model_state_dict(model)["weight"]
    every = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True))["weight"]
    full = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
    shapes = f"{tuple(part.to_local().shape)} of {tuple(part.shape)}"
    lines[rank] = f"sharded: {shapes}, full: {every.numel()}, offloaded: {sorted(full)}"
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    with mp.Manager() as manager:
        lines = manager.dict()
        mp.start_processes(work, (tempfile.mktemp(), lines), nprocs=2, start_method="fork")
        for rank in (0, 1):
            print("rank", rank, lines[rank])
        assert lines[0].endswith("(4, 4) of (8, 4), full: 32, offloaded: ['bias', 'weight']")
        assert lines[1].endswith("(4, 4) of (8, 4), full: 32, offloaded: []")
