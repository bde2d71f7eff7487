"""A flipped bit inside the data loads without an error and keeps names, shapes and size; SHA-256 differs."""

# needs: torch safetensors
import hashlib

import torch
from safetensors.torch import load, save

good = save({"w": torch.ones(4)})
bad = bytearray(good)
bad[-1] ^= 0x40
bad = bytes(bad)
a, b = load(good), load(bad)
print("values before:", a["w"].tolist())
print("values after: ", b["w"].tolist())
same_size = len(good) == len(bad)
same_shape = a["w"].shape == b["w"].shape and a.keys() == b.keys()
same_hash = hashlib.sha256(good).digest() == hashlib.sha256(bad).digest()
print("same file size:", same_size)
print("same names and shapes:", same_shape)
print("same SHA-256:", same_hash)
assert same_size
assert same_shape
assert not same_hash
