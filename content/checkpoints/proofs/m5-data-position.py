"""A mid-epoch resume of `Trainer` goes on in the data; with `ignore_data_skip` it reads the epoch from its start."""

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
torch.set_num_threads(1)
transformers.utils.logging.set_verbosity(60)
transformers.utils.logging.disable_progress_bar()
read, ends = [], []


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        read.append(i)
        x = torch.arange(i, i + 8) % 64
        return {"input_ids": x, "labels": x}


class Ends(TrainerCallback):
    def on_epoch_end(self, args, state, control, **_):
        ends.append(state.global_step)


def run(folder, resume=None, **more):
    read.clear()
    ends.clear()
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
        Trainer(model=model, args=args, train_dataset=Data(), callbacks=[Ends()]).train(resume_from_checkpoint=resume)
    return torch.cat([p.detach().flatten() for p in model.parameters()])


straight, before = run(out := tempfile.mkdtemp()), read[40:44]
print(f"uninterrupted: 3 epochs of 16 batches end at steps {ends}")
assert ends == [16, 32, 48]
for skip, want in ((False, (True, [16, 32, 48], True)), (True, (False, [26, 42, 48], False))):
    resumed = run(tempfile.mkdtemp(), f"{out}/checkpoint-10", ignore_data_skip=skip)
    same, samples = torch.equal(straight, resumed), read[:4] == before
    print(f"checkpoint-10, ignore_data_skip={skip}: epochs end at steps {ends}")
    print(f"  step 11: same samples {samples}; resumed == straight: {same}")
    assert (same, ends, samples) == want
