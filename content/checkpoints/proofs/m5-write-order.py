"""`Trainer` writes `trainer_state.json` last: a save cut off before it leaves a folder with all the other files."""

# needs: torch transformers accelerate
import contextlib
import io
import os
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerState, TrainingArguments

warnings.filterwarnings("ignore")
transformers.utils.logging.set_verbosity(60)
rows = [{"input_ids": torch.arange(8), "labels": torch.arange(8)} for _ in range(8)]
model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2))
args = TrainingArguments(tempfile.mkdtemp(), max_steps=2, save_steps=2, report_to=[], use_cpu=True, disable_tqdm=True)


def killed(*_):
    raise SystemExit("killed")


TrainerState.save_to_json = killed
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    Trainer(model=model, args=args, train_dataset=rows).train()
found = sorted(os.listdir(args.output_dir + "/checkpoint-2"))
print("killed at the last file, checkpoint-2 holds:", *found, sep="\n  ")
assert {"model.safetensors", "optimizer.pt", "scheduler.pt", "rng_state.pth"} < set(found)
assert "trainer_state.json" not in found
