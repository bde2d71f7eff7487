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

# a schedule of 1000 steps made for 5 epochs on 8 devices; at step 400 the run goes on with another layout
samples = 1000 * before // 5
for devices, accumulation in ((8, 4), (4, 4), (4, 8), (16, 4)):
    seen = 400 * before + 600 * global_batch(4, devices, accumulation)
    print(f"from step 400 on {devices} devices x {accumulation}: {float(Fraction(seen, samples))} epochs at step 1000")
    assert Fraction(seen, samples) == {(8, 4): 5, (4, 4): Fraction(7, 2), (4, 8): 5, (16, 4): 8}[devices, accumulation]
assert Fraction(1000 * global_batch(4, 4, 4), samples) == Fraction(5, 2)
