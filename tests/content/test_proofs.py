"""Proofs are as they were recorded, and one that no longer holds is found out."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from tests.content.bank import COURSE, bank, by_module, entries

FOLDER = COURSE / "proofs"
RUN = FOLDER / "run.py"
SCRIPTS = sorted(path for path in FOLDER.glob("*.py") if path != RUN)
PLAIN = "m8-job-mtbf"
"""A proof that needs the standard library alone."""


def test_at_least_sixty_items_name_a_proof_and_at_least_half_of_each_module() -> None:
    assert sum(entry.proof is not None for entry in entries()) >= 60
    for module, found in by_module():
        assert 2 * sum(entry.proof is not None for entry in found) >= len(found), module


def test_every_proof_is_named_by_an_item() -> None:
    named = {entry.proof.name for entry in bank().entries.values() if entry.proof}
    assert named == {script.stem for script in SCRIPTS}


def test_scripts_and_outputs_are_the_recorded_ones() -> None:
    index = tomllib.loads((FOLDER / "index.toml").read_text(encoding="utf-8"))
    assert set(index) == {script.stem for script in SCRIPTS} == {path.stem for path in FOLDER.glob("*.out")}
    for script in SCRIPTS:
        record = index[script.stem]
        assert record["script"] == sha256(script.read_bytes()).hexdigest(), script.name
        assert record["output"] == sha256(script.with_suffix(".out").read_bytes()).hexdigest(), script.name
        assert record["versions"].startswith("Python 3."), script.name


def test_every_script_states_its_claim_asserts_it_and_fits_a_chat() -> None:
    for script in SCRIPTS:
        source = script.read_text(encoding="utf-8")
        tree = ast.parse(source)
        claim = ast.get_docstring(tree) or ""
        assert claim.endswith("."), script.name
        assert "\n" not in claim, script.name
        assert any(isinstance(node, ast.Assert) for node in ast.walk(tree)), script.name
        output = script.with_suffix(".out").read_text(encoding="utf-8")
        lines = output.splitlines()
        assert 1 <= len(lines) <= 12, script.name
        assert max(map(len, lines)) <= 75, script.name
        assert output.isascii(), script.name
        assert not output.startswith(" "), script.name
        assert "/tmp" not in output, script.name
        assert len(source) + len(output) < 3800, script.name  # one message on Telegram


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUN), "--folder", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with one proof as it was recorded here, by this very Python."""
    for name in (f"{PLAIN}.py", f"{PLAIN}.out", "index.toml"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    return tmp_path


def test_a_proof_that_holds_passes(copy: Path) -> None:
    done = run(copy)
    assert (done.returncode, done.stdout) == (0, f"holds  {PLAIN}\n1 of 1 proofs hold.\n")


def test_a_changed_claim_fails(copy: Path) -> None:
    script = copy / f"{PLAIN}.py"
    source = script.read_text(encoding="utf-8")
    assert "job == 12" in source
    script.write_text(source.replace("job == 12", "job == 13"), encoding="utf-8")
    done = run(copy)
    assert done.returncode == 1
    assert f"FAILED {PLAIN}: ended with exit code 1" in done.stdout
    assert "AssertionError" in done.stdout


def test_a_changed_output_fails_with_the_difference(copy: Path) -> None:
    output = copy / f"{PLAIN}.out"
    output.write_text(output.read_text(encoding="utf-8").replace("12", "13"), encoding="utf-8")
    done = run(copy)
    assert done.returncode == 1
    assert "--- recorded\n+++ printed now\n" in done.stdout
    assert "every 13 h" in done.stdout
    assert "every 12 h" in done.stdout


def test_a_script_that_was_not_recorded_fails_although_it_prints_the_same(copy: Path) -> None:
    with (copy / f"{PLAIN}.py").open("a", encoding="utf-8") as script:
        script.write("# a thought\n")
    done = run(copy)
    assert done.returncode == 1
    assert "is not the script that was recorded" in done.stdout


def test_recording_makes_a_changed_proof_hold(copy: Path) -> None:
    with (copy / f"{PLAIN}.py").open("a", encoding="utf-8") as script:
        script.write('print("more")\n')
    assert run(copy).returncode == 1
    assert run(copy, "--record", PLAIN).returncode == 0
    assert run(copy).returncode == 0
    assert (copy / f"{PLAIN}.out").read_text(encoding="utf-8").endswith("more\n")


def test_recording_what_has_not_changed_changes_nothing_and_forgets_proofs_that_are_gone(copy: Path) -> None:
    assert run(copy, "--record").returncode == 0
    first = (copy / "index.toml").read_text(encoding="utf-8")
    index = tomllib.loads(first)
    index[PLAIN]["date"] = "2001-01-01"
    (copy / "index.toml").write_text(re.sub(r'date = ".*"', 'date = "2001-01-01"', first), encoding="utf-8")
    assert run(copy, "--record").returncode == 0
    assert tomllib.loads((copy / "index.toml").read_text(encoding="utf-8")) == index
    assert list(index) == [PLAIN]


def test_a_proof_that_does_not_exist_is_named(copy: Path) -> None:
    done = run(copy, "m9-nothing")
    assert done.returncode == 2
    assert "There is no proof m9-nothing" in done.stdout


def test_nothing_proven_is_no_success(tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 1
