"""The ticker: nothing that fails stops it, and once a day it clears away."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.app import Heartbeat, catalogues, shipped, tick
from bot.bank import load
from bot.chats.context import Context
from bot.quiz import Phase, Step, exam
from bot.store import Due, Store, Tx, Update
from bot.tutor import claim, fire, keep_house
from tests.data.test_disk_trouble import hurry, locked
from tests.store.world import NOW, begin, open_store

LATER = NOW + timedelta(hours=1)
MINUTE = timedelta(minutes=1)
BANK = load(shipped("content"))


def overdue(tx: Tx, name: str) -> None:
    """An exam whose time is over."""
    session = begin(tx, name, name, exam(item_limit_s=60))
    tx.save_session(session, replace(session, phase=Phase.OPEN, opened_at=NOW, deadline=NOW + MINUTE))
    tx.due.schedule("expire", name, NOW + MINUTE)


def damage(path: Path, session: str) -> None:
    """What no program of ours writes."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE sessions SET plan = '[[[' WHERE id = ?", (session,))
        db.commit()


async def claimed(store: Store, moment: datetime) -> list[Due]:
    return await store.run(lambda tx: claim(tx, moment))


@asynccontextmanager
async def ticking(
    store: Store, deliver: Callable[[Step], Awaitable[None]], heartbeat: Heartbeat | None = None
) -> AsyncIterator[None]:
    context = Context(store, BANK, catalogues(None), lambda: LATER, lambda: "abcdef")
    task = asyncio.create_task(tick(context, deliver, heartbeat))
    try:
        async with asyncio.timeout(60):
            yield
    finally:
        task.cancel()


async def test_a_row_that_cannot_be_carried_out_and_a_failed_delivery_hold_up_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "kontrolka.db"
    told: asyncio.Queue[str] = asyncio.Queue()

    async def deliver(step: Step) -> None:
        told.put_nowait(step.session.id)
        if step.session.id == "s2":
            raise RuntimeError("the platform is away")

    async with open_store(path) as store:
        for name in ("s1", "s2", "s3"):
            await store.run(lambda tx, name=name: overdue(tx, name))
        damage(path, "s1")
        async with ticking(store, deliver):
            assert [await told.get(), await told.get()] == ["s2", "s3"]
        assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
        assert [record.getMessage().split(" during ")[1] for record in caplog.records] == [
            "expire of s1",
            "delivering expire of s2",
        ]
        left = await store.run(lambda tx: [tx.due.of("expire", name) for name in ("s1", "s2", "s3")])
        assert [due is not None for due in left] == [True, False, False]


async def test_a_row_that_fails_is_tried_again_after_its_lease_and_given_up_in_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "kontrolka.db"
    async with open_store(path) as store:
        await store.run(lambda tx: overdue(tx, "s1"))
        damage(path, "s1")
        moment, failures = LATER, 0
        while rows := await claimed(store, moment):
            assert await claimed(store, moment) == []
            try:
                await store.run(lambda tx, row=rows[0], moment=moment: fire(tx, BANK, row, moment, "new"))
            except json.JSONDecodeError:
                failures += 1
            moment += 2 * MINUTE
        assert failures == 5
        assert caplog.messages == ["expire of s1 was tried 5 times in vain and is given up"]


async def test_while_the_file_is_locked_the_ticker_says_so_once_and_goes_on_afterwards(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    path = tmp_path / "kontrolka.db"
    told: asyncio.Queue[Step] = asyncio.Queue()
    heartbeat = Heartbeat(path)
    async with open_store(path) as store:
        await store.run(lambda tx: overdue(tx, "s1"))
        await store.run(hurry)
        with ExitStack() as lock:
            lock.enter_context(locked(path))
            async with ticking(store, told.put, heartbeat):
                while not caplog.messages:  # noqa: ASYNC110 a log line raises no event
                    await asyncio.sleep(0.01)
                assert "it is tried every second" in caplog.text
                assert not path.with_name("kontrolka.db.alive").exists()
                lock.close()
                assert (await told.get()).session.id == "s1"
        assert "what is due is carried out again" in caplog.text
        assert len(caplog.messages) == 2
        assert path.with_name("kontrolka.db.alive").exists()


async def test_what_was_kept_long_enough_goes_once_a_day_and_nothing_else(tmp_path: Path) -> None:
    def leave_traces(tx: Tx) -> None:
        place = tx.place_of("telegram", "A", at=NOW).id
        for number in range(3):
            tx.posts.demand(place, "menu", NOW)
            tx.inbox.put([Update("telegram", number, "A", "{}", NOW)])
        tx.posts.sent(1, "m1", NOW)
        tx.inbox.quarantine("telegram", 1, "KeyError")
        keep_house(tx, NOW)
        keep_house(tx, NOW)

    def left(tx: Tx) -> tuple[int, int, int]:
        posts = [tx.posts.post(number) for number in (1, 2, 3)]
        return sum(post is not None for post in posts), len(tx.inbox.waiting("telegram")), len(tx.inbox.quarantined())

    async with open_store(tmp_path / "kontrolka.db") as store:
        await store.run(leave_traces)
        counts, fired = [], 0
        for day in range(40):
            moment = NOW + timedelta(days=day, seconds=1)
            while rows := await claimed(store, moment):
                for row in rows:
                    await store.run(lambda tx, row=row, moment=moment: fire(tx, BANK, row, moment, "new"))
                    fired += 1
            counts.append(await store.run(left))
        assert counts[0] == (3, 2, 1)
        assert counts[-1] == (2, 2, 0)
        assert 40 <= fired <= 42
