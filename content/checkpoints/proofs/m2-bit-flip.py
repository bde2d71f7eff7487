"""Damaged values load without an error and keep names, shapes and size; SHA-256 differs."""

# needs: torch safetensors
import hashlib
import struct

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save

good = save({"w": torch.tensor([1.0, 2.0, 3.0, 4.0])})
head, data = good[:-16], good[-16:]
flipped = bytearray(data)
flipped[3] ^= 0x40
cases = {
    "one bit flipped": head + bytes(flipped),
    "two weights swapped": head + data[4:8] + data[:4] + data[8:],
    "second half zeros": head + data[:8] + bytes(8),
    "a weight is NaN": head + struct.pack("<f", float("nan")) + data[4:],
    "last 4 bytes missing": good[:-4],
}
loaded = []
for name, raw in cases.items():
    assert hashlib.sha256(raw).digest() != hashlib.sha256(good).digest()
    try:
        w = load(raw)["w"]
        assert w.shape == (4,)
        assert len(raw) == len(good)
        loaded.append(name)
        print(f"{name:21}{w.tolist()}")
    except SafetensorError:
        print(f"{name:21}SafetensorError")
print("opened without an error:", len(loaded), "of", len(cases), "- SHA-256 differs in", len(cases))
assert loaded == list(cases)[:4]
