"""Opening safetensors reveals missing, surplus, uncovered and shared bytes, but neither a flipped bit nor NaN."""

# needs: torch safetensors
import json
import struct

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save


def build(a, b, size, nan=False):
    """Two F32 tensors of shape [2] at the ranges a and b of a buffer of `size` bytes."""
    entries = {k: {"dtype": "F32", "shape": [2], "data_offsets": r} for k, r in (("a", a), ("b", b))}
    header = json.dumps(entries).encode()
    values = [1.0] * (size // 4)
    if nan:
        values[-1] = float("nan")
    return struct.pack("<Q", len(header)) + header + struct.pack(f"<{len(values)}f", *values)


flipped = bytearray(save({"a": torch.ones(2), "b": torch.ones(2)}))
flipped[-1] ^= 0x40
cases = {
    "4 bytes missing": build([0, 8], [8, 16], 12),
    "4 bytes too many": build([0, 8], [8, 16], 20),
    "hole between ranges": build([0, 8], [12, 20], 20),
    "overlapping ranges": build([0, 8], [4, 12], 12),
    "b stored before a": build([8, 16], [0, 8], 16),
    "NaN among the values": build([0, 8], [8, 16], 16, nan=True),
    "one bit flipped": bytes(flipped),
}
seen = []
for name, raw in cases.items():
    try:
        load(raw)
        verdict = "loads"
    except SafetensorError:
        verdict = "SafetensorError"
        seen.append(name)
    print(f"{name:22}{verdict}")
print("value after the flip:", load(bytes(flipped))["b"].tolist())
assert seen == list(cases)[:4]
