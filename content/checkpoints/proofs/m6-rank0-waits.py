"""`dcp.save` waits for all ranks: if one does not call it, the others wait until the time limit and no file appears."""

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


def work(rank, callers, path, ends):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    limit = datetime.timedelta(seconds=4)
    dist.init_process_group("gloo", init_method=f"file://{path}.s", rank=rank, world_size=3, timeout=limit)
    if rank in callers:
        try:
            dcp.save({"w": torch.ones(3)}, checkpoint_id=path)
            ends[rank] = "saved"
        except Exception as error:
            ends[rank] = "timeout" if "timed out" in str(error).lower() else str(error)
    else:
        time.sleep(8)


if __name__ == "__main__":
    for callers in ([0], [0, 1], [0, 1, 2]):
        path = tempfile.mkdtemp() + "/c"
        with mp.Manager() as manager:
            mp.start_processes(work, (callers, path, ends := manager.dict()), nprocs=3, start_method="fork")
            found = dict(sorted(ends.items()))
        files = sorted(os.listdir(path)) if os.path.isdir(path) else []
        print("of 3 ranks", callers, "call:", found, "files:", len(files))
        whole = len(callers) == 3
        assert set(found.values()) == {"saved" if whole else "timeout"}
        assert len(files) == (4 if whole else 0)
