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
order = []


class Rows(list):
    def __getitem__(self, i):
        order.append(i)
        return super().__getitem__(i)


ids = torch.randint(0, 64, (64, 8), generator=torch.Generator().manual_seed(1))
rows = Rows({"input_ids": r, "labels": r} for r in ids)


def run(folder, resume=None):
    order.clear()
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=2, n_head=2))
    args = TrainingArguments(
        folder,
        max_steps=14,
        save_steps=10,
        logging_steps=1,
        per_device_train_batch_size=4,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        learning_rate=1e-2,
    )
    trainer = Trainer(model=model, args=args, train_dataset=rows)
    with contextlib.redirect_stdout(io.StringIO()):
        trainer.train(resume_from_checkpoint=resume)
    (step11,) = (x for x in trainer.state.log_history if x["step"] == 11 and "loss" in x)
    adam = torch.load(f"{folder}/checkpoint-14/optimizer.pt")["state"][0]["step"]
    schedule = torch.load(f"{folder}/checkpoint-14/scheduler.pt")["last_epoch"]
    weights = torch.cat([p.detach().flatten() for p in model.parameters()])
    return weights, round(step11["learning_rate"], 4), step11["loss"], (int(adam), schedule)


straight, lr, loss, counts = run(out := tempfile.mkdtemp())
saved, batches, seen = f"{out}/checkpoint-10", order[40:56], {}
names = sorted(f for f in os.listdir(saved) if "config" not in f)
print(*names[:4])
print(*names[4:])
print("lost, then: equal parameters; LR, data and loss at step 11;")
print("Adam's step and last_epoch in checkpoint-14")
for lost in (
    "nothing",
    "optimizer.pt",
    "scheduler.pt",
    "rng_state.pth",
    "trainer_state.json",
    "model.safetensors",
    "optimizer.pt rng_state.pth",
    "scheduler.pt training_args.bin",
):
    copy = f"{tempfile.mkdtemp()}/checkpoint-10"
    shutil.copytree(saved, copy, ignore=shutil.ignore_patterns(*lost.split()))
    try:
        now = run(tempfile.mkdtemp(), copy)
        seen[lost] = torch.equal(now[0], straight), now[1] == lr, order[:16] == batches, now[2] == loss, now[3]
        words = ["same" if same else "other" for same in seen[lost][:4]]
        print(f"{lost}: {words[0]};", *words[1:], "", *now[3])
    except Exception as error:
        seen[lost] = type(error).__name__
        print(f"{lost}: {seen[lost]}")
assert seen["nothing"] == (True, True, True, True, (14, 14))
assert seen["rng_state.pth"] == (False, True, True, False, (14, 14))
assert seen["optimizer.pt"] == seen["scheduler.pt"] == (False, False, True, True, (4, 4))
assert [seen["trainer_state.json"], seen["model.safetensors"]] == ["FileNotFoundError", "ValueError"]
