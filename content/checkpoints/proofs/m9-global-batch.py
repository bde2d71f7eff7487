"""Global batch = per-device batch x devices x accumulation: fewer devices need more accumulation."""

# needs: nothing
from fractions import Fraction


def global_batch(per_device: int, devices: int, accumulation: int) -> int:
    return per_device * devices * accumulation


before = global_batch(4, 8, 4)
print("4 x 8 devices x 4 =", before)
print("4 devices, nothing else changed:", global_batch(4, 4, 4))
print("2 devices, 8 per device, accumulation 8:", global_batch(8, 2, 8))
assert before == 128
assert global_batch(4, 4, 4) == before // 2
assert [a for a in range(1, 100) if global_batch(8, 2, a) == before] == [8]

# a schedule of 1000 steps made for 4 epochs on 8 devices; at step 500 the run goes on with another layout
samples = 1000 * before // 4
after = {(4, 8, 4): 4, (4, 4, 4): 3, (4, 4, 8): 4, (8, 4, 4): 4, (8, 4, 8): 6}
for layout, epochs in after.items():
    seen = Fraction(500 * before + 500 * global_batch(*layout), samples)
    print("from step 500 on {} x {} devices x {}:".format(*layout), seen, "epochs at step 1000")
    assert seen == epochs
assert Fraction(1000 * global_batch(4, 4, 4), samples) == 2
