"""A folder cannot be renamed over a non-empty one; a new folder per step and a small pointer can be swapped."""

# needs: nothing
import errno
import os
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as tmp:
    root = Path(tmp)
    for name in ("ck", "ck.tmp"):
        (root / name).mkdir()
        (root / name / "model").write_text(name)
    try:
        os.replace(root / "ck.tmp", root / "ck")
        raise SystemExit("no error?")
    except OSError as e:
        print("os.replace(folder over folder):", e.strerror)
        assert e.errno in (errno.ENOTEMPTY, errno.EEXIST)
    assert (root / "ck" / "model").read_text() == "ck"
    os.replace(root / "ck.tmp", root / "step-200")  # free name: works
    (root / "latest.tmp").write_text("step-200")
    os.replace(root / "latest.tmp", root / "latest")  # file over file: atomic
    print("new folder per step, pointer:", (root / "latest").read_text())
    assert (root / (root / "latest").read_text() / "model").exists()
