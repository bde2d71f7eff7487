"""`fit(ckpt_path=...)` resumes a full file and refuses a weights-only one; `load_from_checkpoint` starts at epoch 0."""

# needs: torch pytorch-lightning
import logging
import tempfile
import warnings

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import ModelCheckpoint

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
done = []


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(2, 1)

    def training_step(self, batch, i):
        done.append(f"epoch {self.current_epoch}")
        return self.l(batch).sum()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def fit(model, epochs, path=None, only=False):
    done.clear()
    save = ModelCheckpoint(folder := tempfile.mkdtemp(), save_last=True, save_weights_only=only)
    quiet = {"logger": False, "enable_progress_bar": False, "enable_model_summary": False, "accelerator": "cpu"}
    pl.Trainer(max_epochs=epochs, callbacks=[save], **quiet).fit(model, torch.ones(4, 1, 2), ckpt_path=path)
    return folder + "/last.ckpt"


print(*torch.load(full := fit(Net(), 1)), sep="\n")
fit(Net(), 2, full)
print("fit(ckpt_path) ran:      ", *(resumed := sorted(set(done))))
fit(Net.load_from_checkpoint(full), 2)
print("load_from_checkpoint ran:", *(warm := sorted(set(done))))
assert resumed == ["epoch 1"]
assert warm == ["epoch 0", "epoch 1"]
