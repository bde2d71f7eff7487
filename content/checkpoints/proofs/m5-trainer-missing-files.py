"""`Trainer` resumes silently without `optimizer.pt`, `scheduler.pt` or the RNG file, but not without the state file."""

# needs: torch transformers accelerate
import contextlib
import io
import os
import shutil
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

warnings.filterwarnings("ignore")
transformers.utils.logging.set_verbosity(60)
transformers.utils.logging.disable_progress_bar()
rows = [
    {"input_ids": r, "labels": r} for r in torch.randint(0, 64, (64, 8), generator=torch.Generator().manual_seed(1))
]


def run(folder, resume=None):
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=2, n_head=2))
    args = TrainingArguments(
        folder,
        max_steps=14,
        save_steps=10,
        per_device_train_batch_size=4,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        learning_rate=1e-2,
    )
    with contextlib.redirect_stdout(io.StringIO()):
        Trainer(model=model, args=args, train_dataset=rows).train(resume_from_checkpoint=resume)
    return torch.cat([p.detach().flatten() for p in model.parameters()])


out = tempfile.mkdtemp()
straight, saved, seen = run(out), f"{out}/checkpoint-10", {}
names = sorted(f for f in os.listdir(saved) if "config" not in f)
print(*names[:3], sep="  ")
print(*names[3:], sep="  ")
for lost in ("nothing", "optimizer.pt", "scheduler.pt", "rng_state.pth", "trainer_state.json", "model.safetensors"):
    copy = f"{tempfile.mkdtemp()}/checkpoint-10"
    shutil.copytree(saved, copy, ignore=shutil.ignore_patterns(lost))
    try:
        seen[lost] = run(tempfile.mkdtemp(), copy)
        print(f"{lost:20}no error, parameters equal: {torch.equal(seen[lost], straight)}")
    except Exception as error:
        seen[lost] = type(error).__name__
        print(f"{lost:20}{seen[lost]}")
assert torch.equal(seen["nothing"], straight)
assert not torch.equal(seen["rng_state.pth"], straight)
assert torch.equal(seen["optimizer.pt"], seen["scheduler.pt"])
assert not torch.equal(seen["optimizer.pt"], straight)
assert [seen["trainer_state.json"], seen["model.safetensors"]] == ["FileNotFoundError", "ValueError"]
