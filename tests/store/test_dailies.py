"""Daily questions: kept whole, one record per date, gone with the person who asked for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time
from pathlib import Path

import pytest

from bot.store import Daily, Run, Store, Tx
from tests.store.world import NOW, begin, later, use

MONDAY = date(2026, 11, 30)


def wish(place: int, moderator: int, **more: object) -> Daily:
    whole = Daily(0, place, moderator, time(9), "Europe/Berlin", frozenset(range(7)), "seed", ("ru",), 3600)
    return replace(whole, **more)  # type: ignore[arg-type]


def test_a_daily_question_comes_back_as_it_was_kept(path: Path) -> None:
    def work(tx: Tx) -> None:
        place, moderator = tx.place_of("telegram", "-1", at=NOW).id, tx.learner_of("telegram", "7", NOW)
        kept = wish(
            place,
            moderator,
            weekdays=frozenset({0, 6}),
            locales=("ru", "en"),
            reply=True,
            silent=True,
            pin=True,
            names=False,
            quiet=(time(22), time(8)),
            paused=True,
            broken="kicked",
            next_item="async-save",
            skip=MONDAY,
        )
        number = tx.dailies.add(kept)
        assert tx.dailies.get(number) == replace(kept, id=number)
        changed = replace(kept, id=number, at=time(18, 30), quiet=None, skip=None, paused=False, broken="")
        tx.dailies.save(changed)
        assert tx.dailies.of_place(place) == tx.dailies.of_moderator(moderator) == [changed]

    use(path, work)


def test_a_date_is_recorded_once(path: Path) -> None:
    def work(tx: Tx) -> None:
        session = begin(tx, "one", "А")
        number = tx.dailies.add(wish(session.place, session.host))
        first = Run(number, MONDAY, "begun", "one", "async-save", NOW)
        assert tx.dailies.record(first)
        assert not tx.dailies.record(replace(first, state="missed", session=None))
        assert tx.dailies.run(number, MONDAY) == first
        assert tx.dailies.record(Run(number, date(2026, 12, 1), "skipped", None, None, later(days=1)))
        assert [run.on for run in tx.dailies.runs(number, 5)] == [date(2026, 12, 1), MONDAY]
        assert list(tx.dailies.asked(session.place)) == ["async-save"]

    use(path, work)


@pytest.mark.parametrize("state", ["missed", "skipped", "empty"])
def test_a_date_that_was_not_begun_can_still_be(path: Path, state: str) -> None:
    def work(tx: Tx) -> None:
        session = begin(tx, "one", "А")
        number = tx.dailies.add(wish(session.place, session.host))
        tx.dailies.record(Run(number, MONDAY, state, None, None, NOW))
        begun = Run(number, MONDAY, "begun", "one", "async-save", later(hours=1))
        assert tx.dailies.record(begun)
        assert not tx.dailies.record(replace(begun, state=state))
        assert tx.dailies.runs(number, 5) == [begun]

    use(path, work)


def test_a_removed_daily_question_is_in_no_list_and_keeps_what_it_began(path: Path) -> None:
    def work(tx: Tx) -> None:
        session = begin(tx, "one", "А")
        number = tx.dailies.add(wish(session.place, session.host, names=False))
        tx.dailies.record(Run(number, MONDAY, "begun", "one", "async-save", NOW))
        tx.dailies.remove(number)
        assert tx.dailies.get(number) is None
        assert tx.dailies.of_place(session.place) == tx.dailies.of_moderator(session.host) == []
        began = tx.dailies.of_session("one")
        assert began is not None
        assert not began.names
        assert list(tx.dailies.asked(session.place)) == ["async-save"]

    use(path, work)


def test_no_daily_question_gets_the_id_of_a_removed_one(path: Path) -> None:
    def work(tx: Tx) -> None:
        session = begin(tx, "one", "А")
        first = tx.dailies.add(wish(session.place, session.host))
        tx.dailies.remove(first)
        assert tx.dailies.add(wish(session.place, session.host)) != first

    use(path, work)


def test_the_last_name_in_a_place_counts_and_others_keep_theirs(path: Path) -> None:
    def work(tx: Tx) -> None:
        here, there = (tx.place_of("telegram", chat, at=NOW).id for chat in ("-1", "-2"))
        a, b = tx.learner_of("telegram", "1", NOW), tx.learner_of("telegram", "2", NOW)
        tx.set_name(here, a, "А")
        tx.set_name(here, a, "А Б")
        tx.set_name(there, a, "В")
        assert tx.names_of(here, [a, b]) == {a: "А Б"}
        assert tx.names_of(there, [a, b]) == {a: "В"}

    use(path, work)


async def test_a_forgotten_moderator_leaves_a_daily_question_that_stands_still(store: Store) -> None:
    def work(tx: Tx) -> tuple[int, int]:
        session = begin(tx, "one", "А")
        number = tx.dailies.add(wish(tx.place_of("telegram", "-1", at=NOW).id, session.host))
        tx.dailies.record(Run(number, MONDAY, "begun", "one", "async-save", NOW))
        tx.set_name(session.place, session.host, "А")
        return number, session.host

    number, host = await store.run(work)
    removed = await store.forget(host)
    assert removed["names"] == 1
    daily, run = await store.read(lambda tx: (tx.dailies.get(number), tx.dailies.run(number, MONDAY)))
    assert daily is not None
    assert daily.paused
    assert run is not None
    assert run.session is None


async def test_a_chat_that_moves_takes_its_daily_question_and_its_names_along(store: Store) -> None:
    def work(tx: Tx) -> tuple[int, int]:
        old, new = tx.place_of("telegram", "-1", at=NOW).id, tx.place_of("telegram", "-100", at=NOW).id
        a = tx.learner_of("telegram", "1", NOW)
        number = tx.dailies.add(wish(new, a))
        tx.due.schedule("daily", f"place:{new}:daily:{number}", NOW)
        tx.set_name(old, a, "А")
        tx.set_name(new, a, "А Б")
        tx.move_place(old, "-100")
        return old, a

    old, a = await store.run(work)
    dailies, names = await store.read(lambda tx: (tx.dailies.of_place(old), tx.names_of(old, [a])))
    (daily,) = dailies
    assert await store.read(lambda tx: tx.due.of("daily", f"place:{old}:daily:{daily.id}")) is not None
    assert names == {a: "А Б"}


@pytest.mark.parametrize("state", ["begun", "missed", "skipped", "empty"])
def test_every_state_of_a_run_can_be_kept(path: Path, state: str) -> None:
    def work(tx: Tx) -> None:
        session = begin(tx, "one", "А")
        number = tx.dailies.add(wish(session.place, session.host))
        assert tx.dailies.record(Run(number, MONDAY, state, None, None, NOW))

    use(path, work)
