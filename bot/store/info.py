"""What is in a data file, for the person who runs the program."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.quiz import Void
from bot.store.attempts import Report
from bot.store.connection import Sql, connect, opening
from bot.store.lock import there
from bot.store.migrations import names, version
from bot.store.times import maybe_moment, micros
from bot.store.tx import Tx


@dataclass(frozen=True, slots=True)
class Info:
    """The figures of a data file."""

    path: Path
    bytes: int
    log_bytes: int
    """Of the write-ahead log beside it; 0 if there is none."""
    version: int
    """How many migrations the file has."""
    known_version: int
    """How many migrations the program has; more than `version` means that the next start changes the file."""
    sqlite: str
    """Version of the SQLite library."""
    damage: str | None
    """What SQLite's quick check found first; None if the file is sound."""
    rows: Mapping[str, int]
    """By table, every table of the file's version."""
    open_sessions: int
    pending_posts: int
    """Messages that will be sent."""
    uncertain_posts: int
    """Messages of which nobody knows whether they were sent."""
    waiting_updates: int
    """Deliveries that will be processed."""
    quarantined_updates: int
    """Deliveries that could not be processed."""
    next_due: datetime | None
    """When something is due next, UTC; in the past if it will happen right after the start, None if nothing is due."""


def info(path: Path) -> Info:
    """The figures of a data file, of which another process may be writing right now.

    It reads the whole file.

    Raises:
        FileNotFoundError: There is no such file.
        TooNew: The file was written by a newer program.
        Corrupt: It is no data file of this program, or so damaged that it cannot be read.
        Unavailable: It cannot be opened.
    """
    if not there(path):
        raise FileNotFoundError(f"{path}: there is no such data file: look at KONTROLKA_DATA")
    with opening(path), closing(connect(path, readonly=True)) as db:
        db.execute("BEGIN")
        has = version(path, db)
        tables = [name for name in db.table_names() if not name.startswith(("_", "sqlite_"))]
        damage = db.execute("PRAGMA quick_check(1)").fetchone()[0]

        def count(table: str, condition: str = "1") -> int:
            if table not in tables:  # the file is older
                return 0
            return int(db.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0])  # noqa: S608

        soonest = (
            db.execute("SELECT min(coalesce(claimed_until, at)) FROM due").fetchone()[0] if "due" in tables else None
        )
        log = path.with_name(f"{path.name}-wal")
        return Info(
            path=path,
            bytes=path.stat().st_size,
            log_bytes=log.stat().st_size if log.exists() else 0,
            version=has,
            known_version=len(names()),
            sqlite=sqlite3.sqlite_version,
            damage=None if damage == "ok" else damage,
            rows={table: count(table) for table in tables},
            open_sessions=count("sessions", "open = 1"),
            pending_posts=count("posts", "state = 'pending'"),
            uncertain_posts=count("posts", "state IN ('sending', 'uncertain')"),
            waiting_updates=count("inbox", "state = 'waiting'"),
            quarantined_updates=count("inbox", "state = 'quarantined'"),
            next_due=maybe_moment(soonest),
        )


def reports(path: Path) -> list[Report]:
    """Every report in a data file of which another process may be writing right now, oldest first.

    Raises:
        TooNew: The file was written by a newer program.
        Corrupt: It is no data file, or so damaged that it cannot be read.
        Unavailable: It cannot be opened.
    """
    with opening(path), closing(connect(path, readonly=True)) as db:
        version(path, db)
        return Tx(Sql(db)).reports() if "reports" in db.table_names() else []


def voids(path: Path) -> list[Void]:
    """Which items are void or have been, in a data file of which another process may be writing right now.

    Raises:
        TooNew: The file was written by a newer program.
        Corrupt: It is no data file, or so damaged that it cannot be read.
        Unavailable: It cannot be opened.
    """
    with opening(path), closing(connect(path, readonly=True)) as db:
        version(path, db)
        return list(Tx(Sql(db)).voids()) if "voids" in db.table_names() else []


def overdue(path: Path, at: datetime) -> int:
    """How many things were due before a moment, so that they happen right after the next start.

    Raises:
        Corrupt: It is no data file, or so damaged that it cannot be read.
        Unavailable: It cannot be opened.
    """
    with opening(path), closing(connect(path, readonly=True)) as db:
        if "due" not in db.table_names():  # the file is older
            return 0
        return int(db.execute("SELECT count(*) FROM due WHERE at < ?", (micros(at),)).fetchone()[0])
