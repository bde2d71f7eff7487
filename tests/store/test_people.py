from __future__ import annotations

from dataclasses import replace

import pytest

from bot.quiz import Ending, Phase
from bot.store import Learner, Tx
from tests.store.world import NOW, begin, later, new_session


def test_an_account_stands_for_the_same_learner_for_ever(tx: Tx) -> None:
    assert tx.known_learner("telegram", "17") is None
    a = tx.learner_of("telegram", "17", NOW)
    assert tx.known_learner("telegram", "17") == a
    assert tx.learner_of("telegram", "17", later(days=9)) == a
    assert tx.learner_of("discord", "17", NOW) != a
    assert tx.learner(a) == Learner(a, None, None, NOW)
    assert tx.accounts_of(a) == [("telegram", "17")]


def test_what_a_learner_chose_is_kept_and_can_be_taken_back(tx: Tx) -> None:
    a, b = tx.learner_of("telegram", "А", NOW), tx.learner_of("telegram", "Б", NOW)
    tx.set_learner_locale(a, "ru")
    tx.set_learner_zone(a, "Europe/Berlin")
    assert tx.learner(a) == Learner(a, "ru", "Europe/Berlin", NOW)
    assert tx.learner(b) == Learner(b, None, None, NOW)
    tx.set_learner_locale(a, None)
    tx.set_learner_zone(a, None)
    assert tx.learner(a) == Learner(a, None, None, NOW)


def test_nobody_knows_a_learner_that_was_never_there(tx: Tx) -> None:
    assert tx.learner(4711) is None
    assert tx.place(4711) is None


def test_each_topic_of_a_chat_is_a_place_of_its_own(tx: Tx) -> None:
    whole = tx.place_of("telegram", "-100", at=NOW)
    topic = tx.place_of("telegram", "-100", "5", at=NOW)
    assert whole.id != topic.id
    assert tx.place_of("telegram", "-100", "5", at=later(days=1)) == topic
    assert tx.place(topic.id) == topic
    assert (topic.chat, topic.thread, topic.locale, topic.settings) == ("-100", "5", None, {})


def test_settings_of_a_place_are_kept_as_they_are(tx: Tx) -> None:
    place = tx.place_of("discord", "9", at=NOW)
    other = tx.place_of("discord", "8", at=NOW)
    settings = {"daily": [{"at": "09:00", "days": [1, 2]}], "имя": "ё", "count": 3, "share": 0.5, "off": None}
    changed = replace(place, locale="ru", zone="Asia/Almaty", settings=settings, unreachable_at=later(hours=1))
    tx.set_place(changed)
    assert tx.place(place.id) == changed
    assert tx.place(other.id) == other
    tx.set_place(place)
    assert tx.place(place.id) == place


def test_a_place_learns_later_whose_private_chat_it_is(tx: Tx) -> None:
    a = tx.learner_of("telegram", "A", NOW)
    place = tx.place_of("telegram", "A", at=NOW)
    assert place.private_to is None
    assert tx.place_of("telegram", "A", at=NOW, private_to=a) == replace(place, private_to=a)
    assert tx.place_of("telegram", "A", at=NOW) == replace(place, private_to=a)


def test_a_chat_that_moved_keeps_everything_under_its_new_address(tx: Tx) -> None:
    place = tx.place_of("telegram", "-5", at=NOW)
    session = new_session("s1", place.id, tx.learner_of("telegram", "A", NOW), slot="group")
    tx.add_session(session, NOW)
    tx.move_place(place.id, "-1005")
    assert tx.place_of("telegram", "-1005", at=NOW) == replace(place, chat="-1005")
    assert tx.open_session(place.id, "group") == session
    assert tx.place_of("telegram", "-5", at=NOW).id != place.id


def test_a_chat_that_moved_to_a_known_address_is_merged_and_its_own_session_goes_on(tx: Tx) -> None:
    a = tx.learner_of("telegram", "A", NOW)
    old, new = tx.place_of("telegram", "-5", at=NOW), tx.place_of("telegram", "-1005", at=NOW)
    going_on = new_session("old", old.id, a, slot="group")
    doubled = new_session("new", new.id, a, slot="group")
    daily = new_session("daily", new.id, a, slot="daily:1:2026-11-30")
    for session in (going_on, doubled, daily):
        tx.add_session(session, NOW)
    post = tx.posts.demand(new.id, "question", NOW, session="daily")

    tx.move_place(old.id, "-1005")

    assert tx.place_of("telegram", "-1005", at=NOW).id == old.id
    assert tx.place(new.id) is None
    assert tx.open_session(old.id, "group") == going_on
    assert tx.open_session(old.id, "daily:1:2026-11-30") == replace(daily, place=old.id)
    closed = tx.session("new")
    assert closed is not None
    assert (closed.phase, closed.ending) == (Phase.CLOSED, Ending.STOPPED)
    assert tx.posts.post(post.id) == replace(post, place=old.id)


def test_moving_a_chat_to_where_it_is_changes_nothing(tx: Tx) -> None:
    session = begin(tx)
    place = tx.place(session.place)
    assert place is not None
    tx.move_place(place.id, place.chat)
    assert tx.place(place.id) == place
    assert tx.open_session(place.id, session.slot) == session


@pytest.mark.parametrize("name", ["", "'; DROP TABLE learners; --", "Ё" * 500, "a\x00b"])
def test_an_account_may_have_any_name(tx: Tx, name: str) -> None:
    assert tx.learner_of("telegram", name, NOW) == tx.learner_of("telegram", name, NOW)
