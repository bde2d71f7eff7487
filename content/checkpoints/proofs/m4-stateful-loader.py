"""`StatefulDataLoader` continues with the batches left, if `num_workers` is unchanged; `DataLoader` has no state."""

# needs: torch torchdata
import torch
from torch.utils.data import DataLoader
from torchdata.stateful_dataloader import StatefulDataLoader


def build(workers=0):
    return StatefulDataLoader(list(range(12)), batch_size=2, shuffle=True, num_workers=workers)


if __name__ == "__main__":
    print("DataLoader has state_dict:", hasattr(DataLoader([0]), "state_dict"))
    assert not hasattr(DataLoader([0]), "state_dict")
    torch.manual_seed(0)
    batches = iter(loader := build())
    seen = [next(batches).tolist() for _ in range(2)]
    state = loader.state_dict()
    rest = [b.tolist() for b in batches]
    torch.manual_seed(123)
    fresh = build()
    fresh.load_state_dict(state)
    resumed = [b.tolist() for b in fresh]
    print("seen before the save:", seen)
    print("rest, straight:      ", rest)
    print("rest, other seed:    ", resumed)
    assert rest == resumed
    assert len(rest) == 4
    batches = iter(loader := build(workers=2))
    next(batches)
    state = loader.state_dict()
    other = build(workers=1)
    other.load_state_dict(state)
    try:
        next(iter(other))
        raise SystemExit("no error")
    except AssertionError:
        print("saved with 2 workers, loaded with 1: AssertionError")
