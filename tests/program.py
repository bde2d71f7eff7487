"""The real program as a process: started as a person starts it, in an environment that the test decides alone."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest

from bot.quiz import Attempt, Session
from bot.store import Store, Tx
from bot.tutor import solo_slot

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[1]

WAIT_S = 60
"""How long a process may take before the test gives up on it."""


@dataclass(frozen=True)
class Ran:
    """What a process left behind."""

    code: int
    out: str
    """Without the spaces at the ends of lines, which nobody sees."""
    err: str

    @property
    def words(self) -> str:
        """What was printed, in one line."""
        return " ".join(self.out.split())


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment in which nothing of the machine's own settings is left."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "NO_COLOR": "1",
        "COLUMNS": "72",
        "TERM": "dumb",
        "LANG": "en_US.UTF-8",
        "KONTROLKA_DATA": str(home / "kontrolka.db"),
        **(more or {}),
    }


def kontrolka(
    home: Path, *arguments: str, typed: Sequence[str] = (), more: Mapping[str, str] | None = None, cwd: Path = ROOT
) -> Ran:
    """Run the program to its end.

    Args:
        home: The home directory; the data file lies in it.
        arguments: The command line.
        typed: The lines that are piped in.
        more: Further variables of the environment.
        cwd: Where it is started.
    """
    done = subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        input="".join(f"{line}\n" for line in typed).encode(),
        capture_output=True,
        env=environment(home, more),
        cwd=cwd,
        timeout=WAIT_S,
        check=False,
    )
    return Ran(done.returncode, stripped(done.stdout.decode()), done.stderr.decode())


def stripped(text: str) -> str:
    """A text without the spaces at the ends of its lines."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 the process under test reads the same clock


def stored(data: Path, fn: Callable[[Tx], T]) -> T:
    """Look into a data file, or write into it, while no process has it."""

    async def work() -> T:
        async with Store.open(data, clock=now) as store:
            return await store.run(fn)

    return asyncio.run(work())


def solo(tx: Tx) -> tuple[Session | None, list[Attempt]]:
    """The open session of the one who plays in the terminal, and its attempts."""
    learner = tx.learner_of("terminal", "", now())
    session = tx.open_session(tx.place_of("terminal", "", at=now()).id, solo_slot(learner))
    return session, tx.attempts_of(session.id) if session else []


def assert_same(path: Path, text: str, config: pytest.Config) -> None:
    """Compare a text with a file, or write the file if that is asked for."""
    if config.getoption("--rewrite-transcripts"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing: run pytest --rewrite-transcripts, and read what it wrote"
    assert text == path.read_text(encoding="utf-8")
