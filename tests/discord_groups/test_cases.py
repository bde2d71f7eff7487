"""Late answers, two quizzes at once, three days down, hostile names and words: the cases of the field."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.discord_groups.scene import LOCALES, Scene, scene, words
from tests.discord_groups.test_daily import set_up
from tests.discord_groups.test_trouble import posts
from tests.far_ends.discord import Place


async def attempts(at: Scene) -> list[tuple[str, int, bool]]:
    """Account name, position and whether it was right, of every answer that counts."""
    rows = await at.at.look(lambda tx: tx._sql.all("SELECT id FROM sessions ORDER BY id", ()))
    found = []
    for (session,) in rows:
        for attempt in await at.at.look(lambda tx, s=session: tx.counting_attempts(s)):  # type: ignore[misc]
            session_ = await at.at.look(lambda tx, s=session: tx.session(s))  # type: ignore[misc]
            assert session_ is not None
            named = await at.at.look(lambda tx, a=attempt, p=session_.place: tx.names_of(p, [a.learner]))  # type: ignore[misc]
            found.append((named.get(attempt.learner, ""), attempt.position, attempt.grade == 1))
    return sorted(found)


async def test_the_time_of_the_press_counts_and_the_clock_starts_when_the_question_was_sent(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        u1, u2, u3 = (at.person(f"u{n}") for n in (1, 2, 3))
        await at.types(u1, at.channel, "group start", quiz="quartet", pace="30", here=True)
        old = u1.latest(at.channel, "A")
        await at.world.env.advance_time(29.8)
        await at.presses(u1, at.channel, "A")
        async with at.at.slow_disk(1):
            await u2.presses(at.channel, "A")
        await at.late(u3, at.channel, "A", old)
        assert at.hidden(at.channel)[-1].text == "Too late: the time for this question is over."
        await at.passes(3)
        await at.passes(15)
        assert at.public(at.channel)[-1].text.startswith("**Question 2 of 4**")
        await at.late(u3, at.channel, "B", old)
        assert "has moved on from this question" in at.hidden(at.channel)[-1].text
        assert await attempts(at) == [("u1", 0, True), ("u2", 0, True)]
        assert sum("got it right" in message.text for message in at.public(at.channel)) == 1


async def test_two_starts_at_the_same_moment_make_one_quiz_and_a_thread_has_its_own(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        t1, t2, t3, u1 = (at.person(name) for name in ("t1", "t2", "t3", "u1"))
        async with at.at.slow_disk(1):
            await t1.types(at.channel, "group start", quiz="quartet")
            await t2.types(at.channel, "group start", quiz="quartet")
        (thread,) = at.threads()
        said = [m.text.partition("\n")[0] for m in at.hidden(at.channel)]
        assert said == ["The quiz has started in a thread.", "Somebody else is starting a quiz here right now."]
        other = at.world.thread(at.channel)
        await at.types(t3, other, "group start", quiz="quartet")
        elsewhere = at.world.channel(at.guild, "elsewhere")
        await at.types(t1, elsewhere, "group start", quiz="quartet", here=True)
        await at.presses(u1, elsewhere, "A")
        await at.presses(u1, thread, "B")
        foreign = u1.latest(elsewhere, "A")
        await at.late(u1, thread, "A", foreign)
        assert at.hidden(thread)[-1].text == "This quiz is over."
        assert await attempts(at) == [("u1", 0, False), ("u1", 0, True)]
        assert len(await posts(at)) == 3


async def test_three_days_down_make_no_burst_and_one_notice(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        begin = datetime(2026, 11, 30, 12, tzinfo=UTC)
        await at.world.env.advance_time((begin - at.world.env.now()).total_seconds())
        m = at.person("M", moderator=True)
        await set_up(at, m, at.channel, "en", city="Almaty")
        await at.until(datetime(2026, 12, 1, 6, tzinfo=UTC))
        await at.world.env.advance_time(2 * 86400 + 19 * 3600)
        await at.restart()
        await at.until(datetime(2026, 12, 4, 3, 59, tzinfo=UTC))
        assert len(await posts(at)) == 1
        (told,) = [message.text for message in at.world.messages(m.dm) if "missed" in message.text]
        assert "from December 2, 2026 to December 3, 2026" in told
        await at.until(datetime(2026, 12, 4, 4, 0, 1, tzinfo=UTC))
        sent = await posts(at)
        assert [f"{post.sent_at:%d %H:%M}" for post in sent] == ["01 04:00", "04 04:00"]


NAMES = [
    "Аня <3",
    "snake_case_name",
    "[ссылка](https://example.org)",
    "`code`",
    "~~",
    "||спойлер||",
    "\\",
    "# заголовок",
    "> цитата",
    "-1. пункт",
    "@everyone",
    "x` <@everyone> `x",
    "<@&123456789012345678>",
    "*",
]


def read(text: str) -> str:
    """What a reader sees of escaped text: no backslashes before marks, no joiners, no isolates."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", text).replace("\u2060", "").replace("\u2068", "").replace("\u2069", "")


async def test_hostile_names_and_words_are_shown_as_they_are_and_call_nobody(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        people = []
        for number, name in enumerate(NAMES):
            person = at.person(f"p{number}")
            at.world.env.backend.get_guild(at.guild.id).members[person.user.id].nick = name
            people.append(person)
        await at.types(people[0], at.channel, "group start", quiz="mentions")
        (thread,) = at.threads()
        for person in people:
            await at.presses(person, thread, "A")
        await at.types(people[0], thread, "group reveal")
        revealed = next(m for m in at.public(thread) if "got it right" in m.text)
        shown = read(revealed.text)
        for name in NAMES:
            assert name in shown
        for part in ("What does @everyone do? ||hidden|| __init__ a*b*c # no <@&123456789012345678>", "calls @here"):
            assert part in shown
        for message in (*at.public(thread), *at.hidden(thread), *at.hidden(at.channel)):
            assert not re.search(r"@(everyone|here)|<@|(?<!\\)\|\|", message.text.replace("\\<@\u2060", ""))
        await at.types(people[0], at.channel, "top", public=True)
        board = read(at.public(at.channel)[-1].text)
        assert all(name in board for name in NAMES)


async def test_nothing_that_leaves_may_mention_anybody(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m, a = at.person("M", moderator=True), at.person("A")
        await at.types(a, at.channel, "group start", quiz="mentions")
        (thread,) = at.threads()
        await at.presses(a, thread, "A")
        await at.passes(6)
        await at.types(m, thread, "group pause")
        await at.types(m, thread, "group resume")
        await at.types(m, thread, "group reveal")
        await set_up(at, m, at.channel, "en")
        await at.chooses(m, at.channel, "Post now")
        bodies = [call.json for call in at.world.env.http_requests if isinstance(call.json, dict)]
        said = [body.get("data", body) for body in bodies if "components" in (body.get("data") or body)]
        assert len(said) > 12
        assert all(body.get("allowed_mentions") == {"parse": []} for body in said)


@pytest.mark.parametrize("tag", ["en", "ru"])
async def test_boards_streaks_and_links(tag: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    async with scene(tmp_path) as at:
        a, b, c = (at.person(name, LOCALES[tag]) for name in ("ABC" if tag == "en" else "АБВ"))
        m = at.person("M", LOCALES[tag], moderator=True)
        await a.types(at.channel, "group start", quiz="quartet", length=2)
        (thread,) = at.threads()
        for person, letter in ((a, "A"), (b, "A"), (c, "B")):
            await person.presses(thread, letter)
        await a.types(thread, "group stop")
        at.news()
        at.lines.clear()
        await at.types(b, at.channel, "top")
        await at.types(c, at.channel, "top", period="all", public=True)
        await at.presses(c, at.channel, words(tag, "Hide or show me")[0])
        await at.types(m, at.channel, "top")
        await at.presses(m, at.channel, words(tag, "Settings")[0])
        await at.types(a, at.channel, "streak")
        await at.types(a, a.dm, "streak", city="Lima" if tag == "en" else "Лима")
        await at.presses(a, a.dm, next(iter(at.world.messages(a.dm)[-1].buttons)))
        await at.types(a, at.channel, "link")
        await at.types(b, at.channel, "link", code="ABCD-1234")
        await at.types(a, at.channel, "unlink")
        at.lines = [re.sub(r"\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b", "CODE", text) for text in at.lines]
        at.compare(f"boards.{tag}", pytestconfig)


async def test_a_press_of_somebody_who_is_no_moderator_any_more_changes_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m = at.person("M", moderator=True)
        await set_up(at, m, at.channel, "en")
        at.world.env.backend.get_guild(at.guild.id).members[m.user.id].role_ids.clear()
        await at.chooses(m, at.channel, "Post now")
        assert at.hidden(at.channel)[-1].text == "Only who may manage messages in this channel can do that."
        assert await posts(at) == []


async def test_a_forum_post_is_a_place_of_its_own(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m, a = at.person("M", moderator=True), at.person("A", "ru")
        forum = Place(0, at.guild.create_forum_channel("forum"), at.guild)
        owner = at.world.env.backend.get_guild(at.guild.id).owner_id
        at.world.env.backend.create_thread(forum.handle.id, "post", owner)
        (post,) = at.threads()
        await set_up(at, m, post, "en")
        await at.types(m, post, "group start", quiz="quartet", pace="a", who="joined")
        await at.presses(a, post, "A")
        assert at.hidden(post)[-1].text.startswith(words("ru", "You are not taking part. Join first.")[0])
        await at.presses(a, post, "Join")
        await at.presses(a, post, "A")
        await at.presses(m, post, "A")
        assert any("2 of 2 got it right" in message.text for message in at.public(post))
        assert len(at.threads()) == 1
