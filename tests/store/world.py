"""What the tests of the store are about: people, places, sessions and attempts, and ways to make the disk fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

from bot.quiz import LEARN, Attempt, Phase, Plan, Planned, Policy, Response, Session
from bot.store import Store, Tx

NOW = datetime(2026, 11, 30, 9, 0, 0, 123456, UTC)
ITEMS = ("optimizer-state-missing", "shards-of-seven-billion", "rank-zero-writes", "async-save")


def later(**span: float) -> datetime:
    return NOW + timedelta(**span)


def clock() -> datetime:
    return NOW


def open_store(path: Path) -> Store:
    return Store.open(path, clock=clock)


def use(path: Path, *fns: Callable[[Tx], Any]) -> list[Any]:
    """Open a file, run functions one after the other, close it; gives their results."""

    async def main() -> list[Any]:
        async with open_store(path) as store:
            return [await store.run(fn) for fn in fns]

    return asyncio.run(main())


def plan(items: tuple[str, ...] = ITEMS) -> Plan:
    return Plan(tuple(Planned(item, ("c", "a", "d", "b")) for item in items))


def new_session(
    name: str,
    place: int,
    host: int,
    *,
    slot: str | None = None,
    policy: Policy = LEARN,
    items: tuple[str, ...] = ITEMS,
    phase: Phase = Phase.ASKED,
) -> Session:
    slot = f"solo:{host}" if slot is None else slot
    return Session(name, place, slot, host, "seed", policy, ("ru",), plan(items), phase=phase)


def attempt(
    session: Session,
    learner: int,
    position: int = 0,
    *,
    grade: Fraction | int = 1,
    revision: int = 0,
    at: datetime = NOW,
    response: Response | None = None,
) -> Attempt:
    return Attempt(
        session=session.id,
        position=position,
        item=session.plan[position].item,
        learner=learner,
        response=Response(("a",)) if response is None else response,
        grade=Fraction(grade),
        revision=revision,
        at=at,
        on=at.date(),
    )


def begin(tx: Tx, name: str = "s1", account: str = "A", policy: Policy = LEARN) -> Session:
    """A learner in a private chat with an open session."""
    learner = tx.learner_of("telegram", account, NOW)
    place = tx.place_of("telegram", account, at=NOW, private_to=learner)
    session = new_session(name, place.id, learner, policy=policy)
    tx.add_session(session, NOW)
    return session


def answer(tx: Tx, name: str, learner: int, grade: Fraction | int = 1) -> int:
    """Answer the present item and go on to the next; gives the position answered."""
    session = tx.session(name)
    assert session is not None
    tx.add_attempt(attempt(session, learner, session.position, grade=grade))
    tx.save_session(session, replace(session, position=session.position + 1, phase=Phase.ASKED))
    return session.position


def close(tx: Tx, session: Session) -> None:
    stored = tx.session(session.id)
    assert stored is not None
    tx.save_session(stored, replace(stored, phase=Phase.CLOSED))


def shrink_disk(tx: Tx) -> None:
    """From now on the file may not grow: SQLite answers that the disk is full."""
    pages = tx._sql.one("PRAGMA page_count")[0]
    tx._sql.one(f"PRAGMA max_page_count = {pages}")


def enlarge_disk(tx: Tx) -> None:
    tx._sql.one("PRAGMA max_page_count = 1000000")


def fill_disk(tx: Tx) -> None:
    """Write more than fits on a disk that has shrunk."""
    for number in range(200):
        tx.add_report("async-save", "ru", tx.learner_of("telegram", "A", NOW), "б" * 2000 + str(number), NOW)
