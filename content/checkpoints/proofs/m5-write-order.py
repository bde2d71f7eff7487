"""`Trainer` writes `trainer_state.json` last: a cut-off save lacks it, one with `save_only_model=True` has it."""

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
quiet = {"report_to": [], "use_cpu": True, "disable_tqdm": True}


def save(**more):
    args = TrainingArguments(tempfile.mkdtemp(), max_steps=2, save_steps=2, **quiet, **more)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        Trainer(model=model, args=args, train_dataset=rows).train()
    return sorted(name for name in os.listdir(args.output_dir + "/checkpoint-2") if "config" not in name)


def killed(*_):
    raise SystemExit("killed")


light = save(save_only_model=True)
print("save_only_model=True:", *light, sep="\n  ")
TrainerState.save_to_json = killed
found = save()
print("killed at the last file:", *found, sep="\n  ")
assert light == ["model.safetensors", "trainer_state.json", "training_args.bin"]
assert {"model.safetensors", "optimizer.pt", "scheduler.pt", "rng_state.pth"} < set(found)
assert "trainer_state.json" not in found
