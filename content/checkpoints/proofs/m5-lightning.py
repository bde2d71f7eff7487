"""`fit(ckpt_path=...)` restores what the file has, weights too; `load_from_checkpoint` alone starts at epoch 0."""

# needs: torch pytorch-lightning
import logging
import tempfile
import warnings

import pytorch_lightning as pl
import torch
from pytorch_lightning.callbacks import ModelCheckpoint

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
begin = []


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(2, 1)

    def on_fit_start(self):
        self.sched = torch.optim.lr_scheduler.StepLR(self.optimizers().optimizer, 5)

    def on_train_start(self):
        adam = self.optimizers().optimizer
        begin[:] = self.l.weight.tolist(), self.current_epoch, self.global_step, len(adam.state)
        begin.extend((self.sched.last_epoch, adam.param_groups[0]["lr"], torch.get_rng_state()))

    def training_step(self, batch, i):
        self.sched.step()
        return self.l(torch.dropout(batch, 0.5, True)).sum()

    def on_save_checkpoint(self, checkpoint):
        checkpoint["rng"] = torch.get_rng_state()

    def on_load_checkpoint(self, checkpoint):
        torch.set_rng_state(checkpoint["rng"])

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def fit(model, epochs, path=None):
    save = ModelCheckpoint(folder := tempfile.mkdtemp(), save_last=True)
    quiet = {"logger": False, "enable_progress_bar": False, "enable_model_summary": False, "accelerator": "cpu"}
    pl.Trainer(max_epochs=epochs, callbacks=[save], **quiet).fit(model, torch.ones(4, 1, 2), ckpt_path=path)
    return folder + "/last.ckpt"


torch.manual_seed(0)
best, latest = fit(Net(), 1), fit(Net(), 3)
stored = torch.load(latest)
print(*list(stored)[:5])
print(*list(stored)[5:])
owner = {str(torch.load(path)["state_dict"]["l.weight"].tolist()): path for path in (best, latest)}
for name, make, path, want in (
    ("load best", lambda: Net.load_from_checkpoint(best), None, (best, 0)),
    ("load best, ckpt_path=latest", lambda: Net.load_from_checkpoint(best), latest, (latest, 3)),
    ("load latest, ckpt_path=best", lambda: Net.load_from_checkpoint(latest), best, (best, 1)),
    ("ckpt_path=latest", Net, latest, (latest, 3)),
):
    torch.manual_seed(9)
    fit(make(), 4, path)
    weights, epoch, step, moments, position, lr, rng = begin
    source = owner[str(weights)]
    print(f"{name}: weights of {'best' if source == best else 'latest'}, epoch {epoch}")
    assert (source, epoch) == want
print(f"global_step {step}, moments for {moments} tensors, schedule stepped by hand at {position}")
print(f"LR in the optimizer: {lr:.5f}, in a new one: 0.00100")
print("generator as in the file:", torch.equal(rng, stored["rng"]))
assert (step, moments, position, stored["lr_schedulers"]) == (12, 2, 0, [])
assert torch.equal(rng, stored["rng"])
assert lr == stored["optimizer_states"][0]["param_groups"][0]["lr"] < 0.0009
