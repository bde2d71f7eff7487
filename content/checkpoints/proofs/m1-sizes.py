"""Bytes of weights are parameters times bytes per element, and a limit gives a lower bound on shards."""

# needs: nothing
import math

GB = 10**9
for billions in (7, 13):
    size = billions * 10**9 * 2  # bf16: 2 bytes per element
    shards = math.ceil(size / (5 * GB))
    print(f"{billions}e9 parameters in bf16: {size / GB:.0f} GB, 5 GB limit: >= {shards} shards")
assert math.ceil(13 * 10**9 * 2 / (5 * GB)) == 6
assert 26 * GB == 13 * 10**9 * 2
