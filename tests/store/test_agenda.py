from __future__ import annotations

from datetime import timedelta

from bot.store import Due, Tx
from tests.store.world import NOW, later

LEASE = timedelta(minutes=1)


def claimed(tx: Tx, limit: int = 10, **after: float) -> list[Due]:
    return tx.due.claim(later(**after), limit, LEASE)


def test_nothing_is_due_before_its_time(tx: Tx) -> None:
    assert tx.due.next_at() is None
    tx.due.schedule("expire", "s1", later(minutes=5), {"position": 2})
    assert tx.due.next_at() == later(minutes=5)
    assert claimed(tx, minutes=4, seconds=59) == []
    (due,) = claimed(tx, minutes=5)
    assert (due.kind, due.subject, due.at, due.payload, due.claims) == (
        "expire",
        "s1",
        later(minutes=5),
        {"position": 2},
        1,
    )


def test_what_is_claimed_belongs_to_one_until_its_lease_ends(tx: Tx) -> None:
    tx.due.schedule("expire", "s1", NOW)
    assert len(claimed(tx)) == 1
    assert claimed(tx, seconds=59) == []
    assert tx.due.next_at() == later(minutes=1)
    (again,) = claimed(tx, minutes=1)
    assert again.claims == 2


def test_what_is_finished_is_gone(tx: Tx) -> None:
    tx.due.schedule("expire", "s1", NOW)
    (due,) = claimed(tx)
    assert tx.due.finish(due)
    assert tx.due.next_at() is None
    assert not tx.due.finish(due)


def test_what_was_scheduled_anew_meanwhile_is_not_finished_with_the_old(tx: Tx) -> None:
    tx.due.schedule("expire", "s1", NOW)
    (due,) = claimed(tx)
    tx.due.schedule("expire", "s1", NOW, {"position": 1})
    assert not tx.due.finish(due)
    (fresh,) = claimed(tx)
    assert (fresh.payload, fresh.claims) == ({"position": 1}, 1)


def test_who_lost_the_lease_cannot_finish(tx: Tx) -> None:
    tx.due.schedule("expire", "s1", NOW)
    (slow,) = claimed(tx)
    (fast,) = claimed(tx, minutes=2)
    assert not tx.due.finish(slow)
    assert tx.due.finish(fast)


def test_a_subject_has_one_of_each_kind_and_the_last_schedule_holds(tx: Tx) -> None:
    tx.due.schedule("expire", "s1", NOW)
    tx.due.schedule("remind", "s1", NOW)
    tx.due.schedule("expire", "s1", later(hours=1))
    found = tx.due.of("expire", "s1")
    assert found is not None
    assert (found.at, found.claimed_until) == (later(hours=1), None)
    assert [due.kind for due in claimed(tx)] == ["remind"]


def test_what_is_cancelled_is_due_no_longer(tx: Tx) -> None:
    tx.due.schedule("expire", "s1", NOW)
    tx.due.schedule("expire", "s2", NOW)
    tx.due.cancel("expire", "s1")
    tx.due.cancel("expire", "s1")
    assert tx.due.of("expire", "s1") is None
    assert [due.subject for due in claimed(tx)] == ["s2"]


def test_the_longest_due_come_first_and_no_more_than_asked_for(tx: Tx) -> None:
    for number in (3, 1, 2):
        tx.due.schedule("expire", f"s{number}", later(minutes=number))
    assert [due.subject for due in claimed(tx, limit=2, hours=1)] == ["s1", "s2"]
    assert [due.subject for due in claimed(tx, limit=2, hours=1)] == ["s3"]
