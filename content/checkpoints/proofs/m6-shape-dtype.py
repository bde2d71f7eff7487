"""`dcp.load` refuses another size, but converts another dtype without a word."""

# needs: torch
import tempfile
import warnings

import torch
import torch.distributed.checkpoint as dcp

warnings.filterwarnings("ignore")
path = tempfile.mkdtemp()
dcp.save({"w": torch.tensor([1.0, 70000.0])}, checkpoint_id=path)
state = {"w": torch.zeros(2, dtype=torch.float16)}
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    dcp.load(state, checkpoint_id=path)
print("saved float32 [1.0, 70000.0]; loaded:", state["w"].dtype, state["w"].tolist())
assert state["w"].dtype == torch.float16
assert state["w"].tolist() == [1.0, float("inf")]
print("warnings about it:", sum("float16" in str(w.message) for w in seen))
torch.set_default_dtype(torch.float64)
state = {"w": torch.zeros(2, dtype=torch.bfloat16)}
dcp.load(state, checkpoint_id=path)
torch.set_default_dtype(torch.float32)
print("into bfloat16, default type float64:", state["w"].dtype, state["w"].tolist())
assert state["w"].dtype == torch.bfloat16
try:
    dcp.load({"w": torch.zeros(3)}, checkpoint_id=path)
    raise SystemExit("no error")
except dcp.api.CheckpointException as error:
    print("another size:", type(error.failures[0][0]).__name__)
    assert "Size mismatch" in str(error.failures[0][0])
