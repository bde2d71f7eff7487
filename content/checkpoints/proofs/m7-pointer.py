"""A loader that follows a pointer file ignores newer folders, and without the pointer it returns nothing."""

# needs: nothing
import tempfile
from pathlib import Path


def load(root: Path, tag=None):  # the rule of load_checkpoint in deepspeed 0.19.8, reduced to the tag
    if tag is None:
        pointer = root / "latest"
        if not pointer.is_file():
            print("warning: unable to find latest file")
            return None, None
        tag = pointer.read_text().strip()
    return str(tag), {"step": int(tag.removeprefix("global_step"))}


with tempfile.TemporaryDirectory() as tmp:
    root = Path(tmp)
    for step in (400, 500):
        (root / f"global_step{step}").mkdir()
    (root / "latest").write_text("global_step400")
    tag, state = load(root)
    print("pointer says 400, folders 400 and 500 ->", tag)
    assert tag == "global_step400"
    (root / "latest").unlink()
    tag, state = load(root)
    step = state["step"] if state else 0
    print("pointer missing ->", tag, "-> the script starts at step", step)
    assert (tag, step) == (None, 0)
    tag, state = load(root, "global_step500")
    print("tag passed explicitly ->", tag)
    assert state["step"] == 500
