"""`get_model_state_dict` drops the wrapper prefix, so DDP and plain models have the same names."""

# needs: torch
import os

import torch
import torch.distributed as dist
from torch.distributed.checkpoint.state_dict import get_model_state_dict

os.environ["GLOO_SOCKET_IFNAME"] = "lo"
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
ddp = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))
compiled = torch.compile(torch.nn.Linear(1, 1))
own, clean = list(ddp.state_dict()), list(get_model_state_dict(ddp))
print("ddp.state_dict():         ", own)
print("get_model_state_dict(ddp):", clean)
print("ddp.module.state_dict():  ", inner := list(ddp.module.state_dict()))
print("compiled.state_dict():    ", prefixed := list(compiled.state_dict()))
print("get_model_state_dict(compiled):", bare := list(get_model_state_dict(compiled)))
assert inner == clean == bare
assert prefixed == ["_orig_mod.weight", "_orig_mod.bias"]
assert own == ["module.weight", "module.bias"]
assert clean == list(torch.nn.Linear(1, 1).state_dict())
dist.destroy_process_group()
