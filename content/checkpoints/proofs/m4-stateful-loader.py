"""`StatefulDataLoader` continues with the batches left, if `num_workers` is unchanged; `DataLoader` has no state."""

# needs: torch torchdata
import torch
from torch.utils.data import DataLoader
from torchdata.stateful_dataloader import StatefulDataLoader


def seeded(seed):
    return torch.Generator().manual_seed(seed)


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
    for _ in "12":  # two processes with the same seed
        loader = DataLoader(["crab", "lizard", "otter", "goose"], shuffle=True, generator=seeded(3))
        epochs = [[name for (name,) in loader] for _ in range(2)]
        print("DataLoader, new process:", *(" ".join(names) + "." for names in epochs))
        assert epochs == [["lizard", "crab", "otter", "goose"], ["otter", "lizard", "goose", "crab"]]
    batches = iter(loader := build(workers=2))
    next(batches)
    state = loader.state_dict()
    rest = [b.tolist() for b in batches]
    for workers in (0, 1, 2):
        other = build(workers)
        other.load_state_dict(state)
        try:
            said = "the rest follows" if [b.tolist() for b in other] == rest else "something else"
        except AssertionError:
            said = "AssertionError"
        print(f"saved with 2 workers, loaded with {workers}: {said}")
        assert said == ("the rest follows" if workers == 2 else "AssertionError")
