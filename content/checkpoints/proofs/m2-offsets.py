"""A tensor starts at 8 + N + BEGIN in the file: data_offsets count from the end of the header."""

# needs: numpy safetensors
import json
import os
import struct
import tempfile

import numpy as np
from safetensors.numpy import save_file

path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
w = np.arange(4, dtype=np.float32)
save_file({"a": np.ones(4, dtype=np.float32), "w": w}, path)
raw = open(path, "rb").read()
n = struct.unpack("<Q", raw[:8])[0]
header = json.loads(raw[8 : 8 + n])
begin, end = header["w"]["data_offsets"]
print("header size N:", n)
print("data_offsets of w:", [begin, end])
right = np.frombuffer(raw[8 + n + begin : 8 + n + end], dtype=np.float32)
wrong = raw[begin:end]
print("bytes from 8 + N + BEGIN:", right.tolist())
print("bytes from BEGIN of file:", wrong)
print("w starts at byte", 8 + n + begin, "of", len(raw))
assert np.array_equal(right, w)
assert len(raw) == 8 + n + 32
assert 8 + n + begin == 136
