"""The store's door: open a file, run functions over it, close it."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from filelock import FileLock
from sqlite_utils import Database

from bot.store.backup import copy
from bot.store.connection import connect, opening
from bot.store.lanes import ReadingLane, WritingLane
from bot.store.lock import make_room, own
from bot.store.migrations import migrations, names, version
from bot.store.times import moment
from bot.store.tx import Tx

T = TypeVar("T")

log = logging.getLogger(__name__)

_CLOCK_SLACK = timedelta(minutes=1)
"""How far the clock may be behind the file before it is worth a warning. Chosen by us."""


class Store:
    """An open data file. Make one with `Store.open`; it belongs to this process until `close`."""

    def __init__(self, lock: FileLock, writer: WritingLane, reader: ReadingLane) -> None:
        self._lock = lock
        self._writer = writer
        self._reader = reader
        self._closed = False

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], datetime]) -> Store:
        """Open a data file, make it if it is missing, bring its schema up to date.

        Before an existing file is changed it is copied to `<name>.before-<n>.db`, n being the first new migration.
        It blocks; call it before the event loop has other work.

        Args:
            path: The data file; missing folders above it are made.
            clock: Gives the present moment, UTC; a clock that is behind the newest attempt is logged as a warning.

        Raises:
            InUse: Another process has the file open.
            TooNew: The file was written by a newer program.
            Corrupt: The file is damaged or of another program.
            Unavailable: The disk is full or may not be written, or another program has locked the file.
        """
        make_room(path)
        lock = own(path)
        try:
            writer = WritingLane(path, "store-writer", lambda: _prepared(path, clock))
            writer.opened()
            try:
                reader = ReadingLane(path, "store-reader", lambda: connect(path, readonly=True))
                with opening(path):
                    reader.opened()
            except BaseException:
                writer.end()
                raise
        except BaseException:
            lock.release()
            raise
        return cls(lock, writer, reader)

    def run(self, fn: Callable[[Tx], T]) -> asyncio.Future[T]:
        """Run a function in the writer thread and commit what it wrote; to be awaited.

        Functions that wait together share one commit, and each stands or falls alone. The function may be run a
        second time after everything it wrote was undone, so it changes nothing but the store. It must not block.

        Returns:
            A future that has the function's result, or the exception it raised, once the commit is on disk. If the
            store could not do its work the exception is `Unavailable`, and nothing was kept. Cancelling the future
            does not take the function back.

        Raises:
            RuntimeError: The store is closed.
        """
        self._check_open()
        return self._writer.put(fn)

    def read(self, fn: Callable[[Tx], T]) -> asyncio.Future[T]:
        """Run a function that only reads, on a connection of its own, beside the writer; to be awaited.

        It sees everything that was committed before it began, as one state. For boards, exports and statistics.

        Returns:
            A future that has the function's result, or the exception it raised, or `Unavailable`.

        Raises:
            RuntimeError: The store is closed.
        """
        self._check_open()
        return self._reader.put(fn)

    async def forget(self, learner: int) -> dict[str, int]:
        """Remove a learner from every table, in slices between which others are served.

        Returns:
            Rows removed by table; empty if the learner is not known. Backups still have them.
        """
        removed: Counter[str] = Counter()
        while some := await self.run(lambda tx: tx.forget_some(learner)):
            removed.update(some)
        return dict(removed)

    async def close(self) -> None:
        """Carry out what was handed in, then let the file go. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        self._reader.end()
        self._writer.end()
        self._lock.release()

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("the store is closed")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _prepared(path: Path, clock: Callable[[], datetime]) -> Database:
    """The writer's connection to a file with the present schema."""
    with opening(path):
        db = connect(path)
        try:
            db.execute("BEGIN IMMEDIATE")  # a file that may not be written says so now, not at the first answer
            db.execute("ROLLBACK")
            has = version(path, db)
            if has < len(names()):
                if has:
                    copy(db, path.with_name(f"{path.stem}.before-{has + 1}.db"))
                    log.info("%s: the schema goes from %d to %d", path, has, len(names()))
                migrations.apply(db)
            _compare_clock(path, db, clock())
        except BaseException:
            db.close()
            raise
    return db


def _compare_clock(path: Path, db: Database, now: datetime) -> None:
    newest = db.execute("SELECT at FROM attempts ORDER BY id DESC LIMIT 1").fetchone()
    if newest is not None and moment(newest[0]) - now > _CLOCK_SLACK:
        log.warning(
            "%s: the clock is %s behind the newest attempt; deadlines and daily questions will be late: set the clock",
            path,
            moment(newest[0]) - now,
        )
