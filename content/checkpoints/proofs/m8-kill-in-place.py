"""SIGKILL while overwriting leaves neither version readable; with a temporary file and a rename the old one stays."""

# needs: torch
import os
import signal
import subprocess
import sys
import tempfile

import torch

WRITER = """
import os, sys
path, mode = sys.argv[1:]
new = open(path, "rb").read()
f = open(path if mode == "in-place" else path + ".tmp", "wb")
f.write(new[:len(new) * 39 // 100])
f.flush()
print("ready", flush=True)
sys.stdin.read()  # hangs as if the disk were slow
f.close()
if mode != "in-place":
    os.replace(path + ".tmp", path)
"""
with tempfile.TemporaryDirectory() as tmp:
    for mode in ("in-place", "rename"):
        path = os.path.join(tmp, mode)
        torch.save({f"w{i}": torch.ones(1000) for i in range(25)}, path)
        size = os.path.getsize(path)
        job = subprocess.Popen(
            [sys.executable, "-c", WRITER, path, mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        job.stdout.readline()
        job.send_signal(signal.SIGKILL)
        job.wait()
        try:
            read = f"torch.load reads {len(torch.load(path))} tensors"
        except (OSError, RuntimeError):
            read = "torch.load refuses it"
        left = round(100 * os.path.getsize(path) / size)
        print(f"{mode:8}: {left} % of the file are there, {read}")
        assert ("refuses" in read) is (mode == "in-place")
        assert left == (39 if mode == "in-place" else 100)
