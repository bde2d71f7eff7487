"""Raising `max_steps` on resume makes LR jump up; a doubled batch size gives no error and moves the position."""

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
order = []


class Rows(list):
    def __getitem__(self, i):
        order.append(i)
        return super().__getitem__(i)


ids = torch.randint(0, 64, (1000, 8), generator=torch.Generator().manual_seed(1))
rows = Rows({"input_ids": r, "labels": r} for r in ids)


def run(folder, resume=None, max_steps=20, batch=4, auto=False):
    order.clear()
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2))
    args = TrainingArguments(
        folder,
        max_steps=max_steps,
        save_steps=10,
        per_device_train_batch_size=batch,
        auto_find_batch_size=auto,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        learning_rate=1e-2,
        logging_steps=1,
    )
    trainer = Trainer(model=model, args=args, train_dataset=rows)
    with contextlib.redirect_stdout(io.StringIO()):
        trainer.train(resume_from_checkpoint=resume)
    log = {x["step"]: x for x in trainer.state.log_history if "learning_rate" in x}
    return [round(log[s]["learning_rate"], 5) for s in (10, 11, 12, 13)]


saved = (out := tempfile.mkdtemp()) + "/checkpoint-10"
straight = run(out)
print("LR at steps 10 to 13")
print("straight, max_steps=20:", straight)
longer = run(tempfile.mkdtemp(), saved, max_steps=40)
print("resumed,  max_steps=40:", longer)
assert straight == [0.0055, 0.005, 0.0045, 0.004]
assert longer[:2] == straight[:2]
assert longer[2] > straight[2] * 1.5
run(tempfile.mkdtemp(), max_steps=40)
places = {index: place for place, index in enumerate(order)}
print("place in the order of the data at which step 11 begins")
for batch, auto, want in ((4, False, 40), (8, False, 80), (8, True, 40)):
    run(tempfile.mkdtemp(), saved, batch=batch, auto=auto)
    more = ", auto_find_batch_size=True" if auto else ""
    print(f"saved with batch size 4, resumed with {batch}{more}:", place := places[order[0]])
    assert place == want
    assert [places[index] for index in order[:batch]] == [*range(place, place + batch)]
