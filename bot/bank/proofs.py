"""Proofs: scripts that show a claim, their recorded output, and whether the records are fresh. Nothing is run here."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from bot.bank.bank import Bank, Proof
from bot.bank.clean import clean
from bot.bank.problems import Problem

FOLDER = "proofs"
INDEX = "index.toml"
"""Name of a proof to its record: sha256 of script and output, versions and date. Written by `make proofs RECORD=1`."""


def read_proof(folder: Path, name: str) -> Proof:
    """A proof of a course.

    Args:
        folder: The course's.
        name: Both of its files are there.

    Raises:
        OSError: A file cannot be read.
        UnicodeDecodeError: A file is not UTF-8.
    """
    script, output = files_of(folder, name)
    return Proof(name, _text(script), _text(output))


def files_of(folder: Path, name: str) -> tuple[Path, Path]:
    """Script and output of a proof."""
    return folder / FOLDER / f"{name}.py", folder / FOLDER / f"{name}.out"


def _text(file: Path) -> str:
    return clean(file.read_text(encoding="utf-8"))


def dated(proof: Proof, index: Mapping[str, object]) -> Proof:
    """A proof with what its course's index says of it; unchanged if that is nothing or malformed."""
    found = index.get(proof.name)
    if not isinstance(found, dict):
        return proof
    try:
        recorded = date.fromisoformat(str(found.get("date")))
    except ValueError:
        recorded = None
    return replace(proof, versions=clean(str(found.get("versions", ""))), recorded=recorded)


def read_index(folder: Path) -> Mapping[str, object]:
    """The index of a course's proofs; empty if there is none that can be read, which `check_proofs` reports."""
    try:
        return tomllib.loads((folder / FOLDER / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def check_proofs(bank: Bank) -> Iterator[Problem]:
    """Proofs whose script or output is not the recorded one, each once."""
    seen = set()
    indexes: dict[str, Mapping[str, object]] = {}
    for entry in bank.entries.values():
        course = bank.decks[entry.item.module].course
        if entry.retired or entry.proof is None or (course, entry.proof.name) in seen:
            continue
        name, folder = entry.proof.name, bank.root / course
        seen.add((course, name))
        record = indexes.setdefault(course, read_index(folder)).get(name)
        if what := _stale(record, *files_of(folder, name)):
            todo = "run `make proofs RECORD=1` and read what it prints"
            yield Problem(f"{course}/{FOLDER}/{name}.py", "", "", what, todo, "proof")


def _stale(record: object, script: Path, output: Path) -> str:
    if not isinstance(record, dict):
        return f"is not in {INDEX}"
    if record.get("script") != _digest(script):
        return "has changed since it was recorded"
    return "" if record.get("output") == _digest(output) else "prints, as recorded, what was written by hand"


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
