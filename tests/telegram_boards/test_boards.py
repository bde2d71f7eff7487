"""What a transcript would show too long: long boards, old and foreign buttons, codes among others, files that fail."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.tutor import Joined, WrongCode, join
from tests.far_ends.telegram import FarEnd
from tests.far_ends.telegram.errors import ApiError
from tests.telegram_boards.test_transcripts import START, discord, now, quiz
from tests.telegram_groups.days import Days, Gathering, Message, days


@pytest.fixture
async def far_end() -> AsyncIterator[FarEnd]:
    async with FarEnd(start=START) as one:
        yield one
    one.assert_clean()


@pytest.fixture
async def desk(far_end: FarEnd, tmp_path: Path) -> AsyncIterator[Days]:
    async with days(far_end, tmp_path) as one:
        yield one
        assert await one.read(lambda tx: tx.inbox.quarantined()) == []


def top(far_end: FarEnd, g: Gathering) -> Message:
    return far_end.last(g.place)


async def test_the_asker_stands_below_a_long_board_with_the_true_rank(far_end: FarEnd, desk: Days) -> None:
    many = [far_end.person(f"B{number}", language_code="en") for number in range(11)]
    a, c = (far_end.person(name, language_code="en") for name in ("A", "C"))
    g = Gathering(desk)
    g.add(far_end, "Circle", a, c, *many)
    await quiz(g, a, right=(), wrong=(c,), meanwhile=lambda: [g.tap(person, "D") for person in many])
    await g.says(c, "/top")
    lines = far_end.last(g.place).words.splitlines()
    assert [line for line in lines if line.startswith("1. ")] == [f"1. \u2068B{n}\u2069 — 1 point" for n in range(11)]
    assert lines[lines.index("…") + 1] == "12. \u2068C\u2069 — 0 points"


async def test_boards_of_topics_are_apart(far_end: FarEnd, desk: Days) -> None:
    a, b = (far_end.person(name, language_code="en") for name in ("A", "B"))
    g = Gathering(desk)
    g.add(far_end, "Circle", a, b, forum=True)
    g.topic = g.place.topic("Here")
    other = g.place.topic("There")
    await desk.calm()
    await quiz(g, a, right=(b,), wrong=())
    await g.says(b, "/top")
    assert "1. \u2068B\u2069" in far_end.last(g.place).words
    g.topic = other
    await g.says(b, "/top")
    assert "Nobody is on this board yet." in far_end.last(g.place).words
    assert far_end.last(g.place).topic == other.id


async def test_a_code_that_was_typed_in_a_group_is_worth_nothing(far_end: FarEnd, desk: Days) -> None:
    a, b = (far_end.person(name, language_code="en") for name in ("A", "B"))
    g = Gathering(desk)
    g.add(far_end, "Circle", a, b)
    codes = []
    for _ in range(2):
        await desk.types(a, "/start")
        await desk.types(a, "/link")
        found = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", far_end.last(a).words)
        assert found is not None
        codes.append(found[0])
        if len(codes) == 1:
            await g.says(a, f"/link {codes[0]}")
            assert "in a private chat" in far_end.last(g.place).words
            spoilt = await desk.read(lambda tx: join(tx, discord(tx), codes[0], now(desk)))
            assert isinstance(spoilt, WrongCode)
    assert isinstance(await desk.read(lambda tx: join(tx, discord(tx), codes[1], now(desk))), Joined)


@pytest.mark.parametrize("data", ["1/city/Europe.Berlin", "1/unlink/discord/D1", "1/city/ask", "1/top"])
async def test_every_button_in_a_group_is_answered(far_end: FarEnd, desk: Days, data: str) -> None:
    a, b = (far_end.person(name, language_code="en") for name in ("A", "B"))
    g = Gathering(desk)
    g.add(far_end, "Circle", a, b)
    await g.says(a, "/top")
    board = top(far_end, g)
    query = b.sends_data(board, data)
    await desk.calm()
    assert query.is_answered
    assert (query.toast == "This button is out of date.") == (data != "1/top")


async def test_a_button_of_a_message_that_is_too_old_to_tell_its_topic_says_so(far_end: FarEnd, desk: Days) -> None:
    a, b = (far_end.person(name, language_code="en") for name in ("A", "B"))
    g = Gathering(desk)
    g.add(far_end, "Circle", a, b)
    await g.says(a, "/top")
    board = top(far_end, g)
    board.deleted = True
    query = b.sends_data(board, "1/top/month")
    await desk.calm()
    assert query.toast == "This button is out of date."


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ApiError(403, "Forbidden: bot was blocked by the user"), "I cannot write to you"),
        (ApiError(400, "Bad Request: nothing that we know"), "The file may not have arrived"),
    ],
)
async def test_a_file_that_does_not_leave_is_told(far_end: FarEnd, desk: Days, error: ApiError, words: str) -> None:
    a = far_end.person("A", language_code="en")
    a.starts()
    g = Gathering(desk)
    g.add(far_end, "Circle", a)
    await g.says(a, "/top")
    await g.taps(a, "1/top/week/settings")
    far_end.faults.refuse("sendDocument", error)
    query = await g.taps(a, "1/top/week/file")
    assert query.toast is not None
    assert query.toast.startswith(words)


async def test_a_file_that_may_have_arrived_is_not_sent_twice(far_end: FarEnd, desk: Days) -> None:
    a = far_end.person("A", language_code="en")
    a.starts()
    g = Gathering(desk)
    g.add(far_end, "Circle", a)
    await g.says(a, "/top")
    await g.taps(a, "1/top/week/settings")
    far_end.faults.reset_after("sendDocument")
    query = await g.taps(a, "1/top/week/file")
    assert query.toast is not None
    assert query.toast.startswith("The file may not have arrived")
    assert len([m for m in far_end.messages(a) if m.document]) == 1


async def test_a_slow_file_is_answered_at_once_and_its_failure_told_in_the_group(far_end: FarEnd, desk: Days) -> None:
    a = far_end.person("A", language_code="en")
    a.starts()
    g = Gathering(desk)
    g.add(far_end, "Circle", a)
    await g.says(a, "/top")
    await g.taps(a, "1/top/week/settings")
    held = far_end.faults.hold("sendDocument")
    query = g.tap(a, "1/top/week/file")
    await desk.until(lambda: query.is_answered)
    a.blocks()
    held.release()
    await desk.calm()
    assert far_end.last(g.place).words.startswith("I cannot write to you")


@pytest.mark.parametrize("named", [True, False])
async def test_a_group_quiz_names_who_was_right_unless_a_moderator_wants_no_names(
    far_end: FarEnd, desk: Days, named: bool
) -> None:
    a = far_end.person("Anna", language_code="en")
    g = Gathering(desk)
    g.add(far_end, "Circle", a)
    if not named:
        await g.says(a, "/top")
        await g.taps(a, "1/top/week/settings")
        await g.taps(a, "1/top/week/names")
    await g.says(a, "/quiz")
    await g.taps(a, "1/g/")
    await g.taps(a, "1/gb/")
    await g.taps(a, "D")
    await g.taps(a, ":v")
    shown = next(m for m in reversed(far_end.messages(g.place)) if "1 of 1 got it right." in m.words)
    assert ("\u2068Anna\u2069" in shown.words) == named
