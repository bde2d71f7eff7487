"""If parameters hold empty placeholders, as under ZeRO-3, state_dict() has shape [0] and the file is tiny."""

# needs: torch
import os
import tempfile

import torch
from torch import nn

model = nn.Linear(1000, 1000)
with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "w.pt")
    torch.save(model.state_dict(), path)
    before = os.path.getsize(path)
    kept = {n: p.data for n, p in model.named_parameters()}  # "the partitions", elsewhere
    for p in model.parameters():
        p.data = torch.empty(0)  # what a partitioned parameter looks like between uses
    shapes = {k: v.shape for k, v in model.state_dict().items()}
    torch.save(model.state_dict(), path)
    after = os.path.getsize(path)
    print("keys and shapes:", shapes)
    print("file is over 4 MB with full tensors:", before > 4_000_000)
    print("file is under 4 KB with placeholders:", after < 4_000)
    assert all(s == torch.Size([0]) for s in shapes.values())
    assert len(shapes) == 2
    assert before > 4_000_000
    assert after < 4_000
    for n, p in model.named_parameters():
        p.data = kept[n]  # "gather" first ...
    torch.save(model.state_dict(), path)
    print("gathered first, size as before:", os.path.getsize(path) == before)
    assert os.path.getsize(path) == before  # ... and the file is whole again
    for p in model.parameters():
        p.data = torch.empty(0)  # ... until the partitions are released again
    torch.save(model.state_dict(), path)
    print("released again, size as with placeholders:", os.path.getsize(path) == after)
    assert os.path.getsize(path) == after
