"""`save_state` saves extra objects only if registered; `load_state` misses `optimizer.bin` but no RNG file."""

# needs: torch accelerate safetensors
import os
import tempfile

import torch
from accelerate import Accelerator


class Counter:
    value = 0

    def state_dict(self):
        return {"value": self.value}

    def load_state_dict(self, state):
        self.value = state["value"]


acc = Accelerator(cpu=True)
model = torch.nn.Linear(2, 2)
opt = torch.optim.AdamW(model.parameters())
acc.prepare(model, opt, torch.optim.lr_scheduler.StepLR(opt, 1))
seen, done = Counter(), Counter()
acc.register_for_checkpointing(done)
seen.value, done.value = 40, 7
folder = acc.save_state(tempfile.mkdtemp() + "/c")
print(*sorted(os.listdir(folder)), sep="\n")
seen.value = done.value = 0
os.remove(f"{folder}/random_states_0.pkl")
acc.load_state(folder)
print(f"no RNG file: no error; registered {done.value}, other {seen.value}")
assert (seen.value, done.value) == (0, 7)
os.remove(f"{folder}/optimizer.bin")
try:
    acc.load_state(folder)
    raise SystemExit("no error")
except FileNotFoundError:
    print("no optimizer.bin: FileNotFoundError")
