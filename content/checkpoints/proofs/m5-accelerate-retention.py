"""Accelerate deletes the old checkpoint before it saves, so a failed save with `total_limit=1` leaves nothing."""

# needs: torch accelerate
import contextlib
import io
import os
import tempfile

import accelerate.accelerator
import torch
from accelerate import Accelerator
from accelerate.utils import ProjectConfiguration

config = ProjectConfiguration(tempfile.mkdtemp(), automatic_checkpoint_naming=True, total_limit=1)
acc = Accelerator(cpu=True, project_config=config)
model = torch.nn.Linear(2, 2)
acc.prepare(model, torch.optim.AdamW(model.parameters()))
folder = config.project_dir + "/checkpoints"


def listing():
    return {name: len(os.listdir(f"{folder}/{name}")) for name in sorted(os.listdir(folder))}


def full_disk(*args, **kwargs):
    raise OSError("No space left on device")


acc.save_state()
print("files per folder after save 1:", listing())
assert listing() == {"checkpoint_0": 3}
accelerate.accelerator.save_accelerator_state = full_disk
with contextlib.redirect_stdout(io.StringIO()):
    try:
        acc.save_state()
    except OSError as error:
        message = str(error)
print("save 2:", message)
print("files per folder afterwards:  ", listing())
assert listing() == {"checkpoint_1": 0}
