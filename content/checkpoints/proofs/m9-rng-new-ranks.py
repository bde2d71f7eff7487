"""Trainer looks for one RNG file per rank: a rank without a file goes on with the stream it already has."""

# needs: torch transformers accelerate
import os
import random
import tempfile
from types import SimpleNamespace

import numpy as np
import torch
from transformers import Trainer
from transformers.training_args import ParallelMode


def load(rank, folder):
    args = SimpleNamespace(world_size=8, process_index=rank, parallel_mode=ParallelMode.DISTRIBUTED)
    Trainer._load_rng_state(SimpleNamespace(args=args), folder)


with tempfile.TemporaryDirectory() as tmp:
    torch.manual_seed(123)
    for rank in range(4):  # saved by a run of four ranks
        torch.rand(rank + 1)
        state = {"python": random.getstate(), "numpy": np.random.get_state(), "cpu": torch.get_rng_state()}
        torch.save(state, os.path.join(tmp, f"rng_state_{rank}.pth"))
    for rank in (3, 4):  # resumed on eight
        torch.manual_seed(0)
        before = torch.get_rng_state()
        load(rank, tmp)  # no exception for either
        changed = not torch.equal(before, torch.get_rng_state())
        print(f"rank {rank}: file present {rank < 4}, stream replaced {changed}")
        assert changed is (rank < 4)
    os.remove(os.path.join(tmp, "rng_state_2.pth"))  # lost in copying; resumed on six
    restored = []
    for rank in range(6):
        torch.manual_seed(0)
        before = torch.get_rng_state()
        load(rank, tmp)
        if not torch.equal(before, torch.get_rng_state()):
            restored.append(rank)
    print("without rng_state_2.pth, six ranks: restored on", restored)
    assert restored == [0, 1, 3]
