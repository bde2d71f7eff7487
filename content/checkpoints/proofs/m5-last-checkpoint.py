"""`get_last_checkpoint` compares step numbers, not text, and accepts an empty folder with the highest number."""

# needs: torch transformers
import os
import tempfile

from transformers.trainer_utils import get_last_checkpoint

out = tempfile.mkdtemp()
for step in (900, 1000):
    os.makedirs(f"{out}/checkpoint-{step}")
    open(f"{out}/checkpoint-{step}/model.safetensors", "w").close()
as_text = sorted(os.listdir(out))[-1]
chosen = os.path.basename(get_last_checkpoint(out))
print("last as text:    ", as_text)
print("last for Trainer:", chosen)
assert (as_text, chosen) == ("checkpoint-900", "checkpoint-1000")
os.makedirs(f"{out}/checkpoint-1100")
os.makedirs(f"{out}/checkpoint-1200.bak")
chosen = os.path.basename(get_last_checkpoint(out))
print("with an empty checkpoint-1100 and a checkpoint-1200.bak:", chosen)
assert chosen == "checkpoint-1100"
assert not os.listdir(f"{out}/{chosen}")
