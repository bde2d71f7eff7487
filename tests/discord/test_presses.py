"""Every press and every command is acknowledged, once, whatever became of it; what was answered counts once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import Tx
from tests.discord.desk import Desk, desk
from tests.far_ends.discord import Person, Place


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk(tmp_path) as found:
        yield found


def somebody(at: Desk, locale: str = "en-US") -> tuple[Person, Place]:
    guild = at.world.server()
    return at.world.person("A", locale, guild), at.world.channel(guild)


def attempts(tx: Tx) -> list[tuple[str, tuple[str, ...]]]:
    return [(a.item, a.response.chosen) for a in tx.attempts_of("s1")]


async def test_a_second_press_of_the_same_button_is_told_what_counts_and_counts_once(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="loud")
    question = a.latest(channel, "A")
    await a.presses(channel, "A")
    again = await a.sends(channel, question, question.buttons["B"])
    assert again.acknowledged
    assert [m.text for m in at.world.messages(channel)][-1] == "Already recorded: A."
    assert await at.look(attempts) == [("kind-loud", ("a",))]


async def test_a_button_of_a_question_left_behind_shows_the_present_one(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="kinds")
    first = a.latest(channel, "Skip")
    await a.presses(channel, "Skip")
    await a.presses(channel, "Next")
    late = await a.sends(channel, first, first.buttons["Submit"])
    assert late.acknowledged
    shown, told = at.world.messages(channel)
    assert "Question 2 of 5" in shown.text
    assert told.text == "The quiz has moved on from this question."


async def test_the_button_of_another_persons_quiz_changes_nothing(at: Desk) -> None:
    guild = at.world.server()
    channel = at.world.channel(guild)
    a, b = (at.world.person(name, "en-US", guild) for name in "AB")
    await a.types(channel, "quiz start", quiz="loud")
    theirs = a.latest(channel, "A")
    await b.types(channel, "help")
    pressed = await b.sends(channel, at.world.messages(channel)[-1], theirs.buttons["A"])
    assert pressed.acknowledged
    assert at.world.messages(channel)[-1].text == "This quiz is over."
    assert await at.look(attempts) == []


@pytest.mark.parametrize(
    "payload", ["2:s1:0:aa", "0/old", "1:s1:0:aa:extra", "1:s1:0:zz", "1/nothing/known", "1:s1:0:a"]
)
async def test_a_button_we_do_not_know_is_answered(at: Desk, payload: str) -> None:
    a, channel = somebody(at)
    await a.types(channel, "help")
    pressed = await a.sends(channel, at.world.messages(channel)[-1], payload)
    assert pressed.acknowledged


@pytest.mark.parametrize("values", [("a", "b"), ("zz",), ("zzz",)])
async def test_a_forged_menu_is_answered_and_counts_nothing(at: Desk, values: tuple[str, ...]) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="timed")
    question = a.latest(channel, "")
    pressed = await a.sends(channel, question, "1:s1:0:a", *values)
    assert pressed.acknowledged
    assert await at.look(attempts) == []


async def test_a_press_on_a_deleted_message_is_answered_with_a_new_one(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="loud")
    question = a.latest(channel, "A")
    at.world.delete(channel, question)
    pressed = await a.sends(channel, question, question.buttons["B"])
    assert pressed.acknowledged
    (shown,) = at.world.messages(channel)
    assert shown.hidden
    assert "your answer, right" in shown.text


async def test_a_bug_is_told_with_its_number_in_the_persons_language(
    at: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    a, channel = somebody(at, "ru")
    await a.types(channel, "quiz start", quiz="loud")
    await at.look(lambda tx: tx._sql.write("DROP TABLE attempts"))
    pressed = await a.presses(channel, "A")
    assert pressed.acknowledged
    told = at.world.messages(channel)[-1]
    assert told.hidden
    assert told.text.startswith("У меня произошла ошибка.")
    assert told.text.rstrip(".")[-6:] in caplog.text


async def test_a_full_disk_is_told_and_nothing_is_counted(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="loud")
    at.store.full = True
    pressed = await a.presses(channel, "A")
    at.store.full = False
    assert pressed.acknowledged
    assert at.world.messages(channel)[-1].text.startswith("I cannot save anything at the moment")
    assert await at.look(attempts) == []
    await a.presses(channel, "A")
    assert await at.look(attempts) == [("kind-loud", ("a",))]


async def test_a_commit_that_takes_long_is_acknowledged_first_and_filled_in_later(at: Desk) -> None:
    a, channel = somebody(at)
    async with at.slow_disk(2):
        await a.types(channel, "quiz start", quiz="loud")
    async with at.slow_disk(2):
        await a.presses(channel, "A")
    assert at.world.first_answers() == [5, 6]
    (shown,) = at.world.messages(channel)
    assert shown.hidden
    assert "your answer, wrong" in shown.text


async def test_a_command_in_direct_messages_that_only_shows_the_question_leaves_no_spinner(at: Desk) -> None:
    a = at.world.person("A", "en-US", at.world.server())
    await a.types(a.dm, "quiz start", quiz="loud")
    await a.types(a.dm, "quiz resume")
    assert at.world.first_answers() == [4, 5]
    assert len(at.world.messages(a.dm)) == 3  # the title, the question, the question again


async def test_an_interaction_delivered_twice_has_one_effect(at: Desk) -> None:
    a, channel = somebody(at)
    guild_events: list[dict[str, object]] = []
    at.world.env.backend.subscribers.insert(
        0, lambda event, payload: guild_events.append(payload) if event == "INTERACTION_CREATE" else None
    )
    await a.types(channel, "quiz start", quiz="loud")
    at.world.env.backend.emit("INTERACTION_CREATE", guild_events[0])
    await at.world.env.settle()
    assert await at.look(lambda tx: (tx.session("s1") is not None, tx.session("s2"))) == (True, None)


async def test_start_the_new_one_delivered_twice_throws_nothing_away(at: Desk) -> None:
    a, channel = somebody(at)
    events: list[dict[str, object]] = []
    await a.types(channel, "quiz start", quiz="kinds")
    await a.presses(channel, "Skip")
    await a.presses(channel, "Next")
    await a.types(channel, "progress")
    await a.presses(channel, "Practise my mistakes")
    at.world.env.backend.subscribers.insert(
        0, lambda event, payload: events.append(payload) if event == "INTERACTION_CREATE" else None
    )
    await a.presses(channel, "Start the new one")
    before = at.world.messages(channel)[-1].text
    at.world.env.backend.emit("INTERACTION_CREATE", events[0])
    await at.world.env.settle()
    assert "Which of these numbers are even?" in before
    assert at.world.messages(channel)[-1].text == before
    opened = await at.look(lambda tx: tx._sql.all("SELECT json_array_length(plan) FROM sessions WHERE open = 1"))
    assert opened == [(1,)]


async def test_a_result_in_a_private_chat_outlives_a_second_press(at: Desk) -> None:
    a = at.world.person("A", "en-US", at.world.server())
    await a.types(a.dm, "quiz start", quiz="kinds")
    await a.presses(a.dm, "Skip")
    await a.presses(a.dm, "Next")
    await a.types(a.dm, "quiz stop")
    result = a.latest(a.dm, "Practise what I missed")
    for _ in range(2):
        await a.sends(a.dm, result, result.buttons["Practise what I missed"])
    assert sum("Result: 0 points out of 1" in message.text for message in at.world.messages(a.dm)) == 1


async def test_two_people_fill_in_forms_at_the_same_time(at: Desk) -> None:
    guild = at.world.server()
    channel = at.world.channel(guild)
    a, b = (at.world.person(name, "en-US", guild) for name in "AB")
    forms = []
    for person in (a, b):
        await person.types(channel, "quiz start", quiz="kinds")
        await person.presses(channel, "Skip")
        await person.presses(channel, "Next")
        forms.append(await person.presses(channel, "Type an answer"))
    await at.restart()
    for person, form in zip((a, b), forms, strict=True):
        sent = await person.writes(form, "checkpoint")
        assert sent.acknowledged
    right = [m for m in at.world.messages(channel) if m.text.count("Right.")]
    assert len(right) == 2


async def test_a_form_sent_too_late_changes_nothing(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="kinds")
    await a.presses(channel, "Skip")
    await a.presses(channel, "Next")
    form = await a.presses(channel, "Type an answer")
    await a.presses(channel, "Skip")
    await a.writes(form, "checkpoint")
    assert at.world.messages(channel)[-1].text == "This question has already been skipped."


async def test_a_form_is_not_opened_for_a_question_that_is_answered(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="kinds")
    await a.presses(channel, "Skip")
    await a.presses(channel, "Next")
    question = a.latest(channel, "Type an answer")
    await a.presses(channel, "Skip")
    pressed = await a.sends(channel, question, question.buttons["Type an answer"])
    assert pressed.acknowledged
    assert pressed.modal is None


async def test_typed_words_are_cleaned(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="kinds")
    await a.presses(channel, "Skip")
    await a.presses(channel, "Next")
    await a.writes(await a.presses(channel, "Type an answer"), "\u202echeck\u200bpoint @everyone")
    assert "checkpoint @\u2060everyone" in at.world.messages(channel)[-1].text


async def test_a_timed_quiz_is_judged_by_the_time_of_the_press(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="timed")
    await at.world.env.advance_time(599)
    await a.chooses(channel, "F")
    assert await at.look(attempts) == [("kind-long", ("f",))]
    await at.world.env.advance_time(10)
    await a.chooses(channel, "A")
    assert await at.look(attempts) == [("kind-long", ("f",))]
    assert at.world.messages(channel)[-1].text == "Time is up."


async def test_a_quiz_in_direct_messages_begins_from_a_server_when_asked_to(at: Desk) -> None:
    a, channel = somebody(at)
    await a.types(channel, "quiz start", quiz="loud", where="dm")
    (told,) = at.world.messages(channel)
    assert (told.hidden, told.text) == (True, "I have written to you in direct messages.")
    assert "A" in at.world.messages(a.dm)[-1].buttons
    await a.presses(a.dm, "B")
    assert await at.look(attempts) == [("kind-loud", ("b",))]
