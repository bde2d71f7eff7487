"""DistributedSampler pads the tail: 10 samples on 4 ranks give 12 indices, 2 of them repeated."""

# needs: torch
from collections import Counter

from torch.utils.data import DistributedSampler

data = list(range(10))
for ranks in (2, 4):
    per_rank = [list(DistributedSampler(data, ranks, r, shuffle=False)) for r in range(ranks)]
    drawn = [i for part in per_rank for i in part]
    twice = sorted(i for i, n in Counter(drawn).items() if n > 1)
    print(f"{ranks} ranks:", per_rank)
    print(f"  {len(drawn)} indices, repeated: {twice}")
    assert (len(drawn), len(twice)) == {2: (10, 0), 4: (12, 2)}[ranks]
    assert set(drawn) == set(data)
