"""`ModelCheckpoint` keeps 1 file by default, wants a monitor for 3; a weights-only file cannot be resumed."""

# needs: torch pytorch-lightning
import contextlib
import logging
import os
import tempfile
import warnings

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import ModelCheckpoint

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
ran = []


class Net(pl.LightningModule):
    def __init__(self, fail_in=-1):
        super().__init__()
        self.l = torch.nn.Linear(2, 1)
        self.fail_in = fail_in

    def training_step(self, batch, i):
        ran.append(self.current_epoch)
        if self.current_epoch == self.fail_in:
            raise SystemExit
        return self.l(batch).sum()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def fit(epochs, path=None, callbacks=(), fail_in=-1):
    ran.clear()
    quiet = {"logger": False, "enable_progress_bar": False, "enable_model_summary": False, "accelerator": "cpu"}
    trainer = pl.Trainer(max_epochs=epochs, callbacks=[*callbacks], enable_checkpointing=bool(callbacks), **quiet)
    with contextlib.suppress(SystemExit):
        trainer.fit(Net(fail_in), torch.ones(4, 1, 2), ckpt_path=path)


def newest(folder):
    return max(
        (f"{folder}/{name}" for name in os.listdir(folder)), key=lambda n: int(n.split("epoch=")[1].split("-")[0])
    )


fit(3, callbacks=[ModelCheckpoint(plain := tempfile.mkdtemp())])
print("3 epochs, default options:", *os.listdir(plain))
assert len(os.listdir(plain)) == 1
try:
    ModelCheckpoint(save_top_k=3)
    raise SystemExit("no error")
except pl.utilities.exceptions.MisconfigurationException as error:
    print("save_top_k=3, no monitor:", type(error).__name__)
full = ModelCheckpoint(a := tempfile.mkdtemp(), every_n_epochs=4, save_top_k=-1)
light = ModelCheckpoint(b := tempfile.mkdtemp(), every_n_epochs=5, save_top_k=-1, save_weights_only=True)
fit(20, callbacks=[full, light], fail_in=11)
print("failed in epoch 11; newest full and light file:")
print(os.path.basename(newest(a)), os.path.basename(newest(b)))
fit(20, newest(a))
print("resumed from the full one in epoch", first := ran[0])
assert first == 8
try:
    fit(20, newest(b))
    raise SystemExit("no error")
except KeyError as error:
    print("from the light one: KeyError,", error.args[0][:33])
