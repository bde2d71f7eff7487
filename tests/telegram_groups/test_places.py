"""Groups, topics and channels: where posts go, who may do what, what happens when a place moves or is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.store import PostState
from tests.far_ends.telegram import ApiError, FarEnd, Message, Person, shapes
from tests.far_ends.telegram.fixtures import far_end  # noqa: F401
from tests.far_ends.telegram.world import User
from tests.telegram_groups.days import Days, Gathering, days

DAY_S = 24 * 3600.0


@pytest.fixture
def people(far_end: FarEnd) -> list[Person]:  # noqa: F811
    return [far_end.person(name, language_code="en") for name in ("A", "B", "C")]


@pytest_asyncio.fixture
async def desk(far_end: FarEnd, tmp_path: Path) -> AsyncIterator[Days]:  # noqa: F811
    async with days(far_end, tmp_path) as one:
        yield one
        assert await one.read(lambda tx: tx.inbox.quarantined()) == []


async def begun(g: Gathering, host: Person) -> Message:
    """A quiz runs, paced by its host; its first question."""
    await g.says(host, "/quiz")
    await g.taps(host, "1/g/")
    await g.taps(host, "1/gb/")
    return g.desk.far_end.last(g.place)


async def daily(g: Gathering, owner: Person, *flips: str) -> None:
    """A daily question at nine, which runs."""
    await g.says(owner, "/daily")
    for flip in flips:
        await g.taps(owner, f"1/daily/1/flip/{flip}")
    await g.taps(owner, "1/daily/1/start")


def questions(g: Gathering) -> list[Message]:
    return [m for m in g.desk.far_end.messages(g.place) if "have answered" in m.words or "has answered" in m.words]


async def test_it_says_hello_once_and_resumes_nothing_by_itself(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b)
    await desk.calm()
    question = await begun(g, a)
    g.place.removes_bot()
    await desk.calm()
    g.place.makes_bot_member()
    await desk.calm()
    assert [m.words for m in desk.far_end.messages(g.place)].count(desk.far_end.messages(g.place)[0].words) == 1
    assert (await g.taps(b, "A")).toast == "The quiz is paused."
    await g.says(a, "/resume")
    assert (await g.taps(b, "A")).toast.startswith("Recorded: A.")
    assert question.id == questions(g)[-1].id


async def test_a_question_that_was_lost_with_the_rights_is_sent_after_resume(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    a.starts()
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b)
    await desk.calm()
    await begun(g, a)
    await g.says(a, "/reveal")
    no_rights = ApiError(400, "Bad Request: not enough rights to send text messages to the chat")
    desk.far_end.faults.refuse("sendMessage", no_rights)
    await g.taps(a, ":0:n")
    await desk.passes(60)
    assert "on hold" in desk.far_end.last(a).words
    await g.says(a, "/resume")
    assert "Question 2 of 5" in questions(g)[-1].words


async def test_topics_have_quizzes_of_their_own_and_general_has_no_number(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    g = Gathering(desk)
    forum = g.add(desk.far_end, "Class", a, b, forum=True)
    topic = forum.topic("Python")
    await desk.calm()
    for where in (None, topic):
        g.topic = where
        await g.says(a, "/quiz")
        await g.taps(a, "1/g/")
        await g.taps(a, "1/gb/")
    first, second = questions(g)
    assert (first.topic, second.topic) == (None, topic.id)
    assert (await desk.far_end.answered(b.taps(second, "A"))).startswith("Recorded")
    g.topic = None
    await g.says(b, "/quiz")
    assert "already" in desk.far_end.last(g.place).words
    assert desk.far_end.last(g.place).topic is None


@pytest.mark.parametrize("trouble", ["The topic is closed.", "This topic or channel no longer exists."])
async def test_a_topic_that_is_closed_or_gone_breaks_the_daily_question_of_that_topic_alone(
    desk: Days, people: list[Person], trouble: str
) -> None:
    a, _, _ = people
    a.starts()
    g = Gathering(desk)
    forum = g.add(desk.far_end, "Class", a, forum=True)
    topic = forum.topic("Python")
    await desk.calm()
    g.topic = topic
    await daily(g, a)
    g.topic = None
    await g.says(a, "/daily")
    await g.taps(a, "1/daily/2/start")
    if "closed" in trouble:
        a.closes(topic, forum)
    else:
        forum.removes_topic(topic)
    await desk.passes(DAY_S)
    await desk.passes(60)
    assert [m.topic for m in questions(g)] == [None]
    calls = desk.far_end.server.counts["sendMessage"]
    await desk.passes(60)
    assert desk.far_end.server.counts["sendMessage"] == calls
    (told,) = [m.words for m in desk.far_end.messages(a)][1:]
    assert f"(Class) is on hold. {trouble}" in told


async def test_a_channel_is_chosen_in_the_private_chat_by_whoever_may_post(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    g = Gathering(desk)
    g.place = desk.far_end.channel("News", a)
    for person in (a, b):
        person.starts()
        person.sends("/daily")
        await desk.calm()
        chosen = person.sends("chosen")
        desk.far_end.updates.kept.pop()
        shared = {"request_id": 1, "chat_id": g.place.id, "title": "News"}
        desk.far_end.updates.inject({"message": message_of(person, chosen, chat_shared=shared)})
        await desk.calm()
    assert desk.far_end.last(b).words == "You are not a moderator of that chat."
    await g.taps(a, "1/daily/1/start", where=a)
    await desk.passes(DAY_S)
    assert (await g.taps(b, "A")).toast.startswith(("Right.", "Wrong."))
    await desk.passes(11 * 3600)
    assert "1 got it right" in desk.far_end.last(g.place).words


def message_of(person: Person, sent: Message, **more: Any) -> dict[str, Any]:
    shape = shapes.message(person.world, sent)
    del shape["text"]
    return {**shape, **more}


async def test_a_group_that_becomes_a_supergroup_takes_everything_along(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    g = Gathering(desk)
    g.place = desk.far_end.group("Circle", a, b)
    await desk.calm()
    await daily(g, a)
    await begun(g, a)
    await g.taps(b, "A")
    g.place = g.place.upgrades()
    await desk.calm()
    assert len(questions(g)) == 1
    assert (await g.taps(b, "D")).toast.startswith("Recorded: D.")
    await g.says(a, "/reveal")
    assert "1 of 1 got it right." in desk.far_end.last(g.place).words
    await desk.passes(DAY_S)
    assert len(questions(g)) == 1


async def test_a_group_that_has_moved_unnoticed_gets_its_question_once(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    g = Gathering(desk)
    g.place = desk.far_end.group("Circle", a, b)
    await desk.calm()
    await daily(g, a)
    g.place = g.place.upgrades()
    desk.far_end.updates.kept.clear()
    await desk.passes(DAY_S)
    await desk.calm()
    assert len(questions(g)) == 1


async def test_a_question_that_may_have_arrived_is_sent_again_only_by_its_moderator(
    desk: Days, people: list[Person]
) -> None:
    a, b, _ = people
    a.starts()
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b)
    await desk.calm()
    await daily(g, a)
    desk.far_end.faults.server_error("sendMessage", code=502)
    await desk.passes(DAY_S)
    assert questions(g) == []
    await desk.passes(1)
    assert desk.far_end.last(a).buttons == ["Send again"]
    await desk.passes(60)
    assert questions(g) == []
    await g.taps(a, "1/resend/", where=a)
    assert len(questions(g)) == 1


async def test_a_press_proves_that_a_question_has_arrived(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b)
    await desk.calm()
    await daily(g, a)
    desk.far_end.faults.reset_after("sendMessage")
    await desk.passes(DAY_S)
    assert [p.state for p in await desk.read(lambda tx: tx.posts.in_state(PostState.UNCERTAIN))] == ["uncertain"]
    await desk.far_end.answered(b.taps(questions(g)[0], "A"))
    await desk.passes(1)
    assert await desk.read(lambda tx: tx.posts.in_state(PostState.UNCERTAIN)) == []
    assert (await g.taps(a, "1/resend/")).toast == ""
    assert len(questions(g)) == 1


async def test_only_the_newest_daily_question_is_pinned(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b)
    g.place.makes_bot_admin("can_pin_messages")
    await desk.calm()
    await daily(g, a, "pin")
    await desk.passes(DAY_S)
    await desk.passes(DAY_S)
    assert g.place.chat.pinned == [questions(g)[-1].id]


async def test_the_link_under_a_question_explains_only_what_one_has_answered(desk: Days, people: list[Person]) -> None:
    a, b, c = people
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b, c)
    await desk.calm()
    await daily(g, a)
    await desk.passes(DAY_S)
    link = questions(g)[-1].markup["inline_keyboard"][-1][0]["url"].partition("start=")[2]  # type: ignore[index]
    await g.taps(b, "A")
    for person in (b, c):
        person.starts(link)
    await desk.calm()
    assert "your answer" in desk.far_end.last(b).words
    assert desk.far_end.last(b).buttons == []
    assert "You have not answered" in desk.far_end.last(c).words


async def test_nobody_reads_an_explanation_before_the_reveal(desk: Days, people: list[Person]) -> None:
    a, b, _ = people
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b)
    await desk.calm()
    question = await begun(g, a)
    session = question.markup["inline_keyboard"][0][0]["callback_data"].split(":")[1]  # type: ignore[index]
    await g.taps(b, "A")
    b.starts(f"why_{session}_0")
    await desk.calm()
    assert "not been revealed" in desk.far_end.last(b).words
    assert not any("start=why" in str(row) for row in question.markup["inline_keyboard"])  # type: ignore[index]


@pytest.mark.parametrize("account", [136817688, 1087968824])
async def test_who_acts_for_a_chat_is_told_and_never_scored(account: int, desk: Days, people: list[Person]) -> None:
    a, _, _ = people
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a)
    await desk.calm()
    question = await begun(g, a)
    nobody = Person(desk.far_end.world, User(account, "Channel", is_bot=True))
    query = nobody.sends_data(question, question.markup["inline_keyboard"][0][0]["callback_data"])  # type: ignore[index]
    assert "not scored" in await desk.far_end.answered(query)
    await g.says(a, "/reveal")
    assert "No one has answered" in question.words or "Nobody has answered" in question.words


async def test_a_forwarded_question_counts_in_no_other_group(desk: Days, people: list[Person]) -> None:
    """Case 58."""
    a, b, _ = people
    one, other = Gathering(desk), Gathering(desk)
    one.add(desk.far_end, "One", a, b)
    other.add(desk.far_end, "Other", a, b)
    await desk.calm()
    first, second = await begun(one, a), await begun(other, a)
    await desk.far_end.answered(b.taps(first, "A"))
    await desk.far_end.answered(b.taps(second, "D"))
    forwarded = b.sends_data(second, first.markup["inline_keyboard"][0][3]["callback_data"])  # type: ignore[index]
    assert await desk.far_end.answered(forwarded) == "This quiz is over."
    await one.says(a, "/reveal")
    await other.says(a, "/reveal")
    assert "0 of 1" in first.words
    assert "1 of 1" in second.words


async def test_two_starts_at_the_same_moment_make_one_quiz(desk: Days, people: list[Person]) -> None:
    """Case 58."""
    a, b, _ = people
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b)
    await desk.calm()
    for person in (a, b):
        await g.says(person, "/quiz")
        await g.taps(person, "1/g/")
    menus = [m for m in desk.far_end.messages(g.place) if "Start the quiz" in m.buttons or "Begin" in m.buttons]
    taps = [person.taps(menu, menu.buttons[0]) for person, menu in zip((a, b), menus, strict=True)]
    await desk.calm()
    assert len(questions(g)) == 1
    assert sorted(bool(tap.toast) for tap in taps) == [False, True]


async def test_who_answers_late_gets_nothing_and_the_next_question_is_not_touched(
    desk: Days, people: list[Person]
) -> None:
    """Case 57: the clock starts when the question is really sent; Telegram says nothing of when one pressed."""
    a, b, c = people
    g = Gathering(desk)
    g.add(desk.far_end, "Circle", a, b, c)
    await desk.calm()
    await g.says(a, "/quiz")
    await g.taps(a, "1/g/")
    await g.taps(a, "1/g/1/seed/5.30.o.c")
    held = desk.far_end.faults.hold("sendMessage")
    g.tap(a, "1/gb/")
    await desk.until(lambda: held.hits)
    desk.far_end.clock.advance(4.2)
    held.release()
    await desk.calm()
    question = questions(g)[-1]
    desk.far_end.clock.advance(31.9)
    assert (await desk.far_end.answered(b.taps(question, "D"))).startswith("Recorded")
    desk.far_end.clock.advance(0.2)
    assert (await desk.far_end.answered(c.taps(question, "D"))).startswith("Too late")
    await desk.passes(0)
    await desk.passes(16)
    assert (await desk.far_end.answered(c.taps(question, "D", gone=True))) != ""
    assert "Nobody has answered yet" in questions(g)[-1].words
    assert [m.words for m in desk.far_end.messages(g.place) if "1 of 1" in m.words] != []


class Gate:
    """Waits of the bot, which end when a test opens the gate."""

    def __init__(self) -> None:
        self.waits: list[Any] = []

    async def __call__(self, _: float) -> None:
        opened = asyncio.get_running_loop().create_future()
        self.waits.append(opened)
        await opened

    def opens(self) -> None:
        for wait in self.waits:
            if not wait.done():
                wait.set_result(None)


async def test_of_many_answers_only_the_latest_count_is_shown(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    gate = Gate()
    async with days(far_end, tmp_path, sleep=gate) as desk:
        crowd = [far_end.person(f"A{n}", language_code="en") for n in range(30)]
        g = Gathering(desk)
        g.add(far_end, "Circle", *crowd)
        await desk.calm()
        question = await begun(g, crowd[0])
        before = far_end.server.counts["editMessageText"]
        for wave in (crowd[:15], crowd[15:]):
            for person in wave:
                person.taps(question, "A")
            await desk.calm()
            assert far_end.server.counts["editMessageText"] == before + 1
        gate.opens()
        await desk.calm()
        assert far_end.server.counts["editMessageText"] == before + 2
        assert "30 people have answered" in question.words
        await g.says(crowd[0], "/reveal")
        assert "of 30 got it right" in question.words
        gate.opens()


async def test_commands_are_offered_to_those_who_may_use_them(desk: Days, people: list[Person]) -> None:
    people[0].starts()
    await desk.calm()
    offered = {
        scope: [c["command"] for c in found]
        for (scope, tag), found in desk.far_end.world.commands.items()
        if tag == "ru"
    }
    everybody = next(found for scope, found in offered.items() if "all_group_chats" in scope)
    moderators = next(found for scope, found in offered.items() if "all_chat_administrators" in scope)
    assert "daily" not in everybody
    assert {"daily", "language", *everybody} == set(moderators)
