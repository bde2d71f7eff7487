"""One transaction over a new file, undone after each example, and a recount that trusts nothing but the facts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from bot.store import Store, Tx
from bot.store.connection import Sql, connect
from tests.tutor.desk import NOON


@contextmanager
def ledger(path: Path) -> Iterator[Tx]:
    """A transaction over a new file."""
    lock = Store.open(path, clock=lambda: NOON)
    lock._reader.end()
    lock._writer.end()
    lock._lock.release()
    with closing(connect(path)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield Tx(Sql(db))


@contextmanager
def undone(tx: Tx) -> Iterator[None]:
    """Whatever is written inside is taken back."""
    tx._sql.control("SAVEPOINT example")
    try:
        yield
    finally:
        tx._sql.control("ROLLBACK TO example")
        tx._sql.control("RELEASE example")


def recounted(tx: Tx) -> dict[tuple[int, str, int], tuple[Fraction, int]]:
    """By place, period and learner: score and answers, from attempts, sessions and voids alone."""
    sessions = {
        row[0]: row[1:] for row in tx._sql.all("SELECT id, place, position, phase, dropped, policy FROM sessions")
    }
    voids = tx._sql.all("SELECT item, since, until FROM voids")
    last: dict[tuple[str, int, int], tuple[Any, ...]] = {}
    for session, position, learner, *rest in tx._sql.all(
        "SELECT session, position, learner, item, grade_n, grade_d, at, on_date FROM attempts ORDER BY revision"
    ):
        last[session, position, learner] = tuple(rest)
    found: dict[tuple[int, str, int], tuple[Fraction, int]] = {}
    for (name, position, learner), (item, n, d, at, on) in last.items():
        place, now, phase, dropped, policy = sessions[name]
        over = position < now or (position == now and phase in ("revealed", "closed"))
        void = any(item == bad and since <= at and (until is None or at < until) for bad, since, until in voids)
        if json.loads(policy)["answerers"] == "host" or not over or position in json.loads(dropped) or void:
            continue
        for period in (on, on[:7], ""):
            score, answers = found.get((place, period, learner), (Fraction(0), 0))
            found[place, period, learner] = (score + Fraction(n, d), answers + 1)
    return found


def kept(tx: Tx) -> dict[tuple[int, str, int], tuple[Fraction, int]]:
    """The same, as the store keeps it up to date."""
    found: dict[tuple[int, str, int], tuple[Fraction, int]] = {}
    for place, period, learner, d, n, answers in tx._sql.all(
        "SELECT place, period, learner, grade_d, grade_n, answers FROM tallies WHERE answers <> 0 OR grade_n <> 0"
    ):
        score, count = found.get((place, period, learner), (Fraction(0), 0))
        found[place, period, learner] = (score + Fraction(n, d), count + answers)
    return found
