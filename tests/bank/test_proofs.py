"""A proof whose script or output was changed since it was recorded is reported, once, whatever names it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from bot.bank import check, load
from tests.bank.authors import ITEM, changed, course, write

SCRIPT, OUTPUT = b"print('acorns')\n", b"acorns\n"
NAMED = changed(ITEM, ("level = 1", 'level = 1\nproof = "oak"'))
TWICE = NAMED + changed(NAMED, ("leaf-of-the-oak", "second"))
INDEX = f"""\
[oak]
script = "{sha256(SCRIPT).hexdigest()}"
output = "{sha256(OUTPUT).hexdigest()}"
versions = "Python 3.11.7"
date = "2026-11-30"
"""


def proven(root: Path, **files: str | bytes) -> Path:
    """A course of two items that name the same proof; its files may be replaced by name."""
    there = {"oak.py": SCRIPT, "oak.out": OUTPUT, "index.toml": INDEX, **files}
    return write(course(root, item=TWICE), {f"trees/proofs/{name}": text for name, text in there.items()})


def test_a_fresh_proof_is_no_problem(tmp_path: Path) -> None:
    assert check(proven(tmp_path)) == []


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("oak.py", "print('nuts')\n", "has changed since it was recorded"),
        ("oak.out", "nuts\n", "prints, as recorded, what was written by hand"),
        ("index.toml", "", "is not in index.toml"),
        ("index.toml", "[oak", "is not in index.toml"),
    ],
)
def test_a_proof_that_is_not_as_recorded_is_reported_once_and_starts_all_the_same(
    file: str, content: str, said: str, tmp_path: Path
) -> None:
    root = proven(tmp_path, **{file: content})
    problems = [str(problem) for problem in check(root)]
    assert problems == [f"trees/proofs/oak.py: {said}: run `make proofs RECORD=1` and read what it prints"]
    proof = load(root).entries["second"].proof
    assert proof is not None
    assert proof.name == "oak"


def test_a_proof_that_is_no_text_is_reported(tmp_path: Path) -> None:
    problems = [str(problem) for problem in check(proven(tmp_path, **{"oak.out": b"\xff"}))]
    assert any("proof: `oak` cannot be read" in problem for problem in problems)
