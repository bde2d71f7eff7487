"""Lanes: threads with a connection of their own, which carry out the functions that coroutines hand in.

Laws of the writing lane:

1. No future resolves before the commit of its function is on disk.
2. Functions that wait together share one commit, each in a savepoint of its own: one that raises is undone alone.
3. If the transaction as a whole fails, every function of the batch is run again in a transaction of its own.
   So a function may run twice; what it did the first time is undone.
4. A function that was handed in is carried out, whether or not its caller still waits.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from sqlite_utils import Database

from bot.store.connection import Sql, Unavailable, reason_of
from bot.store.tx import Tx

BATCH = 256
"""Functions that share one commit, at most. Chosen by us: it bounds how long the first of them waits."""


class Call(NamedTuple):
    """A function that waits for its turn."""

    fn: Callable[[Tx], Any]
    future: asyncio.Future[Any]


class Outcome(NamedTuple):
    """What became of a call."""

    future: asyncio.Future[Any]
    value: Any
    error: BaseException | None


class Lane:
    """One thread, one connection, one queue."""

    def __init__(self, path: Path, name: str, connect: Callable[[], Database]) -> None:
        self._path = path
        self._connect = connect
        self._queue: SimpleQueue[Call | None] = SimpleQueue()
        self._opened: concurrent.futures.Future[None] = concurrent.futures.Future()
        # A daemon, so that a program which forgets to close still ends; what was acknowledged is on disk anyway.
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def opened(self) -> None:
        """Wait for the connection; whatever opening it raised is raised here."""
        self._opened.result()

    def put(self, fn: Callable[[Tx], Any]) -> asyncio.Future[Any]:
        """Hand in a function."""
        future = asyncio.get_running_loop().create_future()
        self._queue.put(Call(fn, future))
        return future

    def end(self) -> None:
        """Carry out what was handed in, close the connection, wait for the end of the thread. Nothing may follow."""
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        try:
            db = self._connect()
        except BaseException as error:  # noqa: BLE001 whoever opens the store gets it
            self._opened.set_exception(error)
            return
        sql = Sql(db)
        tx = Tx(sql)
        self._opened.set_result(None)
        ended = False
        while not ended:
            waiting = [self._queue.get()]
            waiting.extend(self._queue.get() for _ in range(min(self._queue.qsize(), BATCH - 1)))
            batch = [call for call in waiting if call is not None]
            ended = len(batch) < len(waiting)
            if batch:
                self._carry_out(sql, tx, batch)
        db.close()

    def _carry_out(self, sql: Sql, tx: Tx, batch: list[Call]) -> None:
        raise NotImplementedError

    def _translated(self, error: sqlite3.Error) -> BaseException:
        reason = reason_of(error)
        if reason is None:
            return error
        unavailable = Unavailable(self._path, reason)
        unavailable.__cause__ = error
        return unavailable


class WritingLane(Lane):
    """The only writer."""

    def _carry_out(self, sql: Sql, tx: Tx, batch: list[Call]) -> None:
        try:
            sql.control("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            deliver([Outcome(call.future, None, self._translated(error)) for call in batch])
            return
        try:
            outcomes = _together(sql, tx, batch)
        except sqlite3.Error as error:
            _roll_back(sql)
            if len(batch) == 1:
                deliver([Outcome(batch[0].future, None, self._translated(error))])
                return
            for call in batch:
                self._carry_out(sql, tx, [call])
            return
        deliver(outcomes)


class ReadingLane(Lane):
    """Boards, exports and statistics: one function at a time, each on one state of the file."""

    def _carry_out(self, sql: Sql, tx: Tx, batch: list[Call]) -> None:
        for call in batch:
            sql.broken = None
            value, error = None, None
            try:
                sql.control("BEGIN")
                value = call.fn(tx)
            except sqlite3.Error as caught:
                error = caught if reason_of(caught) == "readonly" else self._translated(caught)
            except BaseException as caught:  # noqa: BLE001 its caller gets it
                error = caught
            _roll_back(sql)
            deliver([Outcome(call.future, value, error)])


def _together(sql: Sql, tx: Tx, batch: list[Call]) -> list[Outcome]:
    """Run a batch in the transaction that has begun, and commit it.

    Raises:
        sqlite3.Error: The transaction as a whole has failed.
    """
    sql.broken = None
    control = sql.control
    outcomes = []
    for fn, future in batch:
        control("SAVEPOINT call")
        try:
            outcome = Outcome(future, fn(tx), None)
        except BaseException as error:  # noqa: BLE001 its caller gets it
            outcome = Outcome(future, None, error)
        if sql.broken is not None:
            raise sql.broken
        if outcome.error is not None:
            control("ROLLBACK TO call")
        control("RELEASE call")
        outcomes.append(outcome)
    control("COMMIT")
    return outcomes


def _roll_back(sql: Sql) -> None:
    with suppress(sqlite3.Error):  # the error may have ended the transaction already
        sql.control("ROLLBACK")


def deliver(outcomes: list[Outcome]) -> None:
    """Resolve futures in their own event loops, with one call into each."""
    by_loop: dict[asyncio.AbstractEventLoop, list[Outcome]] = {}
    for outcome in outcomes:
        by_loop.setdefault(outcome.future.get_loop(), []).append(outcome)
    for loop, part in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any longer
            loop.call_soon_threadsafe(_settle, part)


def _settle(outcomes: list[Outcome]) -> None:
    for future, value, error in outcomes:
        if future.done():  # the caller was cancelled
            continue
        if error is None:
            future.set_result(value)
        elif isinstance(error, StopIteration):  # a future refuses it
            future.set_exception(RuntimeError("the function raised StopIteration"))
        else:
            future.set_exception(error)
