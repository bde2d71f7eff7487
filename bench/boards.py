"""A board of a place with 1,000,000 attempts, against one with 10,000; and with them elsewhere in the file."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from time import perf_counter

from bench.measure import Measure, in_turns
from bench.world import NOW, open_store
from bot.store import Place, Tx
from bot.tutor import Period, board

ROUNDS = 15
SUNDAY = NOW + timedelta(days=6)
"""When the boards are asked for: the week and the weeks before are full of answers."""
PEOPLE = 200
"""Of the place that is asked; as many whoever answers how often."""
REPEATS = 20
"""Boards in one round."""

_NUMBERS = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)"
_POLICY = '{"answerers":"everyone","feedback":"on_reveal","change":"never","pace":"host"}'


def _file(path: Path, here: int, elsewhere: int) -> Callable[[], float]:
    """Gives the seconds of a round of boards of a place with so many attempts, in a file with others elsewhere.

    Daily questions of one item; everybody answers each.
    """

    async def empty() -> None:
        async with open_store(path) as store:
            await store.run(lambda tx: [tx.place_of("telegram", f"-{n}", at=NOW) for n in (1, 2)])

    asyncio.run(empty())
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        db.execute(f"{_NUMBERS} INSERT INTO learners (id, created_at) SELECT 1 + i, 0 FROM n", (PEOPLE,))
        db.execute(f"{_NUMBERS} INSERT INTO names (place, learner, name) SELECT 1, 1 + i, 'P' || i FROM n", (PEOPLE,))
        for place, attempts in ((1, here), (2, elsewhere)):
            if attempts:
                db.execute(
                    f"{_NUMBERS} INSERT INTO sessions (id, place, slot, host, quiz, created_at, open, position, phase, "
                    "dropped, policy, locales, plan) "
                    "SELECT ? || '-' || i, ?, 'daily:1:' || i, 1, '', 0, 0, 0, 'closed', '[]', ?, '[\"en\"]', "
                    '\'[["item","a"]]\' FROM n',
                    (attempts // PEOPLE, place, place, _POLICY),
                )
        db.execute(
            f"{_NUMBERS} INSERT INTO attempts "
            "(session, position, item, learner, revision, response, grade_n, grade_d, at, on_date) "
            "SELECT s.id, 0, 'item-' || (s.rowid % 200), 1 + i, 0, '{\"chosen\":[\"a\"]}', (i * s.rowid) % 4, "
            "3 + s.rowid % 3, "
            "1000 * s.rowid, date('2026-12-07', '-' || (s.rowid % 4000) || ' days') "
            "FROM n, sessions AS s",
            (PEOPLE,),
        )
        db.execute("DELETE FROM _sqlite_migrations WHERE name LIKE 'm0005%'")
        for table in ("settled", "tallies", "codes", "tries"):
            db.execute(f"DROP TABLE {table}")
        db.execute("ALTER TABLE learners DROP COLUMN hidden")
        db.execute("ALTER TABLE accounts DROP COLUMN linked_at")
        db.execute("COMMIT")
    asyncio.run(_migrated(path, here))
    return lambda: asyncio.run(_round_s(path))


async def _migrated(path: Path, here: int) -> None:
    """Let the migration add up what the attempts say."""
    async with open_store(path) as store:
        counted = await store.read(lambda tx: sum(tally.answers for tally in tx.boards.tallies(_place(tx), [""])))
        assert counted == here


def _place(tx: Tx) -> Place:
    place = tx.place(1)
    assert place is not None
    return place


async def _round_s(path: Path) -> float:
    """Seconds for boards of all kinds, read as the program reads them."""
    async with open_store(path) as store:
        await store.read(lambda tx: board(tx, _place(tx), 7, Period.ALL, SUNDAY, 0))
        started = perf_counter()
        for _ in range(REPEATS):
            for period in Period:
                await store.read(lambda tx, period=period: board(tx, _place(tx), 7, period, SUNDAY, 0))
        return perf_counter() - started


def _ratio(here: tuple[int, int], elsewhere: tuple[int, int]) -> tuple[float, str]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        many = _file(Path(folder) / "many.db", here[0], elsewhere[0])
        few = _file(Path(folder) / "few.db", here[1], elsewhere[1])
        many_s, few_s = in_turns(many, few, ROUNDS)
    boards = REPEATS * len(Period)
    return many_s / few_s, f"{many_s / boards * 1e6:.0f} µs a board against {few_s / boards * 1e6:.0f} µs"


MEASURES = (
    Measure("boards.file", 2, "at most", lambda: _ratio((10_000, 10_000), (990_000, 0))),
    Measure("boards.place", 2, "at most", lambda: _ratio((1_000_000, 10_000), (0, 0))),
)
