"""A mid-epoch resume of `Trainer` is exact for seeded crops, not for random `__getitem__` nor `ignore_data_skip`."""

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
read, ends, told = [], [], []


class Data(torch.utils.data.Dataset):
    def __init__(self, random):
        self.random, self.epoch = random, 0

    def set_epoch(self, epoch):
        told.append(epoch)

    def __len__(self):
        return 64

    def __getitem__(self, i):
        own = torch.Generator().manual_seed(1000 * self.epoch + i)
        x = torch.randint(0, 64, (8,), generator=None if self.random else own)
        read.append((i, x.tolist()))
        return {"input_ids": x, "labels": x}


class Epochs(TrainerCallback):
    def __init__(self, data):
        self.data = data

    def on_epoch_begin(self, args, state, control, **_):
        self.data.epoch = int(state.epoch)

    def on_epoch_end(self, args, state, control, **_):
        ends.append(state.global_step)


def run(data, folder, resume=None, **more):
    read.clear()
    ends.clear()
    told.clear()
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2))
    args = TrainingArguments(
        folder,
        num_train_epochs=3,
        save_steps=10,
        per_device_train_batch_size=4,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        learning_rate=1e-2,
        **more,
    )
    with contextlib.redirect_stdout(io.StringIO()):
        Trainer(model=model, args=args, train_dataset=data, callbacks=[Epochs(data)]).train(
            resume_from_checkpoint=resume
        )
    return torch.cat([p.detach().flatten() for p in model.parameters()])


for name, random, skip, start, want in (
    ("crops seeded by epoch and index", 0, 0, 10, (True, [16, 32, 48], True, True)),
    ("crops seeded by epoch and index", 0, 0, 20, (True, [32, 48], True, True)),
    ("random __getitem__", 1, 0, 10, (False, [16, 32, 48], True, False)),
    ("ignore_data_skip", 0, 1, 10, (False, [26, 42, 48], False, False)),
):
    straight = run(Data(random), out := tempfile.mkdtemp())
    batch = read[start * 4 : start * 4 + 4]
    assert ends == [16, 32, 48]
    assert len({str(x) for i, x in read if i == 5}) == 3
    assert {*told} == {0, 1, 2}
    resumed = run(Data(random), tempfile.mkdtemp(), f"{out}/checkpoint-{start}", ignore_data_skip=bool(skip))
    same = torch.equal(straight, resumed)
    indices = [i for i, _ in batch] == [i for i, _ in read[:4]]
    print(f"{name}, checkpoint-{start}: resumed == straight: {same}")
    print(f"  3 epochs of 16 batches end at steps {ends}")
    print(f"  step {start + 1}: same indices {indices}, same contents {batch == read[:4]}")
    if start == 20:
        print(f"  set_epoch of the dataset called for epochs {(epochs := sorted({*told}))}, not for the resumed one")
        assert epochs == [2]
    assert (same, ends, indices, batch == read[:4]) == want
