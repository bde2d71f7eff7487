"""`Trainer` compares three intervals and the batch size, and only warns; LR and `max_steps` are not compared."""

# needs: torch transformers accelerate
import logging
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import TrainerState, TrainingArguments
from transformers.trainer_utils import compare_trainer_and_checkpoint_args

lines = []
logger = logging.getLogger("transformers.trainer_utils")
logger.handlers = [handler := logging.Handler()]
handler.emit = lambda record: lines.extend(record.getMessage().split("\n\t")[1:])
logger.propagate = False
saved = TrainerState(logging_steps=10, eval_steps=10, save_steps=10, train_batch_size=4, max_steps=20)
changed = {
    "logging_steps": 20,
    "eval_steps": 20,
    "save_steps": 20,
    "per_device_train_batch_size": 8,
    "max_steps": 40,
    "learning_rate": 1.0,
    "max_grad_norm": 9.0,
    "seed": 99,
}
args = TrainingArguments(tempfile.mkdtemp(), use_cpu=True, report_to=[], **changed)
compare_trainer_and_checkpoint_args(args, saved)
named = [line.split(":")[0] for line in lines]
print("changed:", *changed, sep="\n  ")
print("named in the warning:")
print(*named[:2], sep=", ")
print(*named[2:], sep=", ")
assert sorted(named) == ["eval_steps", "logging_steps", "per_device_train_batch_size", "save_steps"]
