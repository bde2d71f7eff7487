"""Accelerate deletes before it saves, so a failed save leaves one complete checkpoint less than `total_limit`."""

# needs: torch accelerate
import contextlib
import io
import os
import tempfile

import accelerate.accelerator
import torch
from accelerate import Accelerator
from accelerate.utils import ProjectConfiguration

real = accelerate.accelerator.save_accelerator_state


def full_disk(*args, **kwargs):
    raise OSError("No space left on device")


def files(limit):
    config = ProjectConfiguration(tempfile.mkdtemp(), automatic_checkpoint_naming=True, total_limit=limit)
    acc = Accelerator(cpu=True, project_config=config)
    model = torch.nn.Linear(2, 2)
    acc.prepare(model, torch.optim.AdamW(model.parameters()))
    folder = config.project_dir + "/checkpoints"
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(OSError):
        accelerate.accelerator.save_accelerator_state = real
        for _ in range(5):
            acc.save_state()
        accelerate.accelerator.save_accelerator_state = full_disk
        acc.save_state()
    return {name: len(os.listdir(f"{folder}/{name}")) for name in sorted(os.listdir(folder))}


print("folders after five saves and a failed one")
for limit in (1, 2, 3, 4):
    left = files(limit)
    complete = [name for name, count in left.items() if count == 3]
    print(f"total_limit={limit}: complete {len(complete)}, empty {len(left) - len(complete)}")
    assert sorted(left.values()) == [0] + [3] * (limit - 1)
