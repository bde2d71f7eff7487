from __future__ import annotations

import sqlite3
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.quiz import Phase, Response, Void, exam, group
from bot.store import ItemProgress, Progress, Tx
from tests.store.world import ITEMS, NOW, attempt, begin, close, later, new_session


@pytest.mark.parametrize(
    "response",
    [
        Response(("a",)),
        Response(("c", "a", "b")),
        Response(text="safetensors"),
        Response(text="«Ё» \n \"' \\ \x00 🙂"),
        Response(),
    ],
)
@pytest.mark.parametrize("grade", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(11, 12)])
def test_an_attempt_comes_back_as_it_was(tx: Tx, response: Response, grade: Fraction) -> None:
    session = begin(tx)
    made = replace(attempt(session, session.host, 2, grade=grade, response=response), on=later(days=1).date())
    tx.add_attempt(made)
    assert tx.last_attempt("s1", 2, session.host) == made
    assert tx.attempts_of("s1") == [made]


def test_the_last_revision_counts_and_the_earlier_ones_stay(tx: Tx) -> None:
    session = begin(tx, policy=exam())
    first = attempt(session, session.host, grade=0)
    second = attempt(session, session.host, grade=1, revision=1, at=later(seconds=5))
    tx.add_attempt(first)
    tx.add_attempt(second)
    assert tx.last_attempt("s1", 0, session.host) == second
    assert tx.counting_attempts("s1") == [second]
    assert tx.attempts_of("s1") == [first, second]


def test_attempts_of_others_at_other_positions_and_sessions_are_not_mixed_in(tx: Tx) -> None:
    one, other = begin(tx, "s1", "A"), begin(tx, "s2", "B")
    a, b = one.host, other.host
    made = [attempt(one, b, 1), attempt(one, a, 0), attempt(one, a, 1), attempt(other, b, 0)]
    for each in made:
        tx.add_attempt(each)
    assert tx.attempts_of("s1") == made[:3]
    assert tx.attempts_of("s1", a) == made[1:3]
    assert tx.counting_attempts("s1") == [made[1], made[2], made[0]]
    assert tx.last_attempt("s1", 0, b) is None


def test_the_same_revision_cannot_be_written_twice(tx: Tx) -> None:
    session = begin(tx)
    tx.add_attempt(attempt(session, session.host))
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        tx.add_attempt(attempt(session, session.host, grade=0))


def test_an_attempt_needs_a_session_and_a_learner(tx: Tx) -> None:
    session = begin(tx)
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        tx.add_attempt(attempt(session, 4711))
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        tx.add_attempt(attempt(replace(session, id="s2"), session.host))


def test_only_those_who_take_part_now_count_as_answered(tx: Tx) -> None:
    session = begin(tx, policy=group())
    a, b, c = session.host, tx.learner_of("telegram", "B", NOW), tx.learner_of("telegram", "C", NOW)
    for learner in (a, b, c):
        tx.join("s1", learner, NOW)
    assert tx.answered_count("s1", 0) == 0
    tx.add_attempt(attempt(session, a))
    tx.add_attempt(attempt(session, a, revision=1))
    tx.add_attempt(attempt(session, b))
    tx.add_attempt(attempt(session, c, position=1))
    assert tx.answered_count("s1", 0) == 2
    tx.leave("s1", b, NOW)
    tx.leave("s1", c, NOW)
    assert (tx.answered_count("s1", 0), tx.answered_count("s1", 1)) == (1, 0)


def answer_all(tx: Tx, name: str, grades: list[Fraction | int], **at: float) -> None:
    """A closed session of A with one attempt per grade, in the order of the items."""
    learner, place = tx.learner_of("telegram", "A", NOW), tx.place_of("telegram", "A", at=NOW)
    session = new_session(name, place.id, learner)
    tx.add_session(session, NOW)
    for position, grade in enumerate(grades):
        tx.add_attempt(attempt(session, learner, position, grade=grade, at=later(**at)))
    close(tx, session)


def test_mistakes_are_what_was_last_answered_with_less_than_full_marks_the_oldest_first(tx: Tx) -> None:
    answer_all(tx, "s1", [0, Fraction(1, 2), 1, 0])
    a = tx.learner_of("telegram", "A", NOW)
    assert tx.progress_of(a).mistakes == [ITEMS[0], ITEMS[1], ITEMS[3]]
    answer_all(tx, "s2", [0, 1, 0], days=1)
    assert tx.progress_of(a).mistakes == [ITEMS[3], ITEMS[0], ITEMS[2]]
    assert tx.progress_of(tx.learner_of("telegram", "B", NOW)).mistakes == []


def test_a_void_item_is_neither_a_mistake_nor_progress_for_as_long_as_it_was_bad(tx: Tx) -> None:
    answer_all(tx, "s1", [0, 0])
    a = tx.learner_of("telegram", "A", NOW)
    assert tx.add_void(ITEMS[0], later(days=-1))
    assert tx.progress_of(a).mistakes == [ITEMS[1]]
    assert tx.progress_of(a).answered == 1
    assert tx.close_void(ITEMS[0], NOW)  # the end is not part of it
    assert tx.progress_of(a).mistakes == [ITEMS[0], ITEMS[1]]


def test_a_void_last_revision_does_not_bring_back_the_earlier_one(tx: Tx) -> None:
    session = begin(tx)
    tx.add_attempt(attempt(session, session.host, grade=0))
    tx.add_attempt(attempt(session, session.host, grade=0, revision=1, at=later(hours=2)))
    tx.add_void(ITEMS[0], later(hours=1))
    assert tx.progress_of(session.host).mistakes == []


def test_a_dropped_position_is_no_mistake(tx: Tx) -> None:
    session = begin(tx)
    tx.add_attempt(attempt(session, session.host, 0, grade=0))
    tx.add_attempt(attempt(session, session.host, 1, grade=0))
    tx.save_session(session, replace(session, dropped=frozenset({0})))
    assert tx.progress_of(session.host).mistakes == [ITEMS[1]]


@pytest.mark.parametrize("policy", [exam(), group()])
def test_an_open_session_that_has_not_told_what_is_right_does_not_give_it_away(tx: Tx, policy: object) -> None:
    session = begin(tx, policy=policy)  # type: ignore[arg-type]
    tx.add_attempt(attempt(session, session.host, grade=0))
    assert tx.progress_of(session.host).mistakes == []
    assert tx.progress_of(session.host) == Progress(0, 0, (), {})
    close(tx, session)
    assert tx.progress_of(session.host).mistakes == [ITEMS[0]]


def test_progress_is_computed_from_what_counts(tx: Tx) -> None:
    answer_all(tx, "s1", [1, 0])
    answer_all(tx, "s2", [Fraction(1, 2), 1, 1], days=2)
    a = tx.learner_of("telegram", "A", NOW)
    assert tx.progress_of(a) == Progress(
        answered=5,
        right=3,
        days=(NOW.date(), later(days=2).date()),
        items={
            ITEMS[0]: ItemProgress(2, Fraction(1, 2), later(days=2)),
            ITEMS[1]: ItemProgress(2, Fraction(1), later(days=2)),
            ITEMS[2]: ItemProgress(1, Fraction(1), later(days=2)),
        },
    )


def test_an_item_is_void_once_at_a_time(tx: Tx) -> None:
    assert not tx.close_void("async-save", NOW)
    assert tx.add_void("async-save", NOW)
    assert not tx.add_void("async-save", later(hours=1))
    assert tx.close_void("async-save", later(hours=2))
    assert tx.add_void("async-save", later(hours=3))
    assert tx.voids() == (
        Void("async-save", NOW, later(hours=2)),
        Void("async-save", later(hours=3), None),
    )
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        tx.close_void("async-save", later(hours=3))


def test_an_item_that_was_void_from_a_moment_can_be_so_again_from_the_same(tx: Tx) -> None:
    tx.add_void("async-save", NOW)
    tx.close_void("async-save", later(hours=2))
    assert tx.add_void("async-save", NOW)
    assert tx.voids() == (Void("async-save", NOW, later(hours=2)), Void("async-save", later(hours=2), None))
    assert not tx.add_void("async-save", NOW)


def test_a_void_from_a_later_moment_is_widened(tx: Tx) -> None:
    assert tx.add_void("async-save", later(hours=2))
    assert tx.add_void("async-save", NOW)
    assert not tx.add_void("async-save", NOW)
    assert not tx.add_void("async-save", later(hours=1))
    assert tx.voids() == (Void("async-save", NOW, None),)


def test_a_void_is_undone_as_if_it_had_never_been_declared(tx: Tx) -> None:
    assert tx.undo_void("async-save") is None
    tx.add_void("rank-zero-writes", NOW)
    tx.add_void("async-save", NOW)
    tx.close_void("async-save", later(hours=2))
    before = tx.voids()
    tx.add_void("async-save", later(hours=1))
    assert tx.undo_void("async-save") == Void("async-save", later(hours=2), None)
    assert tx.voids() == before
    assert tx.undo_void("async-save") == Void("async-save", NOW, later(hours=2))
    assert tx.undo_void("async-save") is None
    assert tx.voids() == (Void("rank-zero-writes", NOW, None),)


def test_the_void_without_end_is_undone_before_one_that_has_ended_inside_it(tx: Tx) -> None:
    tx.add_void("async-save", later(hours=1))
    tx.close_void("async-save", later(hours=2))
    ended = tx.voids()
    tx.add_void("async-save", NOW)
    assert tx.undo_void("async-save") == Void("async-save", NOW, None)
    assert tx.voids() == ended


def test_the_first_fingerprint_of_an_item_is_kept(tx: Tx) -> None:
    tx.add_fingerprints({"async-save": "0f", "rank-zero-writes": "1e"}, NOW)
    tx.add_fingerprints({"async-save": "ff", "tied-weights": "2d"}, later(days=1))
    assert tx.fingerprints() == {"async-save": "0f", "rank-zero-writes": "1e", "tied-weights": "2d"}


def test_reports_come_back_in_their_order(tx: Tx) -> None:
    a = tx.learner_of("telegram", "A", NOW)
    first = tx.add_report("async-save", "ru", a, "опечатка", NOW)
    second = tx.add_report("async-save", "en", a, "typo", later(hours=1))
    assert [(r.id, r.item, r.locale, r.learner, r.text, r.at) for r in tx.reports()] == [
        (first, "async-save", "ru", a, "опечатка", NOW),
        (second, "async-save", "en", a, "typo", later(hours=1)),
    ]


def test_a_closed_session_stays_readable_with_its_attempts(tx: Tx) -> None:
    answer_all(tx, "s1", [1])
    stored = tx.session("s1")
    assert stored is not None
    assert stored.phase is Phase.CLOSED
    assert len(tx.counting_attempts("s1")) == 1
