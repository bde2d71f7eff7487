"""A flipped bit keeps a safetensors file loadable and its size equal; SHA-256 against a manifest finds it."""

# needs: torch safetensors
import hashlib
import os
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "model.safetensors")
    save_file({"w": torch.ones(4)}, path)
    manifest = {"sha256": hashlib.sha256(open(path, "rb").read()).hexdigest(), "size": os.path.getsize(path)}
    data = bytearray(open(path, "rb").read())
    data[-1] ^= 0b0100_0000  # one bit in the last float
    with open(path, "wb") as f:
        f.write(data)
    with safe_open(path, "pt") as f:
        names = list(f.keys())
    w = load_file(path)["w"]
    same = hashlib.sha256(data).hexdigest() == manifest["sha256"]
    print("opens:", names, "| values:", w.tolist())
    print("size as in the manifest:", os.path.getsize(path) == manifest["size"])
    print("hash as in the manifest:", same)
    assert names == ["w"]
    assert w[3] != 1
    assert os.path.getsize(path) == manifest["size"]
    assert not same
