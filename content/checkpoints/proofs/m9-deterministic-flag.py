"""use_deterministic_algorithms(True) restores no state: with RNG not restored, the resumed draws differ."""

# needs: torch
import torch

torch.use_deterministic_algorithms(True)


def draws(n):
    return [round(v, 4) for v in torch.rand(n).tolist()]


torch.manual_seed(0)
straight = draws(4)
torch.manual_seed(0)
draws(2)
state = torch.get_rng_state()  # "checkpoint" after two draws
torch.manual_seed(0)  # a new process with the same seed and the flag on
print("straight run, draws 3-4:     ", straight[2:])
again = draws(2)
print("resumed, same seed and flag: ", again)
torch.set_rng_state(state)
restored = draws(2)
print("resumed, RNG state restored: ", restored)
assert torch.are_deterministic_algorithms_enabled()
assert again != straight[2:]
assert restored == straight[2:]
listed = "index_add` when called on CUDA tensor" in torch.use_deterministic_algorithms.__doc__
print("index_add on CUDA is in its list:", listed)
assert listed
