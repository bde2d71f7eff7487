"""`dcp.load` fills the given `state_dict` in place, returns `None`, ignores extra keys and refuses absent ones."""

# needs: torch
import copy
import tempfile
import warnings

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import DefaultLoadPlanner

warnings.filterwarnings("ignore")
path = tempfile.mkdtemp()
dcp.save({"w": torch.arange(3.0), "b": torch.ones(2), "step": 7}, checkpoint_id=path)

w = torch.zeros(3)
state = {"w": w, "step": 0}
result = dcp.load(state, checkpoint_id=path)
print("returned:", result)
print("filled:  ", w.tolist(), "step", state["step"], "keys", list(state))
assert result is None
assert state["w"] is w
assert w.tolist() == [0, 1, 2]
assert state["step"] == 7
assert "b" not in state

wider = {"w": torch.zeros(3), "new": torch.zeros(1)}
try:
    dcp.load(wider, checkpoint_id=path)
    raise SystemExit("no error")
except dcp.api.CheckpointException as error:
    print("absent key:", cause := str(error.failures[0][0]))
    assert "new" in cause
dcp.load(wider, checkpoint_id=path, planner=DefaultLoadPlanner(allow_partial_load=True))
print("allow_partial_load:", {k: v.tolist() for k, v in wider.items()})
assert wider["w"].tolist() == [0, 1, 2]
assert wider["new"].tolist() == [0]

model = torch.nn.Linear(1, 1, bias=False)
torch.nn.init.constant_(model.weight, 7.0)
dcp.save(model.state_dict(), checkpoint_id=path)
torch.nn.init.constant_(model.weight, 1.0)
a = model.state_dict()
b = copy.deepcopy(a)
dcp.load(a, checkpoint_id=path)
print("loaded into model.state_dict(): model", model.weight.item(), "copy", b["weight"].item())
assert (model.weight.item(), b["weight"].item()) == (7.0, 1.0)
