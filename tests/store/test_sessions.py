from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.quiz import LEARN, Ending, Phase, Plan, Planned, Policy, Session, daily, exam, group
from bot.quiz.policy import Change, Pace
from bot.store import Changed, SlotTaken, Tx
from bot.store.connection import Sql, connect
from tests.store.world import NOW, begin, later, new_session, use


def test_a_session_comes_back_as_it_was_added(tx: Tx) -> None:
    session = begin(tx)
    assert tx.session(session.id) == session
    assert tx.open_session(session.place, session.slot) == session
    assert tx.open_sessions(session.place) == [session]


def test_a_session_nobody_added_is_not_there(tx: Tx) -> None:
    assert tx.session("s1") is None
    assert tx.open_session(1, "group") is None
    assert tx.session_by_origin("telegram:1") is None


def test_a_slot_takes_one_open_session_and_says_which(tx: Tx) -> None:
    first = begin(tx)
    with pytest.raises(SlotTaken, match="session s1 is open in this slot") as caught:
        tx.add_session(replace(first, id="s2"), NOW)
    assert caught.value.session == "s1"
    assert tx.session("s2") is None
    tx.add_session(replace(first, id="s3", slot="group"), NOW)
    assert tx.open_sessions(first.place) == [first, replace(first, id="s3", slot="group")]


def test_a_slot_is_free_again_when_its_session_is_closed(tx: Tx) -> None:
    first = begin(tx)
    tx.save_session(first, replace(first, phase=Phase.CLOSED))
    assert tx.open_session(first.place, first.slot) is None
    second = replace(first, id="s2")
    tx.add_session(second, NOW)
    assert tx.open_session(first.place, first.slot) == second


def test_a_session_may_be_added_closed_beside_an_open_one(tx: Tx) -> None:
    first = begin(tx)
    tx.add_session(replace(first, id="s2", phase=Phase.CLOSED), NOW)
    assert tx.open_session(first.place, first.slot) == first


def test_the_update_that_started_a_session_leads_to_it_even_when_it_is_closed(tx: Tx) -> None:
    first = begin(tx)
    tx.save_session(first, replace(first, phase=Phase.CLOSED))
    second = replace(first, id="s2")
    tx.add_session(second, NOW, origin="telegram:900")
    assert tx.session_by_origin("telegram:900") == second
    closed = replace(second, phase=Phase.CLOSED)
    tx.save_session(second, closed)
    assert tx.session_by_origin("telegram:900") == closed
    with pytest.raises(sqlite3.IntegrityError, match="origin"):
        tx.add_session(replace(first, id="s3", slot="group"), NOW, origin="telegram:900")


def test_a_repeated_id_is_a_bug_and_no_taken_slot(tx: Tx) -> None:
    session = begin(tx)
    with pytest.raises(sqlite3.IntegrityError):
        tx.add_session(session, NOW)


def test_a_session_needs_a_known_place_and_a_known_host(tx: Tx) -> None:
    learner = tx.learner_of("telegram", "A", NOW)
    place = tx.place_of("telegram", "A", at=NOW)
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        tx.add_session(new_session("s1", place.id + 1, learner), NOW)
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        tx.add_session(new_session("s1", place.id, learner + 1), NOW)


def test_a_step_from_an_outdated_session_is_not_written(tx: Tx) -> None:
    read = begin(tx)
    moved = replace(read, position=1)
    tx.save_session(read, moved)
    for outdated in (replace(read, phase=Phase.REVEALED), replace(read, position=2), replace(read, paused_at=NOW)):
        with pytest.raises(Changed, match="session s1 has changed since it was read"):
            tx.save_session(read, outdated)
    assert tx.session("s1") == moved


def test_a_deadline_that_somebody_else_moved_is_not_overwritten(tx: Tx) -> None:
    read = begin(tx)
    moved = replace(read, deadline=later(minutes=1))
    tx.save_session(read, moved)
    with pytest.raises(Changed):
        tx.save_session(read, replace(read, deadline=later(minutes=2)))
    assert tx.session("s1") == moved


def test_an_unchanged_session_is_not_written(tx: Tx) -> None:
    session = begin(tx)
    tx.save_session(session, session)
    tx.save_session(session, replace(session))
    tx.save_session(replace(session, id="nobody"), replace(session, id="nobody"))
    assert tx.session("s1") == session


def test_moments_of_any_zone_come_back_as_the_same_moment_in_utc(tx: Tx) -> None:
    session = begin(tx)
    local = datetime(2026, 11, 30, 12, 0, 0, 1, timezone(timedelta(hours=5, minutes=30)))
    tx.save_session(session, replace(session, opened_at=local))
    stored = tx.session("s1")
    assert stored is not None
    assert stored.opened_at == local
    assert stored.opened_at.tzinfo is UTC


MOMENTS = st.none() | st.datetimes(timezones=st.just(UTC))
SECONDS = st.none() | st.integers(1, 10**9)
POLICIES: st.SearchStrategy[Policy] = st.one_of(
    st.just(LEARN),
    st.builds(exam, session_limit_s=SECONDS, item_limit_s=SECONDS),
    st.builds(
        group,
        pace=st.sampled_from([Pace.HOST, Pace.ALL_ANSWERED]),
        change=st.sampled_from(Change),
        item_limit_s=SECONDS,
        open_to_all=st.booleans(),
    ),
    st.builds(daily, st.integers(1, 10**9)),
)
OPTIONS = st.permutations("abcdef").map(tuple) | st.just(())
PLANS = st.lists(
    st.builds(Planned, st.from_regex(r"\A[a-z0-9-]{3,48}\Z"), OPTIONS),
    min_size=1,
    max_size=6,
    unique_by=lambda entry: entry.item,
).map(lambda entries: Plan(tuple(entries)))
TEXT = st.text(st.characters(codec="utf-8"), max_size=30)


@st.composite
def sessions(draw: st.DrawFn, phases: st.SearchStrategy[Phase] = st.sampled_from(Phase)) -> Session:  # noqa: B008
    return Session(
        id="s1",
        place=1,
        slot=draw(TEXT),
        host=1,
        quiz=draw(TEXT),
        policy=draw(POLICIES),
        locales=draw(st.sampled_from([("ru",), ("en",), ("ru", "en"), ("en", "ru")])),
        plan=draw(PLANS),
        position=draw(st.integers(0, 5)),
        phase=draw(phases),
        opened_at=draw(MOMENTS),
        deadline=draw(MOMENTS),
        ends_at=draw(MOMENTS),
        paused_at=draw(MOMENTS),
        dropped=draw(st.frozensets(st.integers(0, 5))),
        ending=draw(st.none() | st.sampled_from(Ending)),
    )


@pytest.fixture(scope="module")
def known_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with one learner and one place."""
    path = tmp_path_factory.mktemp("sessions") / "kontrolka.db"
    use(path, lambda tx: (tx.learner_of("telegram", "A", NOW), tx.place_of("telegram", "A", at=NOW)))
    return path


@contextmanager
def in_transaction(path: Path) -> Iterator[Tx]:
    """A transaction that is undone."""
    with closing(connect(path)) as db:
        db.execute("BEGIN")
        yield Tx(Sql(db))


@given(session=sessions())
def test_every_session_comes_back_equal(known_path: Path, session: Session) -> None:
    with in_transaction(known_path) as tx:
        tx.add_session(session, NOW)
        assert tx.session("s1") == session
        assert tx.open_session(1, session.slot) == (None if session.closed else session)


@given(before=sessions(), after=sessions())
def test_every_change_of_a_session_comes_back_equal(known_path: Path, before: Session, after: Session) -> None:
    changed = replace(
        before,
        position=after.position,
        phase=after.phase,
        opened_at=after.opened_at,
        deadline=after.deadline,
        ends_at=after.ends_at,
        paused_at=after.paused_at,
        dropped=after.dropped,
        ending=after.ending,
    )
    with in_transaction(known_path) as tx:
        tx.add_session(before, NOW)
        tx.save_session(before, changed)
        assert tx.session("s1") == changed
        assert tx.open_session(1, before.slot) == (None if changed.closed else changed)


def test_who_joined_and_left_is_counted_as_of_now(tx: Tx) -> None:
    session = begin(tx, policy=group())
    a, b = session.host, tx.learner_of("telegram", "B", NOW)
    tx.join("s1", a, NOW)
    tx.join("s1", b, NOW)
    tx.join("s1", b, later(minutes=1))
    assert (tx.joined("s1"), tx.joined_count("s1"), tx.is_joined("s1", b)) == ([a, b], 2, True)
    tx.leave("s1", b, later(minutes=2))
    tx.leave("s1", 4711, later(minutes=2))
    assert (tx.joined("s1"), tx.joined_count("s1"), tx.is_joined("s1", b)) == ([a], 1, False)
    tx.join("s1", b, later(minutes=3))
    assert tx.joined("s1") == [a, b]


def test_what_is_ticked_belongs_to_one_learner_at_one_position(tx: Tx) -> None:
    session = begin(tx)
    a, b = session.host, tx.learner_of("telegram", "B", NOW)
    tx.set_draft("s1", 0, a, ("c", "a"))
    tx.set_draft("s1", 0, b, ("d",))
    assert (tx.draft("s1", 0, a), tx.draft("s1", 0, b), tx.draft("s1", 1, a)) == (("c", "a"), ("d",), ())
    tx.set_draft("s1", 0, a, ())
    assert tx.draft("s1", 0, a) == ()
    tx.clear_drafts("s1")
    assert tx.draft("s1", 0, b) == ()
