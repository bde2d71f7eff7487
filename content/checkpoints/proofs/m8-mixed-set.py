"""Renaming each file separately can leave files of two steps side by side, and they load without an error."""

# needs: nothing
import json
import os
import tempfile
from contextlib import suppress


class Killed(Exception):
    pass


def save(folder, step, order, stop_after=None):
    for n, name in enumerate(order):
        if n == stop_after:
            raise Killed
        path = os.path.join(folder, name)
        with open(path + ".tmp", "w") as f:
            json.dump({"step": step}, f)
        os.replace(path + ".tmp", path)  # atomic - for this one file


def after_a_kill(order, stop_after):
    with tempfile.TemporaryDirectory() as tmp:
        save(tmp, 400, order)
        with suppress(Killed):
            save(tmp, 500, order, stop_after)
        steps = {}
        for name in sorted(os.listdir(tmp)):
            with open(os.path.join(tmp, name)) as f:
                steps[name] = json.load(f)["step"]  # every file is complete and readable
    print("renamed before the kill:", *order[:stop_after], "->", *steps.values())
    return list(steps.values())


FORWARD = ("model", "optimizer", "scheduler")
assert after_a_kill(FORWARD, 1) == [500, 400, 400]
assert after_a_kill(FORWARD, 2) == [500, 500, 400]
assert after_a_kill(FORWARD[::-1], 1) == [400, 400, 500]
assert after_a_kill(FORWARD[::-1], 2) == [400, 500, 500]
