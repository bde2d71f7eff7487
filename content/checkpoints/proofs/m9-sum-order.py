"""A float32 sum depends on the grouping: last digits of a long sum, all digits of a short one with large addends."""

# needs: numpy
import numpy as np

x = np.random.default_rng(0).standard_normal(1000).astype(np.float32)


def one_after_another(values):
    total = np.float32(0)
    for v in values:
        total = np.float32(total + v)
    return total


whole = one_after_another(x)
parts = [one_after_another(p) for p in np.split(x, 4)]  # four ranks, then a reduction
joined = np.float32(np.float32(parts[0] + parts[1]) + np.float32(parts[2] + parts[3]))
print("(0.1 + 0.2) + 0.3 =", (0.1 + 0.2) + 0.3)
print("0.1 + (0.2 + 0.3) =", 0.1 + (0.2 + 0.3))
print("one pass, float32:  ", whole)
print("four partial sums:  ", joined)
print("exact to 8 digits:  ", f"{x.astype(np.float64).sum():.8f}")
assert (0.1 + 0.2) + 0.3 != 0.1 + (0.2 + 0.3)
assert whole != joined
assert abs(whole - joined) < 1e-3
assert np.array_equal(np.concatenate(np.split(x, 4)), x)  # not one addend was lost

short = np.float32([1, 1, 1, 1e8, -1e8, 1, 1, 1])
print("1 1 1 1e8 -1e8 1 1 1 in float64:", float(short.astype(np.float64).sum()))
for ranks, total in ((1, 3), (2, 0), (4, 2)):
    partial = [one_after_another(p) for p in np.split(short, ranks)]
    print(f"  float32, ranks: {ranks} ->", one_after_another(partial))
    assert one_after_another(partial) == total
assert short.astype(np.float64).sum() == 6
assert np.spacing(np.float32(1e8)) == 8
