"""The cost of an answer in a file with 1,000,000 attempts, against one with 10,000."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bench.answers import CALLERS, POSITIONS, round_s
from bench.measure import Measure, in_turns
from bench.world import add_sessions, bank, crowd, open_store
from bot.bank import Bank

ROUNDS = 7


async def _fill(path: Path, of: Bank) -> list[tuple[str, int]]:
    async with open_store(path) as store:
        count = CALLERS * (ROUNDS + 1)
        return await store.run(lambda tx: add_sessions(tx, of, 0, count, positions=POSITIONS))


def _file(path: Path, of: Bank, attempts: int) -> Callable[[], float]:
    """Gives the seconds of the next round, in sessions that were not answered yet."""
    sessions = asyncio.run(_fill(path, of))
    crowd(path, attempts=attempts)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM attempts").fetchone() == (attempts,)
    rounds = iter([sessions[first : first + CALLERS] for first in range(0, len(sessions), CALLERS)])
    return lambda: asyncio.run(round_s(path, of, next(rounds)))


def ratio() -> tuple[float, str]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        of = bank(Path(folder) / "content", 200)
        many = _file(Path(folder) / "many.db", of, 1_000_000)
        few = _file(Path(folder) / "few.db", of, 10_000)
        many_s, few_s = in_turns(many, few, ROUNDS)
    answers = CALLERS * POSITIONS
    return many_s / few_s, f"{many_s / answers * 1e6:.0f} µs an answer against {few_s / answers * 1e6:.0f} µs"


MEASURES = (Measure("attempts.million", 1.5, "at most", ratio),)
