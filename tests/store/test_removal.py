"""Forgetting a learner leaves nothing of that learner and takes nothing from others."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.quiz import Phase, group
from bot.store import NOBODY, Tx, Update
from tests.store.snapshot import fill
from tests.store.world import NOW, attempt, begin, later, new_session, open_store, use


def dumped(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(path)) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {t: db.execute(f"SELECT * FROM {t}").fetchall() for t in tables if not t.startswith("_")}


async def test_nothing_of_a_forgotten_learner_is_left_in_any_table(path: Path) -> None:
    async with open_store(path) as store:
        a = await store.run(lambda tx: (fill(tx), tx.learner_of("telegram", "А", NOW))[1])
        await store.run(lambda tx: tx.due.schedule("remind", f"learner:{a}", NOW))
        removed = await store.forget(a)
        assert await store.run(lambda tx: tx.learner(a)) is None
        assert await store.forget(a) == {}
    left = dumped(path)
    columns = ("learner", "host", "owner", "private_to")
    with closing(sqlite3.connect(path)) as db:
        named = [
            (table, column[1])
            for table in left
            for column in db.execute(f"PRAGMA table_info({table})")
            if column[1] in columns
        ]
        assert len(named) >= 7
        for table, column in named:
            assert db.execute(f"SELECT count(*) FROM {table} WHERE {column} = ?", (a,)).fetchone() == (0,), table
    assert not [row for rows in left.values() for row in rows if "А" in row or f"solo:{a}" in row]
    assert removed == {
        "accounts": 1,
        "attempts": 7,
        "codes": 1,
        "drafts": 1,
        "due": 1,
        "inbox": 2,
        "learners": 1,
        "names": 1,
        "participants": 1,
        "places": 1,
        "reports": 1,
        "sessions": 2,
        "tallies": 3,
        "tries": 1,
    }


def test_the_file_has_no_page_with_what_a_forgotten_learner_wrote(path: Path) -> None:
    word = "unmistakable"

    def write(tx: Tx) -> None:
        a = tx.learner_of("telegram", "A", NOW)
        for _ in range(500):  # more than one page, so that whole pages become free
            tx.add_report("rank-zero-writes", "en", a, word * 10, NOW)

    def forget(tx: Tx) -> None:
        while tx.forget_some(1):
            pass

    use(path, write)
    assert word.encode() in path.read_bytes()
    use(path, forget)
    assert word.encode() not in path.read_bytes()


async def test_what_others_did_stays_when_a_learner_is_forgotten(path: Path) -> None:
    async with open_store(path) as store:
        await store.run(fill)
        a, b = 1, 2
        before = dumped(path)
        await store.forget(a)
    after = dumped(path)
    assert [row for row in after["attempts"] if row[4] == b] == [row for row in before["attempts"] if row[4] == b]
    assert after["posts"] == before["posts"]
    assert ("discord", "42", b, None) in after["accounts"]


def test_a_session_for_many_stays_without_its_host_and_one_alone_goes(path: Path) -> None:
    def play(tx: Tx) -> int:
        a, b = tx.learner_of("telegram", "A", NOW), tx.learner_of("telegram", "B", NOW)
        place = tx.place_of("telegram", "-100", at=NOW)
        many = new_session("many", place.id, a, slot="group", policy=group())
        tx.add_session(many, NOW)
        tx.add_session(new_session("alone", place.id, a), NOW)
        tx.posts.demand(place.id, "question", NOW, session="alone", position=0)
        tx.due.schedule("expire", "alone", NOW)
        tx.add_attempt(attempt(many, a))
        tx.add_attempt(attempt(many, b, grade=0))
        return a

    def forget(tx: Tx) -> None:
        while tx.forget_some(1):
            pass

    use(path, play, forget)

    def look(tx: Tx) -> None:
        many = tx.session("many")
        assert many is not None
        assert many.host == NOBODY
        assert [made.learner for made in tx.counting_attempts("many")] == [2]
        assert tx.session("alone") is None
        assert tx.posts.of_session("alone") == []
        assert tx.due.of("expire", "alone") is None
        assert tx.learner_of("telegram", "A", NOW) not in (0, 1, 2) or tx.learner_of("telegram", "A", NOW) != 2

    use(path, look)


async def test_a_learner_with_much_history_is_forgotten_in_slices_between_which_others_are_served(path: Path) -> None:
    sessions, items = 40, tuple(f"item-{number}" for number in range(50))

    def play(tx: Tx) -> None:
        a, place = tx.learner_of("telegram", "A", NOW), tx.place_of("telegram", "A", at=NOW)
        for number in range(sessions):
            session = new_session(f"s{number}", place.id, a, items=items)
            tx.add_session(session, NOW)
            for position in range(len(items)):
                tx.add_attempt(attempt(session, a, position))
            tx.save_session(session, replace(session, phase=Phase.CLOSED))

    def slices(tx: Tx) -> list[int]:
        counts = []
        while removed := tx.forget_some(1):
            counts.append(sum(removed.values()))
        return counts

    async with open_store(path) as store:
        await store.run(play)
        counts = await store.run(slices)
    assert sum(counts) == sessions * len(items) + sessions + 2  # and the account and the learner
    assert max(counts) <= 500
    assert len(counts) > 4


def test_what_was_sent_or_put_aside_long_ago_is_pruned_and_nothing_else(path: Path) -> None:
    def fill_up(tx: Tx) -> None:
        session = begin(tx)
        tx.add_session(replace(session, id="s2", slot="group", phase=Phase.CLOSED), NOW)
        for name in ("s1", "s2"):
            for state in ("pending", "sent", "failed"):
                post = tx.posts.demand(session.place, "question", NOW, session=name, position=0)
                if state == "sent":
                    tx.posts.sent(post.id, state, NOW)
                if state == "failed":
                    tx.posts.failed(post.id)
        late = tx.posts.demand(session.place, "daily", later(days=2))
        tx.posts.sent(late.id, "late", later(days=2))
        tx.inbox.put([Update("telegram", number, "A", "{}", NOW) for number in (1, 2, 3)])
        tx.inbox.quarantine("telegram", 2, "broken")
        tx.inbox.done("telegram", 3)

    def prune(days: float) -> Any:
        def fn(tx: Tx) -> dict[str, int]:
            return tx.prune_some(NOW + timedelta(days=days))

        return fn

    def look(tx: Tx) -> tuple[list[str], list[str], int, int]:
        return (
            [post.state.value for post in tx.posts.of_session("s1")],
            [post.state.value for post in tx.posts.of_session("s2")],
            len(tx.inbox.waiting("telegram")),
            len(tx.inbox.quarantined()),
        )

    _, early, middle, pruned, again, found = use(path, fill_up, prune(6), prune(29), prune(31), prune(31), look)
    assert early == {}
    assert middle == {"handled": 1}
    assert pruned == {"posts": 2, "inbox": 1}
    assert again == {}
    assert found == (["pending", "sent", "failed"], ["pending"], 1, 0)


async def test_what_is_old_goes_in_slices_until_nothing_of_it_is_left(path: Path) -> None:
    def fill_up(tx: Tx) -> None:
        place = tx.place_of("telegram", "-100", at=NOW).id
        for number in range(1200):
            tx.posts.sent(tx.posts.demand(place, "daily", NOW).id, str(number), NOW)

    async with open_store(path) as store:
        await store.run(fill_up)
        slices = []
        while some := await store.run(lambda tx: tx.prune_some(later(days=31))):
            slices.append(some)
        assert slices == [{"posts": 500}, {"posts": 500}, {"posts": 200}]


def test_forgetting_somebody_unknown_removes_nothing(tx: Tx) -> None:
    begin(tx)
    assert tx.forget_some(4711) == {}


@pytest.mark.parametrize("account", ["A", "B"])
def test_a_forgotten_learner_who_comes_back_is_somebody_new(tx: Tx, account: str) -> None:
    begin(tx, account=account)
    while tx.forget_some(1):
        pass
    session = begin(tx, account=account)
    assert tx.attempts_of(session.id) == []
    assert tx.progress_of(session.host).answered == 0
