"""A step counts as finished if its folder has a final name and its commit marker: the others are skipped."""

# needs: nothing
import tempfile
from pathlib import Path


def steps(root: Path, marker: bool) -> list[int]:
    names = [p for p in root.iterdir() if p.name.isdigit()]  # skips 3000.orbax-checkpoint-tmp
    return sorted(int(p.name) for p in names if not marker or (p / "commit_success.txt").is_file())


with tempfile.TemporaryDirectory() as tmp:
    root = Path(tmp)
    for name in ("1000", "2000", "3000.orbax-checkpoint-tmp"):
        (root / name).mkdir()
        (root / name / "data").write_text("x")
    for name in ("1000", "2000"):
        (root / name / "commit_success.txt").write_text("done")
    by_name = steps(root, marker=False)
    print("after a crash, by name:", by_name, "-> latest", by_name[-1])
    assert by_name[-1] == 2000
    (root / "3000.orbax-checkpoint-tmp").rename(root / "3000")
    print("one rename later, by name: latest", steps(root, marker=False)[-1])
    assert steps(root, marker=False)[-1] == 3000
    (root / "2000" / "commit_success.txt").unlink()  # a copy that lost the marker
    found = steps(root, marker=True)
    print("by marker, marker of 2000 lost:", found)
    assert found == [1000]
    assert (root / "2000" / "data").exists()
