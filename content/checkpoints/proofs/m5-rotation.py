"""Rotation to 3 folders protects the best and the newest one, and deletes the oldest of the others."""

# needs: torch transformers
import logging
import os
import tempfile

from transformers.trainer_utils import rotate_checkpoints

logging.disable(logging.CRITICAL)
out = tempfile.mkdtemp()
for step in (100, 800, 900, 1000):
    os.makedirs(f"{out}/checkpoint-{step}")
before = set(os.listdir(out))
rotate_checkpoints(out, save_total_limit=3, best_model_checkpoint=f"{out}/checkpoint-100", use_mtime=True)
gone = before - set(os.listdir(out))
print("before: ", *sorted(before, key=lambda n: int(n.split("-")[1])))
print("deleted:", *gone)
assert gone == {"checkpoint-800"}
