"""Opening safetensors reveals truncated, extended and overlapping files, but neither a flipped bit nor NaN."""

# needs: torch safetensors
import json
import struct

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

good = save({"a": torch.ones(2), "b": torch.ones(2)})
flipped = bytearray(good)
flipped[-1] ^= 0x40
header = json.dumps({k: {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]} for k in "ab"}).encode()
cases = {
    "4 bytes cut off": good[:-4],
    "4 bytes appended": good + b"\0" * 4,
    "overlapping ranges": struct.pack("<Q", len(header)) + header + b"\0" * 8,
    "one bit flipped": bytes(flipped),
    "NaN among the values": save({"a": torch.tensor([float("nan"), 1.0])}),
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
assert seen == list(cases)[:3]
