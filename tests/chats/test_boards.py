"""The use cases of boards, streaks and links, as a person meets them: words, buttons, and what a press does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.app import catalogues
from bot.bank import plain
from bot.chats.boards import Boards
from bot.chats.context import Context
from bot.chats.many import Heard, Member
from bot.chats.menus import Menu
from bot.chats.payload import Pick, read
from bot.quiz import Answer, Response, Step, Stop, group
from bot.store import Place, Tx
from bot.tutor import Period, act, begin
from tests.tutor.desk import NOON, bank_of, single
from tests.tutor.ledger import ledger, undone

BANK = bank_of(single("one"))
LANGUAGES = catalogues(None)
RU = LANGUAGES["ru"]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tx]:
    with ledger(tmp_path_factory.mktemp("chats") / "kontrolka.db") as tx:
        yield tx


@pytest.fixture
def tx(book: Tx) -> Iterator[Tx]:
    with undone(book):
        yield book


@pytest.fixture
def boards() -> Boards:
    return Boards(Context(None, BANK, LANGUAGES, lambda: NOON, lambda: "1"))  # type: ignore[arg-type]


def heard(tx: Tx, place: Place, name: str, *, moderator: bool = False, at: datetime = NOON, dice: str = "9z") -> Heard:
    learner = tx.learner_of("telegram", name, NOON)
    return Heard(tx, place, Member(learner, name, moderator, RU), at, dice, "u1")


def played(tx: Tx, *names: str) -> Place:
    """A group in which the first was right and the others were not."""
    place = tx.place_of("telegram", "-1", at=NOON)
    tx.set_place(replace(place, locale="en", zone="Europe/Berlin"))
    learners = [tx.learner_of("telegram", name, NOON) for name in names]
    begun = begin(
        tx, BANK, session="s", place=place.id, slot="group", host=learners[0], quiz=("one",), policy=group(),
        locales=("en",), at=NOON,
    )  # fmt: skip
    assert isinstance(begun, Step)
    for i, (learner, name) in enumerate(zip(learners, names, strict=True)):
        tx.set_name(place.id, learner, name)
        act(tx, BANK, "s", Answer(by=learner, position=0, at=NOON, response=Response(("a" if not i else "b",))))
    act(tx, BANK, "s", Stop(by=learners[0], at=NOON))
    return replace(place, locale="en", zone="Europe/Berlin")


def pick(menu: Menu | None, label: str) -> Pick:
    """What a button carries, after the way through a platform."""
    assert menu is not None
    payload = str(dict(menu.buttons)[label])
    assert len(payload.encode()) <= 64
    found = read(payload)
    assert isinstance(found, Pick)
    return found


def words(menu: Menu | None) -> str:
    assert menu is not None
    return plain(menu.words)


def private(tx: Tx, name: str, platform: str = "telegram") -> Heard:
    learner = tx.learner_of(platform, name, NOON)
    place = tx.place_of(platform, name, at=NOON, private_to=learner)
    return Heard(tx, place, Member(learner, "", False, RU), NOON, "9z", "u1")


def test_a_board_speaks_the_place_s_language_and_to_one_person_theirs(tx: Tx, boards: Boards) -> None:
    place = played(tx, "А", "Б")
    assert words(boards.top(heard(tx, place, "А"), alone=False)).startswith("Weekly board")
    assert words(boards.top(heard(tx, place, "А"), alone=True)).startswith("Таблица за неделю")


def test_every_period_is_a_press_away(tx: Tx, boards: Boards) -> None:
    place = played(tx, "А", "Б")
    menu = boards.top(heard(tx, place, "А"), alone=False)
    assert [label for label, _ in menu.buttons] == ["Month", "All time", "Hide or show me"]
    pressed = boards.pressed(heard(tx, place, "Б"), pick(menu, "All time"), alone=False)
    assert words(pressed.menu).startswith("All-time board\n1. \u2068А\u2069 — 1 point\n2. \u2068Б\u2069 — 0 points")


def test_whoever_has_not_answered_is_told_so_by_name(tx: Tx, boards: Boards) -> None:
    place = played(tx, "А", "Б")
    assert "\u2068В\u2069 is not on this board yet." in words(boards.top(heard(tx, place, "В"), alone=False))


def test_hiding_takes_one_press_and_is_told_to_nobody_else(tx: Tx, boards: Boards) -> None:
    place = played(tx, "А", "Б")
    hide = pick(boards.top(heard(tx, place, "А"), alone=False), "Hide or show me")
    pressed = boards.pressed(heard(tx, place, "А"), hide, alone=False)
    assert "А" not in words(pressed.menu)
    assert "1. \u2068Б\u2069" in words(pressed.menu)
    assert pressed.toast.startswith("Теперь вас нет")
    assert "Вы скрыты" in words(boards.top(heard(tx, place, "А"), alone=True))
    again = boards.pressed(heard(tx, place, "А"), hide, alone=False)
    assert "1. \u2068А\u2069" in words(again.menu)


def test_settings_and_the_file_are_for_moderators(tx: Tx, boards: Boards) -> None:
    place = played(tx, "А", "Б")
    moderator = heard(tx, place, "А", moderator=True)
    settings = pick(boards.top(moderator, alone=False), "Settings")
    refused = boards.pressed(heard(tx, place, "Б"), settings, alone=False)
    assert (refused.menu, refused.toast) == (None, "Это может сделать только модератор.")
    shown = boards.pressed(moderator, settings, alone=False)
    timed = boards.pressed(moderator, pick(shown.menu, "Учитывать время при равенстве"), alone=False)
    least = boards.pressed(moderator, pick(timed.menu, "От 5 ответов"), alone=False)
    nameless = boards.pressed(moderator, pick(least.menu, "Без имён"), alone=False)
    assert words(nameless.menu).splitlines() == [
        "При равных баллах выше тот, кто отвечал быстрее.",
        "Чтобы попасть в таблицу, нужно не меньше 5 ответов.",
        "В общем тесте бот говорит, сколько человек ответили верно, и никого не называет.",
    ]
    assert tx.chat_of(place).settings == {"ties": "time", "min_answers": 5, "names": False}
    boards.pressed(moderator, pick(nameless.menu, "С именами"), alone=False)
    assert tx.chat_of(place).settings == {"ties": "time", "min_answers": 5}
    few = boards.pressed(moderator, pick(least.menu, "Назад"), alone=False)
    assert "To be ranked, you need at least 5 answers." in words(few.menu)


def test_a_moderator_gets_everybody_in_a_file(tx: Tx, boards: Boards) -> None:
    place = played(tx, "А", "=Б")
    moderator = heard(tx, place, "А", moderator=True)
    shown = boards.pressed(moderator, pick(boards.top(moderator, alone=False), "Settings"), alone=False)
    file = boards.pressed(moderator, pick(shown.menu, "Таблица файлом"), alone=False).file
    assert file is not None
    assert file[0] == "board-week.csv"
    assert file[1].decode("utf-8-sig").splitlines()[1:] == ["1;А;1;1/1;1;0", "2;'=Б;0;0/1;1;0"]


@pytest.mark.parametrize("values", [(), ("year",), ("week", "least", "7"), ("week", "nonsense"), ("week", "hide", "x")])
def test_a_button_from_another_time_shows_the_board(tx: Tx, boards: Boards, values: tuple[str, ...]) -> None:
    place = played(tx, "А", "Б")
    pressed = boards.pressed(heard(tx, place, "А", moderator=True), Pick("top", values), alone=False)
    assert words(pressed.menu).startswith("Weekly board")


def test_a_private_chat_says_where_boards_are(tx: Tx, boards: Boards) -> None:
    assert "/top" in words(boards.top(private(tx, "А"), Period.ALL, alone=True))


def test_a_learner_chooses_the_city_whose_days_count(tx: Tx, boards: Boards) -> None:
    asked = private(tx, "А")
    assert "Дни считаются по UTC." in words(boards.streak(asked))
    menu = boards.streak(asked, "буэнос")
    chosen = boards.city(asked, pick(menu, menu.buttons[0][0]))
    assert "Буэнос-Айрес" in words(chosen)
    known = tx.learner(asked.by.learner)
    assert known is not None
    assert known.zone == "America/Argentina/Buenos_Aires"
    assert not boards.streak(asked, "Атлантида").buttons


@pytest.mark.parametrize("zone", ["", "Nowhere", "....", "..etc.passwd"])
def test_a_zone_that_does_not_exist_is_not_taken(tx: Tx, boards: Boards, zone: str) -> None:
    asked = private(tx, "А")
    assert words(boards.city(asked, Pick("city", (zone,)))) == "Эта кнопка устарела."


def test_a_group_s_streak_goes_by_the_group_s_city(tx: Tx, boards: Boards) -> None:
    place = played(tx, "А")
    said = words(boards.streak(heard(tx, place, "А")))
    assert "1 день подряд." in said
    assert "Берлин" in said


def test_accounts_are_linked_and_unlinked_in_words(tx: Tx, boards: Boards) -> None:
    first, second = private(tx, "1"), private(tx, "2", "discord")
    found = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", words(boards.link(first)))
    assert found is not None
    assert "10 минут" in words(boards.link(first))
    code = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", words(boards.link(first)))
    assert code is not None
    assert "собственный" in words(boards.link(first, code[0]))
    assert words(boards.link(second, "AAAA-AAAA")).endswith("На этот час осталось 4 попытки.")
    done = boards.link(second, code[0])
    assert "Привязано к Telegram: Discord." in words(done)
    later = replace(private(tx, "2", "discord"), at=NOON + timedelta(minutes=1))
    assert later.by.learner == first.by.learner
    unlinked = boards.unlinked(later, pick(boards.unlink(later), "Отвязать Discord"))
    assert words(unlinked) == "Учётная запись Discord отвязана и начинает заново."
    assert tx.known_learner("discord", "2") != first.by.learner
    assert words(boards.unlinked(first, Pick("unlink", ("telegram", "1")))) == "Эта учётная запись не привязана."


def test_a_code_is_not_shown_where_others_read(tx: Tx, boards: Boards) -> None:
    place = played(tx, "А")
    boards.link(heard(tx, place, "А"), alone=False)
    assert tx._sql.one("SELECT count(*) FROM codes") == (0,)
