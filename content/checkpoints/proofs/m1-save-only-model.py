"""With save_only_model=True the Trainer leaves out the optimizer, scheduler and RNG files."""

# needs: torch transformers accelerate
import contextlib
import io
import json
import os
import tempfile
import warnings

warnings.filterwarnings("ignore")
os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

transformers.utils.logging.set_verbosity_error()
transformers.utils.logging.disable_progress_bar()
data = [{"input_ids": torch.arange(8) + i, "labels": torch.arange(8) + i} for i in range(8)]
names = {}
for flag in (False, True):
    out = tempfile.mkdtemp()
    cfg = GPT2Config(vocab_size=32, n_positions=16, n_embd=8, n_layer=1, n_head=1)
    args = TrainingArguments(
        output_dir=out, max_steps=2, save_steps=2, report_to=[], use_cpu=True, disable_tqdm=True, save_only_model=flag
    )
    with contextlib.redirect_stdout(io.StringIO()):
        Trainer(model=GPT2LMHeadModel(cfg), args=args, train_dataset=data).train()
    names[flag] = set(os.listdir(os.path.join(out, "checkpoint-2")))
print("with save_only_model=True:")
for n in sorted(names[True]):
    print("  " + n)
with open(os.path.join(out, "checkpoint-2", "trainer_state.json")) as f:
    print("global_step in trainer_state.json:", step := json.load(f)["global_step"])
print("left out:")
for n in sorted(names[False] - names[True]):
    print("  " + n)
assert step == 2
assert names[False] - names[True] == {"optimizer.pt", "scheduler.pt", "rng_state.pth"}
