"""`DistributedSampler` repeats its order until `set_epoch` is called, and deals other indices to another rank count."""

# needs: torch
from torch.utils.data import DistributedSampler


def sampler(replicas, rank, n=12, shuffle=True):
    return DistributedSampler(range(n), num_replicas=replicas, rank=rank, seed=0, shuffle=shuffle)


s = sampler(2, 0)
first, again = list(s), list(s)
print("epoch 0:            ", first)
print("without set_epoch:  ", again)
s.set_epoch(1)
second = list(s)
print("after set_epoch(1): ", second)
assert first == again != second
orders = {}
for epoch in range(10):
    s.set_epoch(epoch)
    orders[tuple(s)] = epoch
resumed, late = sampler(2, 0), []
for epoch in range(7, 10):
    late.append(orders[tuple(resumed)])
    resumed.set_epoch(epoch)  # too late: after the loop over the batches
print("epochs 7, 8, 9, set_epoch at the end: orders of", late)
assert late == [0, 7, 8]
resumed, own = sampler(2, 0), []
for i in range(10 - 7):
    resumed.set_epoch(i)
    own.append(orders[tuple(resumed)])
print("epochs 7, 8, 9, set_epoch counts from 0: orders of", own)
assert own == [0, 1, 2]
three = list(sampler(3, 0))
print("rank 0 of 3, epoch 0:", three)
assert three != first
assert len(three) == 4
dealt = sorted(i for r in range(4) for i in sampler(4, r, n=10, shuffle=False))
print("10 samples, 4 ranks: ", dealt)
assert len(dealt) == 12
assert dealt.count(0) == dealt.count(1) == 2
total = sum(len(sampler(8, r, n=1002)) for r in range(8))
print("1002 samples, 8 ranks:", total, "dealt,", total - 1002, "repeated")
assert total == 1008
