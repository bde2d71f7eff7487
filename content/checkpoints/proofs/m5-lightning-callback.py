"""`ModelCheckpoint` keeps 1 file by default, wants a monitor for 3; a weights-only file cannot be resumed."""

# needs: torch pytorch-lightning
import logging
import os
import tempfile
import warnings

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import ModelCheckpoint

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(2, 1)

    def training_step(self, batch, i):
        return self.l(batch).sum()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def fit(epochs, path=None, **options):
    save = ModelCheckpoint(folder := tempfile.mkdtemp(), **options)
    quiet = {"logger": False, "enable_progress_bar": False, "enable_model_summary": False, "accelerator": "cpu"}
    pl.Trainer(max_epochs=epochs, callbacks=[save], **quiet).fit(Net(), torch.ones(4, 1, 2), ckpt_path=path)
    return [f"{folder}/{name}" for name in sorted(os.listdir(folder))]


print("3 epochs, default options:", *map(os.path.basename, kept := fit(3)))
assert len(kept) == 1
for name, act in (
    ("save_top_k=3, no monitor", lambda: ModelCheckpoint(save_top_k=3)),
    ("fit from weights only", lambda: fit(2, fit(1, save_weights_only=True)[0])),
):
    try:
        act()
        raise SystemExit("no error")
    except (KeyError, pl.utilities.exceptions.MisconfigurationException) as error:
        print(f"{name}: {type(error).__name__}")
