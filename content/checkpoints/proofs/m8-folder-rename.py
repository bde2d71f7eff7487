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

with tempfile.TemporaryDirectory() as tmp:
    root = Path(tmp)
    said = []
    for step in range(30, 181, 30):
        if step == 90:
            os.rename(root / "ck", root / "keep")  # at step 75
        (root / "ck.tmp").mkdir(exist_ok=True)
        (root / "ck.tmp" / "model").write_text(str(step))
        try:
            os.replace(root / "ck.tmp", root / "ck")
        except OSError as e:
            said.append(step)
            assert e.errno in (errno.ENOTEMPTY, errno.EEXIST)
    held = {name: (root / name / "model").read_text() for name in ("keep", "ck")}
    print("ck moved away at step 75: errors at steps", said)
    print("steps held after step 180:", held)
    assert said == [60, 120, 150, 180]
    assert held == {"keep": "30", "ck": "90"}
