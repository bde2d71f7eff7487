"""Durable answers per second: 64 callers wait at once for tutor and store, against sqlite3 writing the same rows."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from time import perf_counter

from bench.measure import Measure, in_turns
from bench.world import NOW, add_sessions, bank, open_store
from bot.bank import Bank
from bot.quiz import Answer, Next, Opened, Response
from bot.store import Store, Tx
from bot.tutor import act

CALLERS = 64
POSITIONS = 20
"""Answers of each caller in one round, one at each position of a session of its own."""
ROUNDS = 9

INSERT = (
    "INSERT INTO attempts (session, position, item, learner, response, grade_n, grade_d, revision, at, on_date) "
    "VALUES (?, ?, ?, ?, '{\"chosen\":[\"a\"]}', 1, 1, 0, ?, '2026-11-30')"
)
UPDATE = "UPDATE sessions SET phase = 'revealed' WHERE id = ? AND position IS ? AND phase IS 'open'"
MOVE = "UPDATE sessions SET phase = 'open', position = ? WHERE id = ?"


class Files:
    """Data files with open sessions, all alike; each round takes a fresh one."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number = folder, 0
        self.bank = bank(folder / "content", 200)
        self.template = folder / "template.db"
        self.sessions = asyncio.run(self._fill())

    async def _fill(self) -> list[tuple[str, int]]:
        async with open_store(self.template) as store:
            return await store.run(lambda tx: add_sessions(tx, self.bank, 0, CALLERS, positions=POSITIONS))

    def fresh(self) -> Path:
        self.number += 1
        path = self.folder / f"{self.number}.db"
        with closing(sqlite3.connect(self.template)) as source, closing(sqlite3.connect(path)) as target:
            source.backup(target)
        return path


async def answer_all(store: Store, of: Bank, sessions: list[tuple[str, int]], position: int) -> float:
    """Seconds until every session has its answer at a position, all of them waiting at once."""

    async def caller(session: str, learner: int) -> None:
        answer = Answer(by=learner, position=position, at=NOW + timedelta(seconds=5), response=Response(("a",)))
        step = await store.run(lambda tx: act(tx, of, session, answer))
        assert step is not None
        assert step.attempt is not None

    started = perf_counter()
    await asyncio.gather(*(caller(session, learner) for session, learner in sessions))
    return perf_counter() - started


async def round_s(path: Path, of: Bank, sessions: list[tuple[str, int]]) -> float:
    """Seconds for an answer to each question of each session; going on to the next question is not counted."""
    async with open_store(path) as store:
        took = 0.0
        for position in range(POSITIONS):
            took += await answer_all(store, of, sessions, position)
            await store.run(lambda tx, position=position: move_on(tx, of, sessions, position))
        return took


def move_on(tx: Tx, of: Bank, sessions: list[tuple[str, int]], position: int) -> None:
    for session, learner in sessions:
        act(tx, of, session, Next(by=learner, position=position, at=NOW))
        act(tx, of, session, Opened(by=None, position=position + 1, at=NOW))


def plainly(files: Files) -> float:
    """Seconds for the same rows in batches of 64, without anything else."""
    with closing(sqlite3.connect(files.fresh(), isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        at, took = int(NOW.timestamp() * 1e6), 0.0
        for position in range(POSITIONS):
            started = perf_counter()
            db.execute("BEGIN IMMEDIATE")
            for session, learner in files.sessions:
                db.execute(INSERT, (session, position, "item-0", learner, at))
                db.execute(UPDATE, (session, position))
            db.execute("COMMIT")
            took += perf_counter() - started
            db.executemany(MOVE, [(position + 1, session) for session, _ in files.sessions])
        return took


def ratio() -> tuple[float, str]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        files = Files(Path(folder))
        ours_s, plain_s = in_turns(
            lambda: asyncio.run(round_s(files.fresh(), files.bank, files.sessions)), lambda: plainly(files), ROUNDS
        )
    answers = CALLERS * POSITIONS
    return plain_s / ours_s, f"{answers / ours_s:,.0f} answers/s against {answers / plain_s:,.0f}"


MEASURES = (Measure("answers.durable", 0.12, "at least", ratio),)
