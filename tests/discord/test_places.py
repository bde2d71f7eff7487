"""Places that are lost, persons who cannot be written to, apps that only a person has installed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import PostState
from tests.discord.desk import Desk, desk


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk(tmp_path) as found:
        yield found


async def paused(at: Desk, session: str = "s1") -> bool:
    found = await at.look(lambda tx: tx.session(session))
    return found is not None and found.paused_at is not None


LOST = "I no longer have access to the channel where your quiz was open, so the quiz is on hold."


@pytest.mark.parametrize("what", ["channel", "channel of a thread", "thread", "server"])
async def test_a_quiz_in_a_place_that_is_gone_stands_still_and_its_person_is_told_once(at: Desk, what: str) -> None:
    guild = at.world.server()
    channel = at.world.channel(guild)
    place = at.world.thread(channel) if "thread" in what else channel
    a = at.world.person("A", "en-US", guild)
    await a.types(place, "quiz start", quiz="loud")
    match what:
        case "server":
            await at.world.leave(guild)
        case "thread":
            await at.world.lose(place)
        case _:
            await at.world.lose(channel)
    assert await paused(at)
    (told,) = at.world.messages(a.dm)
    assert told.text.startswith(LOST)
    await at.restart()
    await at.world.env.settle()
    assert len(at.world.messages(a.dm)) == 1


async def test_a_quiz_elsewhere_is_not_touched_by_the_loss_of_a_channel(at: Desk) -> None:
    guild = at.world.server()
    channel, other = at.world.channel(guild), at.world.channel(guild, "other")
    a = at.world.person("A", "en-US", guild)
    await a.types(other, "quiz start", quiz="loud")
    await at.world.lose(channel)
    assert not await paused(at)
    assert at.world.messages(a.dm) == []


async def test_a_person_who_cannot_be_told_is_not_tried_again(at: Desk) -> None:
    guild = at.world.server()
    channel = at.world.channel(guild)
    a = at.world.person("A", "en-US", guild)
    await a.types(channel, "quiz start", quiz="loud")
    at.world.fail("POST", "/channels/*/messages", 403, 50007, times=None)
    await at.world.lose(channel)
    assert await paused(at)
    assert at.world.calls("POST", "/messages") == 1


async def test_whoever_lets_us_not_write_is_told_so_where_they_asked(at: Desk) -> None:
    guild = at.world.server()
    channel = at.world.channel(guild)
    a = at.world.person("A", "ru", guild)
    at.world.fail("POST", "/channels/*/messages", 403, 50007, times=None)
    await a.types(channel, "quiz start", quiz="loud", where="dm")
    (told,) = at.world.messages(channel)
    assert told.hidden
    assert told.text.startswith("Я не могу вам написать")
    assert await paused(at)
    assert await at.look(lambda tx: tx.posts.in_state(PostState.PENDING)) == []
    calls = at.world.calls("POST", "/messages")
    await at.passes(120)
    assert at.world.calls("POST", "/messages") == calls


async def test_a_quiz_that_stood_still_goes_on_when_its_person_comes_back(at: Desk) -> None:
    guild = at.world.server()
    channel = at.world.channel(guild)
    a = at.world.person("A", "en-US", guild)
    at.world.fail("POST", "/channels/*/messages", 403, 50007, times=2)
    await a.types(channel, "quiz start", quiz="loud", where="dm")
    assert await paused(at)
    await a.types(a.dm, "quiz resume")
    assert not await paused(at)
    await a.presses(a.dm, "B")
    assert "your answer, right" in at.world.messages(a.dm)[-1].text


async def test_quiz_stop_works_where_the_bot_may_nothing(at: Desk) -> None:
    guild = at.world.server()
    channel = at.world.channel(guild)
    a = at.world.person("A", "en-US", guild)
    await a.types(channel, "quiz start", quiz="loud")
    at.world.forbid(channel, view_channel=True, send_messages=True, embed_links=True, attach_files=True)
    await a.types(channel, "quiz stop")
    assert "Quiz stopped." in at.world.messages(channel)[-1].text


async def test_a_question_reads_the_same_where_embeds_are_forbidden(at: Desk) -> None:
    guild = at.world.server()
    channel, plain = at.world.channel(guild), at.world.channel(guild, "plain")
    at.world.forbid(plain, embed_links=True)
    a = at.world.person("A", "en-US", guild)
    await a.types(channel, "quiz start", quiz="loud")
    await a.types(plain, "quiz start", quiz="loud")
    assert at.world.messages(channel)[-1].whole == at.world.messages(plain)[-1].whole != ""


async def test_the_doctor_names_what_is_missing_in_a_thread(at: Desk) -> None:
    guild = at.world.server()
    channel = at.world.channel(guild)
    thread = at.world.thread(channel)
    at.world.forbid(channel, send_messages=True, send_messages_in_threads=True)
    at.world.env.backend.get_channel(thread.id).thread_metadata.locked = True
    at.world.env.backend.announce_channel_update(thread.id)
    await at.world.env.settle()
    a = at.world.person("A", "en-US", guild)
    await a.types(thread, "doctor")
    report = at.world.messages(thread)[-1].text
    assert "I still need: Send Messages in Threads." in report
    assert "This thread is locked." in report


async def test_the_doctor_says_what_an_app_of_one_person_cannot_do(at: Desk) -> None:
    guild = at.world.server()
    at.world.foreign.add(guild.id)
    channel = at.world.channel(guild)
    a = at.world.person("A", "en-US", guild)
    await a.types(channel, "doctor")
    assert "The app is installed only for you" in at.world.messages(channel)[-1].text


async def test_a_long_result_needs_few_messages_and_comes_as_a_file(at: Desk) -> None:
    """An app that only a person has installed may follow up an interaction five times."""
    from bot.bank import Paragraph, Span
    from bot.chats.discord.layout import MAX_PAGES, of_message
    from bot.present import Message
    from tests.discord.desk import languages

    body = tuple(Paragraph((Span(f"{n}. " + "word " * 60),)) for n in range(200))
    (page,) = of_message(Message(body=body), languages()["en"], Path())
    assert "199. word" in page.attachment
    some = of_message(Message(body=body[:40]), languages()["en"], Path())
    assert 1 < len(some) <= MAX_PAGES
    assert "39\\. word" in some[-1].texts[-1]
