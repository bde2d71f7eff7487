"""After a mid-epoch resume of `Trainer` the crops are the old ones if each is seeded by its index."""

# needs: torch transformers accelerate
import contextlib
import io
import os
import random
import tempfile
import warnings

os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
transformers.utils.logging.set_verbosity(60)
transformers.utils.logging.disable_progress_bar()
DRAWS = {
    "random.random()": lambda data, i: random.random(),
    "torch.rand(1)": lambda data, i: torch.rand(1).item(),
    "self.g.random()": lambda data, i: data.g.random(),
    "random.Random(i).random()": lambda data, i: random.Random(i).random(),
    "seeded by epoch and index": lambda data, i: random.Random(1000 * data.epoch + i).random(),
}


class Data(torch.utils.data.Dataset):
    def __init__(self, draw):
        self.g, self.draw, self.epoch, self.read, self.told = random.Random(0), draw, 0, [], []

    def set_epoch(self, epoch):
        self.told.append(epoch)

    def __len__(self):
        return 64

    def __getitem__(self, i):
        crop = int(1e6 * DRAWS[self.draw](self, i))
        self.read.append((i, crop))
        return {"input_ids": (x := torch.arange(8) + crop % 56), "labels": x}


class Epochs(TrainerCallback):
    def on_epoch_begin(self, args, state, control, train_dataloader, **_):
        data.epoch = int(state.epoch)


def run(folder, resume=None):
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2))
    quiet = {"report_to": [], "use_cpu": True, "disable_tqdm": True}
    args = TrainingArguments(folder, num_train_epochs=3, save_steps=10, per_device_train_batch_size=4, **quiet)
    with contextlib.redirect_stdout(io.StringIO()):
        Trainer(model=model, args=args, train_dataset=data, callbacks=[Epochs()]).train(resume_from_checkpoint=resume)
    return torch.cat([p.detach().flatten() for p in model.parameters()])


for draw in DRAWS:
    data = Data(draw)
    straight, before = run(out := tempfile.mkdtemp()), data.read
    crops = len({crop for i, crop in before if i == 5})
    assert crops == (1 if "(i)" in draw else 3)
    start = 10 if draw in list(DRAWS)[:4] else 20
    data = Data(draw)
    exact = torch.equal(straight, run(tempfile.mkdtemp(), f"{out}/checkpoint-{start}"))
    old, new = zip(*before[start * 4 : start * 4 + 4]), zip(*data.read[:4])
    samples, same = (a == b for a, b in zip(old, new))
    print(f"{draw}, crops of a sample in 3 epochs: {crops}")
    print(f"  step {start + 1}: same samples {samples}, same crops {same}; resume exact {exact}")
    assert samples
    assert same == exact == ("seed" in draw or "(i)" in draw)
print("set_epoch of the dataset called after that resume for epochs", epochs := sorted({*data.told}))
assert epochs == [2]
