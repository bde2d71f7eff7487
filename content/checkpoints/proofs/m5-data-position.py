"""A mid-epoch resume of `Trainer` is exact for fixed samples, not for random `__getitem__` nor `ignore_data_skip`."""

# needs: torch transformers accelerate
import contextlib
import io
import os
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments

warnings.filterwarnings("ignore")
transformers.utils.logging.set_verbosity(60)
transformers.utils.logging.disable_progress_bar()
read, ends = [], []


class Data(torch.utils.data.Dataset):
    def __init__(self, random=False):
        self.random = random

    def __len__(self):
        return 64

    def __getitem__(self, i):
        x = torch.randint(0, 64, (8,), generator=None if self.random else torch.Generator().manual_seed(i))
        read.append((i, x.tolist()))
        return {"input_ids": x, "labels": x}


class Ends(TrainerCallback):
    def on_epoch_end(self, args, state, control, **_):
        ends.append(state.global_step)


def run(data, folder, resume=None, max_steps=30, **more):
    read.clear()
    ends.clear()
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2))
    args = TrainingArguments(
        folder,
        max_steps=max_steps,
        save_steps=10,
        per_device_train_batch_size=4,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        learning_rate=1e-2,
        **more,
    )
    with contextlib.redirect_stdout(io.StringIO()):
        Trainer(model=model, args=args, train_dataset=data, callbacks=[Ends()]).train(resume_from_checkpoint=resume)
    return torch.cat([p.detach().flatten() for p in model.parameters()])


for name, random, skip, want in (
    ("fixed samples", 0, 0, (True, 16, True, True)),
    ("random __getitem__", 1, 0, (False, 16, True, False)),
    ("ignore_data_skip", 0, 1, (False, 26, False, False)),
):
    straight = run(Data(random), out := tempfile.mkdtemp())
    batch = read[40:44]
    resumed = run(Data(random), tempfile.mkdtemp(), f"{out}/checkpoint-10", ignore_data_skip=bool(skip))
    same = torch.equal(straight, resumed)
    indices = [i for i, _ in batch] == [i for i, _ in read[:4]]
    print(f"{name}: resumed == straight: {same}")
    print(f"  epoch of 16 batches ends at step {ends[0]}")
    print(f"  step 11: same indices {indices}, same contents {batch == read[:4]}")
    assert (same, ends[0], indices, batch == read[:4]) == want
