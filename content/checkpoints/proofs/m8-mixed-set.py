"""Renaming each file separately can leave files of two steps side by side, and they load without an error."""

# needs: nothing
import json
import os
import tempfile


class Killed(Exception):
    pass


def save(folder, step, stop_after=None):
    for n, name in enumerate(("model", "optimizer", "scheduler")):
        if n == stop_after:
            raise Killed
        path = os.path.join(folder, name)
        with open(path + ".tmp", "w") as f:
            json.dump({"step": step}, f)
        os.replace(path + ".tmp", path)  # atomic - for this one file


with tempfile.TemporaryDirectory() as tmp:
    save(tmp, 400)
    try:
        save(tmp, 500, stop_after=1)
    except Killed:
        print("killed between the files")
    steps = {}
    for name in sorted(os.listdir(tmp)):
        with open(os.path.join(tmp, name)) as f:
            steps[name] = json.load(f)["step"]  # every file is complete and readable
    print(steps)
    assert steps == {"model": 500, "optimizer": 400, "scheduler": 400}
