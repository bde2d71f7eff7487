"""A Git LFS pointer saved under a safetensors name fails with 'header too large'."""

# needs: torch safetensors
import os
import struct
import tempfile

from safetensors import SafetensorError
from safetensors.torch import load_file

path = os.path.join(tempfile.mkdtemp(), "model.safetensors")
with open(path, "w") as f:
    f.write("version https://git-lfs.github.com/spec/v1\n")
    f.write("oid sha256:" + "4d7a2146" * 8 + "\nsize 4976698672\n")
first = open(path, "rb").read(8)
error = ""
try:
    load_file(path)
except SafetensorError as e:
    error = str(e)
print("size of the file:", os.path.getsize(path), "bytes")
print("first 8 bytes:", first)
print("read as a length:", struct.unpack("<Q", first)[0])
print(error)
assert "header too large" in error
assert os.path.getsize(path) == 135
