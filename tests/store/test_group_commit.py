"""Functions that wait together share a commit, and each stands or falls as if it were alone."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from bot.store import Store, Tx, Unavailable
from tests.store.world import NOW, attempt, begin, enlarge_disk, fill_disk, open_store, shrink_disk


@asynccontextmanager
async def one_batch(store: Store) -> AsyncIterator[None]:
    """What is handed in meanwhile waits together."""
    gate = threading.Event()
    busy = store.run(lambda _: gate.wait())
    try:
        yield
    finally:
        gate.set()
    await busy


async def results(*calls: Any) -> list[Any]:
    return await asyncio.gather(*calls, return_exceptions=True)


def meet(account: str) -> Callable[[Tx], int]:
    return lambda tx: tx.learner_of("telegram", account, NOW)


def accounts(path: Path) -> set[str]:
    """Who is on disk, as another program sees it."""
    with closing(sqlite3.connect(path)) as db:
        return {row[0] for row in db.execute("SELECT account FROM accounts")}


class OopsError(Exception):
    pass


def meet_and_raise(account: str, error: BaseException) -> Callable[[Tx], None]:
    def fn(tx: Tx) -> None:
        tx.learner_of("telegram", account, NOW)
        raise error

    return fn


async def test_a_result_comes_back_and_is_on_disk_by_then(store: Store, path: Path) -> None:
    learner = await store.run(meet("A"))
    assert accounts(path) == {"A"}
    assert await store.read(meet("A")) == learner


async def test_one_that_raises_is_undone_alone_and_its_exception_reaches_its_caller_only(
    store: Store, path: Path
) -> None:
    error = OopsError()
    async with one_batch(store):
        waiting = results(store.run(meet("A")), store.run(meet_and_raise("B", error)), store.run(meet("C")))
    a, b, c = await waiting
    assert b is error
    assert (type(a), type(c)) == (int, int)
    assert accounts(path) == {"A", "C"}


async def test_one_that_breaks_a_constraint_is_undone_alone(store: Store, path: Path) -> None:
    def twice(tx: Tx) -> None:
        session = begin(tx, account="B")
        tx.add_attempt(attempt(session, session.host))
        tx.add_attempt(attempt(session, session.host))

    async with one_batch(store):
        waiting = results(store.run(meet("A")), store.run(twice), store.run(meet("C")))
    a, b, c = await waiting
    assert isinstance(b, sqlite3.IntegrityError)
    assert (type(a), type(c)) == (int, int)
    assert accounts(path) == {"A", "C"}


async def test_raising_breaking_a_constraint_and_filling_the_disk_in_one_batch_hurt_nobody_else(
    store: Store, path: Path
) -> None:
    await store.run(lambda tx: (meet("A")(tx), shrink_disk(tx)))
    unknown = attempt(await store.run(begin), 4711)
    async with one_batch(store):
        waiting = results(
            store.run(meet("B")),
            store.run(meet_and_raise("X", OopsError())),
            store.run(fill_disk),
            store.run(lambda tx: tx.add_attempt(unknown)),
            store.run(meet("C")),
        )
    b, raised, full, broken, c = await waiting
    assert isinstance(raised, OopsError)
    assert isinstance(full, Unavailable)
    assert full.reason == "full"
    assert isinstance(full.__cause__, sqlite3.OperationalError)
    assert isinstance(broken, sqlite3.IntegrityError)
    assert (type(b), type(c)) == (int, int)
    assert accounts(path) == {"A", "B", "C"}


async def test_the_store_goes_on_when_the_disk_has_room_again(store: Store) -> None:
    await store.run(lambda tx: (meet("A")(tx), shrink_disk(tx)))
    with pytest.raises(Unavailable, match=r"the disk is full: free some space"):
        await store.run(fill_disk)
    assert await store.run(lambda tx: tx.reports()) == []
    await store.run(enlarge_disk)
    await store.run(fill_disk)
    assert len(await store.run(lambda tx: tx.reports())) == 200


async def test_who_swallows_a_full_disk_and_writes_on_is_told_and_keeps_nothing(store: Store, path: Path) -> None:
    def swallow(tx: Tx) -> str:
        with suppress(sqlite3.Error):
            fill_disk(tx)
        with suppress(sqlite3.Error):
            tx.learner_of("telegram", "B", NOW)
        return "all is well"

    await store.run(lambda tx: (meet("A")(tx), shrink_disk(tx)))
    async with one_batch(store):
        waiting = results(store.run(swallow), store.run(meet("C")))
    swallowed, c = await waiting
    assert isinstance(swallowed, Unavailable)
    assert type(c) is int
    assert accounts(path) == {"A", "C"}


async def test_who_swallows_an_error_that_ended_the_transaction_keeps_nothing_and_hurts_nobody(
    store: Store, path: Path
) -> None:
    def end_it_and_write_on(tx: Tx) -> None:
        with suppress(sqlite3.IntegrityError):
            tx._sql.write("INSERT OR ROLLBACK INTO learners (created_at) VALUES (NULL)")
        with suppress(sqlite3.Error):
            tx.learner_of("telegram", "B", NOW)
        with suppress(sqlite3.Error):
            tx.due.schedule("expire", "B", NOW)

    async with one_batch(store):
        waiting = results(store.run(meet("A")), store.run(end_it_and_write_on), store.run(meet("C")))
    a, b, c = await waiting
    assert (type(a), type(c)) == (int, int)
    assert isinstance(b, sqlite3.IntegrityError)
    assert accounts(path) == {"A", "C"}
    assert await store.run(lambda tx: tx.due.next_at()) is None


async def test_a_commit_that_fails_hurts_only_the_function_that_made_it_fail(store: Store, path: Path) -> None:
    def owe_a_session(tx: Tx) -> None:
        tx._sql.write("PRAGMA defer_foreign_keys = ON")  # the error comes at the commit
        tx.join("no-such-session", tx.learner_of("telegram", "B", NOW), NOW)

    async with one_batch(store):
        waiting = results(store.run(meet("A")), store.run(owe_a_session), store.run(meet("C")))
    a, b, c = await waiting
    assert isinstance(b, sqlite3.IntegrityError)
    assert (type(a), type(c)) == (int, int)
    assert accounts(path) == {"A", "C"}


async def test_no_future_resolves_while_its_batch_still_runs(store: Store) -> None:
    seen: list[bool] = []
    async with one_batch(store):
        first = store.run(meet("A"))
        last = store.run(lambda _: seen.append(first.done()))
    await asyncio.gather(first, last)
    assert seen == [False]


async def test_a_cancelled_caller_neither_undoes_its_own_write_nor_blocks_others(store: Store, path: Path) -> None:
    async def wait_for(account: str) -> int:
        return await store.run(meet(account))

    async with one_batch(store):
        gone = asyncio.ensure_future(wait_for("A"))
        stays = asyncio.ensure_future(wait_for("B"))
        await asyncio.sleep(0)  # both have handed in their function
        gone.cancel()
    assert type(await stays) is int
    assert gone.cancelled()
    assert accounts(path) == {"A", "B"}


async def test_functions_of_one_batch_see_what_the_earlier_ones_wrote(store: Store) -> None:
    async with one_batch(store):
        waiting = results(*[store.run(meet("A")) for _ in range(50)])
    assert set(await waiting) == {1}


@pytest.mark.parametrize("error", [StopIteration(), KeyboardInterrupt(), SystemExit(3)])
async def test_an_exception_of_any_kind_reaches_the_caller_and_the_writer_lives_on(
    store: Store, error: BaseException
) -> None:
    future = store.run(meet_and_raise("A", error))
    await asyncio.wait([future])
    raised = future.exception()
    assert raised is error or (isinstance(error, StopIteration) and isinstance(raised, RuntimeError))
    assert await store.run(meet("B")) == 1


async def test_more_functions_than_one_commit_takes_are_all_carried_out(store: Store) -> None:
    async with one_batch(store):
        waiting = results(*[store.run(meet(f"A{number}")) for number in range(1000)])
    assert len(set(await waiting)) == 1000


async def test_another_program_that_holds_the_file_makes_the_store_unavailable_and_nothing_is_kept(
    store: Store, path: Path
) -> None:
    await store.run(lambda tx: tx._sql.one("PRAGMA busy_timeout = 20"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="another program has held a lock") as caught:
            await store.run(meet("A"))
        assert caught.value.reason == "locked"
        other.execute("ROLLBACK")
    assert await store.run(meet("B")) == 1
    assert accounts(path) == {"B"}


async def test_reading_sees_one_state_while_others_write(store: Store) -> None:
    await store.run(meet("A"))
    began, written = threading.Event(), threading.Event()

    def count_twice(tx: Tx) -> tuple[bool, bool]:
        before = tx.learner(2) is not None
        began.set()
        assert written.wait(timeout=60)
        return before, tx.learner(2) is not None

    reading = store.read(count_twice)
    await asyncio.to_thread(began.wait)
    assert await store.run(meet("B")) == 2
    written.set()
    assert await reading == (False, False)
    assert await store.read(lambda tx: tx.learner(2)) is not None


async def test_reading_cannot_write(store: Store, path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await store.read(meet("A"))
    assert accounts(path) == set()


async def test_closing_carries_out_what_was_handed_in(path: Path) -> None:
    store = open_store(path)
    waiting = [store.run(meet(account)) for account in "ABC"]
    await store.close()
    assert [await future for future in waiting] == [1, 2, 3]
    await store.close()
    with pytest.raises(RuntimeError, match="the store is closed"):
        store.run(meet("A"))
    assert {file.name for file in path.parent.iterdir()} == {path.name, f"{path.name}.lock"}


def test_a_caller_whose_event_loop_is_gone_does_not_stop_the_writer(path: Path) -> None:
    gate = threading.Event()
    store = open_store(path)

    async def hand_in_and_leave() -> None:
        store.run(lambda _: gate.wait())

    asyncio.run(hand_in_and_leave())
    gate.set()

    async def go_on() -> int:
        try:
            return await store.run(meet("A"))
        finally:
            await store.close()

    assert asyncio.run(go_on()) == 1
