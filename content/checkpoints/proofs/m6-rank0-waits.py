"""`dcp.save` on rank 0 alone waits in a collective operation until the time limit, and no checkpoint appears."""

# needs: torch
import datetime
import logging
import os
import tempfile
import time
import warnings

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


def work(rank, path, lines):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    limit = datetime.timedelta(seconds=4)
    dist.init_process_group("gloo", init_method=f"file://{path}.s", rank=rank, world_size=2, timeout=limit)
    if rank == 0:
        try:
            dcp.save({"w": torch.ones(3)}, checkpoint_id=path)
            lines["end"] = "saved"
        except Exception as error:
            lines["end"] = "timeout" if "timed out" in str(error).lower() else str(error)
        lines["files"] = list(os.listdir(path)) if os.path.isdir(path) else []
    else:
        time.sleep(8)


if __name__ == "__main__":
    path = tempfile.mkdtemp() + "/c"
    with mp.Manager() as manager:
        lines = manager.dict()
        mp.start_processes(work, (path, lines), nprocs=2, start_method="fork")
        print("rank 0 alone calls dcp.save:", lines["end"])
        print("files:", lines["files"])
        assert lines["end"] == "timeout"
        assert lines["files"] == []
