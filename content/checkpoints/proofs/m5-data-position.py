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
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

warnings.filterwarnings("ignore")
transformers.utils.logging.set_verbosity(60)
transformers.utils.logging.disable_progress_bar()


class Data(torch.utils.data.Dataset):
    def __init__(self, random=False):
        self.random = random

    def __len__(self):
        return 64

    def __getitem__(self, i):
        x = torch.randint(0, 64, (8,), generator=None if self.random else torch.Generator().manual_seed(i))
        return {"input_ids": x, "labels": x}


def run(data, folder, resume=None, **more):
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2))
    args = TrainingArguments(
        folder,
        max_steps=14,
        save_steps=10,
        per_device_train_batch_size=4,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        learning_rate=1e-2,
        **more,
    )
    with contextlib.redirect_stdout(io.StringIO()):
        Trainer(model=model, args=args, train_dataset=data).train(resume_from_checkpoint=resume)
    return torch.cat([p.detach().flatten() for p in model.parameters()])


for name, random, skip, want in (
    ("fixed samples", 0, 0, 1),
    ("random __getitem__", 1, 0, 0),
    ("ignore_data_skip", 0, 1, 0),
):
    straight = run(Data(random), out := tempfile.mkdtemp())
    same = torch.equal(
        straight, run(Data(random), tempfile.mkdtemp(), f"{out}/checkpoint-10", ignore_data_skip=bool(skip))
    )
    print(f"{name:19}resumed == straight: {same}")
    assert same == bool(want)
