"""Two accounts become one person by a one-time code, and nothing is lost, doubled or left behind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from bot.quiz import LEARN, Answer, Ending, Opened, Response, Reveal, Session, Step, group
from bot.store import Account, Tx
from bot.tutor import (
    Joined,
    Offer,
    OwnCode,
    Period,
    TooManyTries,
    WrongCode,
    act,
    begin,
    everybody,
    join,
    offer,
    solo_slot,
    unlink,
)
from tests.tutor.desk import NOON, at, bank_of, single
from tests.tutor.ledger import kept, ledger, recounted, undone

BANK = bank_of(single("one"), single("two"))
DICE = "3w5e11264sgsf"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tx]:
    with ledger(tmp_path_factory.mktemp("links") / "kontrolka.db") as tx:
        yield tx


@pytest.fixture
def tx(book: Tx) -> Iterator[Tx]:
    with undone(book):
        yield book


def pair(tx: Tx) -> tuple[int, int]:
    """One person on Telegram and on Discord, of whom nobody knows yet that it is one."""
    return tx.learner_of("telegram", "1", NOON), tx.learner_of("discord", "2", NOON)


def private(tx: Tx, learner: int, platform: str, chat: str) -> int:
    return tx.place_of(platform, chat, at=NOON, private_to=learner).id


def alone(tx: Tx, name: str, place: int, learner: int, *chosen: str) -> Session:
    """A session of one's own, with answers to its first questions."""
    begun = begin(
        tx, BANK, session=name, place=place, slot=solo_slot(learner), host=learner, quiz=("one", "two"), policy=LEARN,
        locales=("en",), at=NOON,
    )  # fmt: skip
    assert isinstance(begun, Step)
    act(tx, BANK, name, Opened(by=None, position=0, at=NOON))
    for position, option in enumerate(chosen):
        answer = Answer(by=learner, position=position, at=at(1), response=Response((option,)))
        act(tx, BANK, name, answer)
    session = tx.session(name)
    assert session is not None
    return session


def together(tx: Tx, name: str, place: int, answers: list[tuple[int, str]]) -> None:
    """A group session whose first question is revealed after it was answered."""
    host = answers[0][0]
    begin(
        tx, BANK, session=name, place=place, slot="group", host=host, quiz=("one", "two"), policy=group(),
        locales=("en",), at=NOON,
    )  # fmt: skip
    for learner, option in answers:
        act(tx, BANK, name, Answer(by=learner, position=0, at=at(1), response=Response((option,))))
    act(tx, BANK, name, Reveal(by=host, position=0, at=at(2)))


def linked(tx: Tx, target: int, source: int, when: datetime = NOON) -> None:
    assert join(tx, source, offer(tx, target, when, DICE).code, when) == Joined(target)


# --- the code


def test_a_code_has_eight_characters_that_look_like_no_other(tx: Tx) -> None:
    a, _ = pair(tx)
    seen = {offer(tx, a, NOON, _base36(number)).code for number in range(0, 2**64, 2**64 // 97)}
    assert len(seen) == 98
    for code in seen:
        assert len(code) == 9
        assert code[4] == "-"
        assert not set(code) & set("01ILOU")


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number:
        number, rest = divmod(number, 36)
        text = digits[rest] + text
    return text or "0"


def test_a_code_is_stored_only_as_a_digest(tx: Tx) -> None:
    a, _ = pair(tx)
    code = offer(tx, a, NOON, DICE).code
    stored = str(tx._sql.all("SELECT * FROM codes"))
    assert code not in stored
    assert code.replace("-", "") not in stored


@pytest.mark.parametrize("typed", ["{code}", "{bare}", " {lower} ", "{spaced}"])
def test_a_code_may_be_typed_as_people_type(tx: Tx, typed: str) -> None:
    a, b = pair(tx)
    code = offer(tx, a, NOON, DICE).code
    forms = {"code": code, "bare": code.replace("-", ""), "lower": code.lower(), "spaced": " ".join(code)}
    assert join(tx, b, typed.format(**forms), at(1)) == Joined(a)


def test_cyrillic_letters_that_look_the_same_are_the_same(tx: Tx) -> None:
    a, b = pair(tx)
    dice = next(_base36(n) for n in range(9**9, 10**10, 12347) if "A" in offer(tx, a, NOON, _base36(n)).code)
    code = offer(tx, a, NOON, dice).code
    assert join(tx, b, code.replace("A", "А"), at(1)) == Joined(a)


@pytest.mark.parametrize(("minutes", "wanted"), [(9.99, Joined), (10, WrongCode)])
def test_a_code_is_good_for_ten_minutes(tx: Tx, minutes: float, wanted: type) -> None:
    a, b = pair(tx)
    made = offer(tx, a, NOON, DICE)
    assert made == Offer(made.code, NOON + timedelta(minutes=10))
    assert isinstance(join(tx, b, made.code, NOON + timedelta(minutes=minutes)), wanted)


def test_a_code_works_once_and_a_new_one_ends_the_old_one(tx: Tx) -> None:
    a, b = pair(tx)
    c = tx.learner_of("discord", "3", NOON)
    old = offer(tx, a, NOON, "1").code
    new = offer(tx, a, NOON, DICE).code
    assert join(tx, b, old, at(1)) == WrongCode(4)
    assert join(tx, b, new, at(2)) == Joined(a)
    assert join(tx, c, new, at(3)) == WrongCode(4)


def test_ones_own_code_changes_nothing_and_stays_good(tx: Tx) -> None:
    a, b = pair(tx)
    code = offer(tx, a, NOON, DICE).code
    assert join(tx, a, code, at(1)) == OwnCode()
    assert join(tx, b, code, at(2)) == Joined(a)


def test_after_five_tries_within_an_hour_even_the_right_code_is_not_looked_at(tx: Tx) -> None:
    a, b = pair(tx)
    found = [join(tx, b, "AAAA-AAAA", at(i)) for i in range(6)]
    assert found == [*(WrongCode(left) for left in (4, 3, 2, 1, 0)), TooManyTries()]
    assert join(tx, b, offer(tx, a, at(9), DICE).code, at(10)) == TooManyTries()
    late = at(3601)
    assert join(tx, b, offer(tx, a, late, DICE).code, late) == Joined(a)


def test_the_code_of_a_forgotten_person_is_no_code(tx: Tx) -> None:
    a, b = pair(tx)
    code = offer(tx, a, NOON, DICE).code
    while tx.forget_some(a):
        pass
    assert join(tx, b, code, at(1)) == WrongCode(4)


# --- what becomes one


def test_history_boards_names_and_settings_join(tx: Tx) -> None:
    a, b = pair(tx)
    guild = tx.place_of("discord", "9", at=NOON)
    alone(tx, "a", private(tx, a, "telegram", "1"), a, "a")
    alone(tx, "b", private(tx, b, "discord", "dm:2"), b, "b")
    together(tx, "g", guild.id, [(b, "a")])
    tx.set_name(guild.id, b, "Б")
    tx.set_learner_locale(a, "ru")
    tx.set_learner_locale(b, "en")
    tx.set_learner_zone(b, "Europe/Berlin")
    tx.set_hidden(b, False)
    tx.add_report("one", "en", b, "typo", NOON)
    linked(tx, a, b)
    assert tx.known_learner("telegram", "1") == tx.known_learner("discord", "2") == a
    assert tx.progress_of(a).answered == 2  # what the open group session says comes at its end
    known = tx.learner(a)
    assert known is not None
    assert (known.locale, known.zone, known.hidden) == ("ru", "Europe/Berlin", False)
    assert [(s.learner, s.name, s.score) for s in everybody(tx, guild, Period.ALL, NOON, 0)] == [(a, "Б", Fraction(1))]
    assert tx.reports()[-1].learner == a
    assert tx.private_place(a, "discord") is not None
    assert kept(tx) == recounted(tx)


def test_nothing_in_any_table_is_left_of_the_learner_who_was_joined(tx: Tx) -> None:
    a, b = pair(tx)
    guild = tx.place_of("discord", "9", at=NOON)
    alone(tx, "b", private(tx, b, "discord", "dm:2"), b, "b")
    together(tx, "g", guild.id, [(b, "a")])
    tx.set_draft("g", 1, b, ("a",))
    tx.set_name(guild.id, b, "B")
    tx.due.schedule("remind", f"learner:{b}", NOON)
    offer(tx, b, NOON, "7")
    linked(tx, a, b)
    tables = [
        row[0]
        for row in tx._sql.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_%' ESCAPE '\\'"
        )
    ]
    columns = [
        (table, column[1])
        for table in tables
        for column in tx._sql.all(f"PRAGMA table_info({table})")
        if column[1] in ("learner", "host", "owner", "private_to")
    ]
    assert len(columns) >= 10
    for table, column in columns:
        assert tx._sql.one(f"SELECT count(*) FROM {table} WHERE {column} = ?", (b,)) == (0,), (table, column)
    assert tx._sql.one("SELECT count(*) FROM sessions WHERE slot = ?", (solo_slot(b),)) == (0,)
    assert tx.due.of("remind", f"learner:{a}") is not None
    assert tx.learner(b) is None


def test_open_sessions_stay_where_they_are_and_can_be_gone_on_with(tx: Tx) -> None:
    a, b = pair(tx)
    here, there = private(tx, a, "telegram", "1"), private(tx, b, "discord", "dm:2")
    alone(tx, "a", here, a)
    alone(tx, "b", there, b)
    linked(tx, a, b)
    for place, name in ((here, "a"), (there, "b")):
        session = tx.open_session(place, solo_slot(a))
        assert session is not None
        assert (session.id, session.host) == (name, a)
        step = act(tx, BANK, name, Answer(by=a, position=0, at=at(5), response=Response(("a",))))
        assert step is not None
        assert step.refused is None


def test_of_two_own_sessions_in_one_place_the_first_account_s_stays_open(tx: Tx) -> None:
    a, b = tx.learner_of("discord", "1", NOON), tx.learner_of("discord", "2", NOON)
    channel = tx.place_of("discord", "9", at=NOON).id
    alone(tx, "a", channel, a)
    alone(tx, "b", channel, b)
    linked(tx, a, b)
    (session,) = tx.open_sessions(channel)
    assert session.id == "a"
    other = tx.session("b")
    assert other is not None
    assert other.ending is Ending.STOPPED


@pytest.mark.parametrize("first", ["target", "source"])
def test_where_both_answered_the_same_question_the_first_answer_counts(tx: Tx, first: str) -> None:
    a, b = tx.learner_of("discord", "1", NOON), tx.learner_of("discord", "2", NOON)
    channel = tx.place_of("discord", "9", at=NOON)
    early, late = (a, b) if first == "target" else (b, a)
    together(tx, "g", channel.id, [(early, "b"), (late, "a")])
    linked(tx, a, b)
    assert [(s.learner, s.score, s.answers) for s in everybody(tx, channel, Period.ALL, NOON, 0)] == [(a, 0, 1)]
    assert tx.joined("g") == [a]
    assert kept(tx) == recounted(tx)


def test_whoever_hid_one_account_is_hidden_with_both(tx: Tx) -> None:
    a, b = pair(tx)
    tx.set_hidden(b, True)
    linked(tx, a, b)
    assert tx.hidden_among([a]) == {a}


def test_forgetting_covers_both_accounts(tx: Tx) -> None:
    a, b = pair(tx)
    alone(tx, "a", private(tx, a, "telegram", "1"), a, "a")
    alone(tx, "b", private(tx, b, "discord", "dm:2"), b, "b")
    linked(tx, a, b)
    while tx.forget_some(a):
        pass
    for table in ("accounts", "attempts", "sessions", "learners", "places", "codes", "tries", "tallies"):
        assert tx._sql.one(f"SELECT count(*) FROM {table}") == (0,), table


# --- unlinking


def test_an_unlinked_account_begins_anew_and_the_history_stays_with_the_first(tx: Tx) -> None:
    a, b = pair(tx)
    here, there = private(tx, a, "telegram", "1"), private(tx, b, "discord", "dm:2")
    alone(tx, "b", there, b, "a")
    linked(tx, a, b)
    new = unlink(tx, a, "discord", "2", at(9))
    assert new is not None
    assert tx.known_learner("discord", "2") == new
    assert tx.links.accounts(a) == [Account("telegram", "1", None)]
    assert tx.links.accounts(new) == [Account("discord", "2", None)]
    assert (tx.progress_of(a).answered, tx.progress_of(new).answered) == (1, 0)
    assert tx.open_sessions(there) == []
    assert (tx.private_place(a, "telegram"), tx.private_place(a, "discord")) == (here, None)
    assert tx.private_place(new, "discord") == there
    linked(tx, a, new, at(10))
    assert tx.known_learner("discord", "2") == a


def test_of_two_accounts_on_one_platform_the_right_private_chat_is_let_go(tx: Tx) -> None:
    a, b = tx.learner_of("discord", "1", NOON), tx.learner_of("discord", "2", NOON)
    here, there = private(tx, a, "discord", "dm:1"), private(tx, b, "discord", "dm:2")
    alone(tx, "a", here, a)
    linked(tx, a, b)
    new = unlink(tx, a, "discord", "2", at(9))
    places = [tx.place(place) for place in (here, there)]
    assert [place.private_to for place in places if place is not None] == [a, new]
    assert [session.id for session in tx.open_sessions(here)] == ["a"]


@pytest.mark.parametrize("which", [("telegram", "1"), ("discord", "3"), ("", "")])
def test_the_first_account_and_those_of_others_cannot_be_unlinked(tx: Tx, which: tuple[str, str]) -> None:
    a, b = pair(tx)
    tx.learner_of("discord", "3", NOON)
    linked(tx, a, b)
    before: Any = tx._sql.all("SELECT * FROM accounts")
    assert unlink(tx, a, *which, at(9)) is None
    assert tx._sql.all("SELECT * FROM accounts") == before
