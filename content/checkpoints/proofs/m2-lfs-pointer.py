"""A Git LFS pointer gives 'header too large'; empty and truncated files give other errors."""

# needs: torch safetensors
import os
import struct
import tempfile

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save

path = os.path.join(tempfile.mkdtemp(), "model.safetensors")
whole = save({"w": torch.ones(1000)})
pointer = "version https://git-lfs.github.com/spec/v1\n"
pointer += "oid sha256:" + "4d7a2146" * 8 + "\nsize 4976698672\n"
cases = {"pointer": pointer.encode(), "empty": b"", "truncated": whole[:2000], "complete": whole}
print("first 8 bytes of the pointer:", cases["pointer"][:8])
print("read as a length:", struct.unpack("<Q", cases["pointer"][:8])[0])
errors = {}
for name, raw in cases.items():
    with open(path, "wb") as f:
        f.write(raw)
    try:
        load_file(path)
        errors[name] = "loads"
    except SafetensorError as e:
        errors[name] = str(e).split(": ")[1]
    print(f"{name:10}{len(raw):5} bytes: {errors[name]}")
assert len(cases["pointer"]) == 135
assert [n for n, e in errors.items() if e == "header too large"] == ["pointer"]
assert errors["complete"] == "loads"
