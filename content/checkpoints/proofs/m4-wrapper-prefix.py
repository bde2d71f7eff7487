"""Wrappers rename keys; with `strict=False` a prefixed file then loads nothing and no error appears."""

# needs: torch
import os

import torch
import torch.distributed as dist
from torch import nn

os.environ.update(MASTER_ADDR="127.0.0.1", GLOO_SOCKET_IFNAME="lo")
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
saved = torch.compile(nn.Linear(1, 1)).state_dict()
print("torch.compile:", list(saved))
ddp = list(nn.parallel.DistributedDataParallel(nn.Linear(1, 1)).state_dict())
print("DDP:          ", ddp)
dist.destroy_process_group()
assert list(saved) == ["_orig_mod.weight", "_orig_mod.bias"]
assert ddp == ["module.weight", "module.bias"]

plain = nn.Linear(1, 1)
before = plain.weight.clone()
result = plain.load_state_dict(saved, strict=False)
print("strict=False, weight changed:", not torch.equal(before, plain.weight))
print("missing_keys:", result.missing_keys)
assert torch.equal(before, plain.weight)
assert result.missing_keys == ["weight", "bias"]


def parts():
    blocks = {"enc": 4, "dec": 12, "head": 1}
    return nn.ModuleDict({name: nn.Sequential(*(nn.Linear(1, 1) for _ in range(n))) for name, n in blocks.items()})


model = parts()
model["enc"] = torch.compile(model["enc"])
result = parts().load_state_dict(model.state_dict(), strict=False)
print("enc alone compiled:", len(result.missing_keys), "of", len(parts().state_dict()), "tensors not loaded")
assert (len(result.missing_keys), len(parts().state_dict())) == (8, 34)
try:
    plain.load_state_dict(saved)
    raise SystemExit("no error")
except RuntimeError:
    print("strict=True: RuntimeError")
