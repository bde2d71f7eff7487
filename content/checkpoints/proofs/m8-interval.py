"""At sqrt(2*C*M) both losses are equal: 60 min for C = 3 min, M = 10 h; it goes with the root of C and of M."""

# needs: nothing
import math


def interval(cost_min: float, mtbf_min: float) -> float:
    return math.sqrt(2 * cost_min * mtbf_min)


def overhead(t: float, cost: float, mtbf: float) -> float:  # saving + half an interval lost per failure
    return cost / t + t / (2 * mtbf)


base = interval(3, 600)
print(f"C = 3 min, M = 10 h: {base:.0f} min")
print(f"C = 3 min, M = 40 h: {interval(3, 2400):.0f} min")
print(f"C = 45 s, M = 10 h: {interval(0.75, 600):.0f} min")
print(f"C = 45 s, M = 40 h: {interval(0.75, 2400):.0f} min")
print(f"C = 12 min, M = 40 h: {interval(12, 2400):.0f} min")
for t in (15, 60, 240):
    print(f"interval {t:3} min: {100 * overhead(t, 3, 600):.1f} % of the time lost")
print(f"at 60 min: saving {100 * 3 / base:.0f} %, repeated work {100 * base / (2 * 600):.0f} %")
assert 3 / base == base / (2 * 600) == 0.05
assert base == 60
assert interval(3, 2400) == 120
assert [interval(0.75, 600), interval(0.75, 2400), interval(12, 2400)] == [30, 60, 240]
assert overhead(60, 3, 600) == min(overhead(t, 3, 600) for t in range(1, 600))
