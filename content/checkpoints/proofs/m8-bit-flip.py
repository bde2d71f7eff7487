"""A flipped bit keeps a safetensors file loadable and its size equal; SHA-256 against a manifest finds it."""

# needs: torch safetensors
import filecmp
import hashlib
import os
import shutil
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

    # a manifest computed from the damaged copy: the same check now accuses the intact file
    intact = os.path.join(tmp, "local.safetensors")
    save_file({"w": torch.ones(4)}, intact)
    late = hashlib.sha256(open(path, "rb").read()).hexdigest()
    node = os.path.join(tmp, "node.safetensors")
    shutil.copy(path, node)
    load_file(node)
    differs = {
        "hash of the local file": hashlib.sha256(open(intact, "rb").read()).hexdigest() != late,
        "hash of the node's copy": hashlib.sha256(open(node, "rb").read()).hexdigest() != late,
        "bytes, local and store": not filecmp.cmp(intact, path, shallow=False),
        "bytes, store and node": not filecmp.cmp(path, node, shallow=False),
    }
    print("flipped in the upload, manifest from the store; these differ:")
    print(", ".join(k for k, v in differs.items() if v))
    assert list(differs.values()) == [True, False, True, False]
