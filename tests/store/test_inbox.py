from __future__ import annotations

from bot.store import Tx, Update
from tests.store.world import NOW, later


def update(number: int, key: str = "A", platform: str = "telegram") -> Update:
    return Update(platform, number, key, f'{{"update_id": {number}, "text": "ё"}}', NOW)


def test_updates_wait_in_the_order_of_their_arrival(tx: Tx) -> None:
    updates = [update(12), update(10, "B"), update(11)]
    assert tx.inbox.put(updates) == updates
    assert tx.inbox.waiting("telegram") == updates
    assert tx.inbox.waiting("discord") == []


def test_an_update_that_is_delivered_twice_waits_once(tx: Tx) -> None:
    tx.inbox.put([update(10)])
    assert tx.inbox.put([update(10), update(11), update(10, platform="other")]) == [
        update(11),
        update(10, platform="other"),
    ]
    assert tx.inbox.waiting("telegram") == [update(10), update(11)]


def test_an_update_has_its_effect_once(tx: Tx) -> None:
    tx.inbox.put([update(10), update(11)])
    assert tx.inbox.done("telegram", 10)
    assert not tx.inbox.done("telegram", 10)
    assert not tx.inbox.done("telegram", 4711)
    assert tx.inbox.waiting("telegram") == [update(11)]


def test_an_update_that_had_its_effect_is_not_taken_in_again(tx: Tx) -> None:
    tx.inbox.put([update(10)])
    tx.inbox.done("telegram", 10)
    assert tx.inbox.put([update(10), update(11), update(10, platform="other")]) == [
        update(11),
        update(10, platform="other"),
    ]
    assert not tx.inbox.done("telegram", 10)


def test_an_update_in_quarantine_holds_up_nobody_and_is_not_taken_in_again(tx: Tx) -> None:
    tx.inbox.put([update(10), update(11)])
    tx.inbox.quarantine("telegram", 10, "it has no chat")
    assert tx.inbox.waiting("telegram") == [update(11)]
    assert tx.inbox.quarantined() == [(update(10), "it has no chat")]
    assert tx.inbox.put([update(10)]) == []
    assert not tx.inbox.done("telegram", 10)


def test_an_update_keeps_when_it_was_received(tx: Tx) -> None:
    late = Update("telegram", 1, "A", "{}", later(milliseconds=1))
    tx.inbox.put([late])
    assert tx.inbox.waiting("telegram") == [late]
