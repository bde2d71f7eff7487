"""SIGKILL loses both versions of a file being overwritten; the source of a copy and, by a rename, the old one stay."""

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
COPIER = """
import os, shutil, sys
def stuck(fin, fout, *_):  # shutil.copy stops in the middle, as if the disk were slow
    part = os.fstat(fin.fileno()).st_size * 39 // 100
    fout.write(fin.read(part))
    fout.flush()
    print("ready", flush=True)
    sys.stdin.read()
shutil.copyfileobj, shutil._USE_CP_SENDFILE = stuck, False
shutil.copy(*sys.argv[1:])
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
    last, backup = (os.path.join(tmp, n) for n in ("last.pt", "backup.pt"))
    for path in (last, backup):
        torch.save({f"w{i}": torch.ones(1000) for i in range(25)}, path)
    job = subprocess.Popen([sys.executable, "-c", COPIER, last, backup], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    job.stdout.readline()
    job.send_signal(signal.SIGKILL)
    job.wait()
    try:
        torch.load(backup)
        raise SystemExit("no error?")
    except (OSError, RuntimeError):
        print("copy    : torch.load refuses the target,", end=" ")
    print(f"reads {len(torch.load(last))} tensors from the source")
