"""Discord refuses or breaks: nothing is lost, nothing is asked twice, nothing is tried for ever."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.store import Post, PostState
from tests.discord_groups.scene import Scene, scene
from tests.discord_groups.test_daily import set_up
from tests.far_ends.discord import Person

NINE = datetime(2026, 1, 1, 9, 0, 1, tzinfo=UTC)
CLOSED = datetime(2026, 1, 1, 19, 0, 10, tzinfo=UTC)
SEND, EDIT = ("POST", "/channels/*/messages"), ("PATCH", "/channels/*/messages/*")


async def posts(at: Scene, kind: str = "question") -> list[Post]:
    rows = await at.at.look(lambda tx: tx._sql.all("SELECT id FROM posts WHERE kind = ? ORDER BY id", (kind,)))
    found = [await at.at.look(lambda tx, n=number: tx.posts.post(n)) for (number,) in rows]  # type: ignore[misc]
    return [post for post in found if post is not None]


async def daily(at: Scene) -> Person:
    m = at.person("M", moderator=True)
    await set_up(at, m, at.channel, "en")
    return m


def sends(at: Scene, place: int) -> list[dict[str, object]]:
    """What was sent to a channel."""
    calls = at.world.env.http_requests
    wanted = f"/channels/{place}/messages"
    return [call.json or {} for call in calls if call.method == "POST" and call.path.endswith(wanted)]


@pytest.mark.parametrize(
    ("status", "code", "why"), [(403, 50013, "rights"), (403, 50001, "rights"), (404, 10003, "gone")]
)
async def test_a_channel_that_refuses_the_question_is_tried_once_and_its_moderator_told_once(
    status: int, code: int, why: str, tmp_path: Path
) -> None:
    async with scene(tmp_path) as at:
        m = await daily(at)
        at.world.fail(*SEND, status, code, times=1)
        await at.until(NINE)
        for _ in range(5):
            await at.passes(31)
        assert len(sends(at, at.channel.id)) == 1
        (known,) = await at.at.look(
            lambda tx: tx.dailies.of_place(tx.place_of("discord", str(at.channel.id), at=NINE).id)
        )
        assert known.broken == why
        (told,) = at.world.messages(m.dm)
        assert "on hold" in told.text


async def test_a_moderator_who_cannot_be_written_to_reads_it_in_the_panel(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m = await daily(at)
        at.world.fail(*SEND, 403, 50013, times=1)
        at.world.fail("POST", "/users/@me/channels", 403, 50007, times=None)
        await at.until(NINE)
        for _ in range(5):
            await at.passes(31)
        assert at.world.calls("POST", "/users/@me/channels") == 1
        assert at.public(at.channel) == []
        await at.types(m, at.channel, "daily")
        assert "I lack the permission to send messages" in at.hidden(at.channel)[-1].text


async def test_an_uncertain_question_is_repeated_with_its_nonce_and_then_only_on_demand(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m = await daily(at)
        at.world.fail(*SEND, 500, times=None)
        await at.until(NINE)
        for _ in range(8):
            await at.passes(31)
        nonces = {str(call["nonce"]) for call in sends(at, at.channel.id) if str(call.get("nonce", "")).startswith("k")}
        assert len(nonces) == 1
        assert [post.state for post in await posts(at)] == [PostState.UNCERTAIN]
        before = len(sends(at, at.channel.id))
        at.world.env.backend.faults.clear()
        await at.passes(60)
        assert len(sends(at, at.channel.id)) == before
        (offer,) = at.world.messages(m.dm)
        assert "do not know whether" in offer.text
        await at.restart()
        await at.types(m, at.channel, "daily")
        assert list(at.hidden(at.channel)[-1].buttons) == ["Send again"]
        await at.presses(m, m.dm, "Send again")
        assert at.public(at.channel)[-1].buttons
        assert [post.state for post in await posts(at)] == [PostState.SENT]


async def test_who_took_a_daily_question_over_is_told_of_its_doubts(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m, n = await daily(at), at.person("N", moderator=True)
        at.world.fail(*SEND, 500, times=None)
        await at.until(NINE)
        await at.types(n, at.channel, "daily")
        await at.chooses(n, at.channel, "Take over")
        for _ in range(8):
            await at.passes(31)
        at.world.env.backend.faults.clear()
        await at.passes(60)
        assert at.world.messages(m.dm) == []
        (offer,) = at.world.messages(n.dm)
        assert "do not know whether" in offer.text


async def test_send_again_is_for_whoever_answers_for_it(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        a, b, m = at.person("A"), at.person("B"), at.person("M", moderator=True)
        await at.types(a, at.channel, "group start", quiz="quartet", here=True)
        await at.presses(a, at.channel, "Reveal the answer")
        at.world.fail(*SEND, 500, times=None)
        await at.presses(a, at.channel, "Next")
        for _ in range(7):
            await at.passes(30)
        at.world.env.backend.faults.clear()
        await at.at.look(lambda tx: tx.posts.again((tx.posts.in_state(PostState.UNCERTAIN)[0]).id))
        await at.at.look(lambda tx: tx.posts.sending(tx.posts.in_state(PostState.PENDING)[0].id))
        await at.restart()
        offer = at.public(at.channel)[-1]
        assert list(offer.buttons) == ["Send again"]
        await at.presses(b, at.channel, "Send again")
        assert at.hidden(at.channel)[-1].text == "Only the host or a moderator can do that."
        await at.presses(m, at.channel, "Send again")
        assert at.public(at.channel)[-1].text.startswith("**Question 2 of 4**")
        assert [post.state for post in await posts(at)] == [PostState.SENT, PostState.SENT]


@pytest.mark.parametrize(("status", "code"), [(400, 30046), (500, 0), (404, 10008), (400, 50083)])
async def test_an_answer_that_cannot_be_shown_in_the_post_comes_once_in_a_reply(
    status: int, code: int, tmp_path: Path
) -> None:
    async with scene(tmp_path) as at:
        await daily(at)
        a = at.person("A")
        await at.until(NINE)
        await at.presses(a, at.channel, "A")
        await at.passes(5)
        at.world.fail(*EDIT, status, code, times=None)
        await at.until(CLOSED)
        await at.restart()
        await at.passes(31)
        assert [post.state for post in await posts(at, "reveal")] == [PostState.SENT]
        shown = at.public(at.channel)
        assert len(shown) == 2
        assert "1 of 1 got it right" in shown[-1].text
        reference = sends(at, at.channel.id)[-1]["message_reference"]
        assert isinstance(reference, dict)
        assert int(reference["message_id"]) == shown[0].id


async def test_answers_are_counted_at_most_every_five_seconds(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        await daily(at)
        people = [at.person(f"P{n}") for n in range(6)]
        await at.until(NINE)
        for person in people[:5]:
            await at.presses(person, at.channel, "A")
            await at.passes(1)
        assert at.world.calls("PATCH", f"/channels/{at.channel.id}/messages") == 1
        await at.passes(1)
        assert at.world.calls("PATCH", f"/channels/{at.channel.id}/messages") == 2
        assert "5 people have answered." in at.public(at.channel)[0].text
        await at.until(datetime(2026, 1, 1, 11, 0, tzinfo=UTC))
        await at.presses(people[5], at.channel, "A")
        await at.passes(6)
        assert "6 people have answered." in at.public(at.channel)[0].text


async def test_a_group_quiz_whose_channel_lost_its_rights_waits_and_goes_on(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        a, m = at.person("A"), at.person("M", moderator=True)
        await at.types(a, at.channel, "group start", quiz="quartet", here=True)
        await at.presses(a, at.channel, "Reveal the answer")
        at.forbid(at.channel, send_messages=True)
        await at.presses(a, at.channel, "Next")
        await at.passes(31)
        assert "on hold" in at.world.messages(a.dm)[-1].text
        at.allow(at.channel)
        await at.types(m, at.channel, "group resume")
        assert at.public(at.channel)[-1].text.startswith("**Question 2 of 4**")
        await at.presses(a, at.channel, "A")
        assert [post.state for post in await posts(at)] == [PostState.SENT, PostState.FAILED, PostState.SENT]


async def test_a_form_that_came_too_late_is_asked_for_again(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m = await daily(at)
        async with at.at.slow_disk(2):
            await m.chooses(at.channel, "City")
        assert at.hidden(at.channel)[-1].text == "That took too long: please press the button again."


async def test_a_deleted_thread_and_a_server_left_stop_everything_and_tell_the_host_once(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        a, m = at.person("A"), at.person("M", moderator=True)
        await at.types(a, at.channel, "group start", quiz="quartet")
        (thread,) = at.threads()
        await at.world.lose(thread)
        await at.passes(31)
        (told,) = at.world.messages(a.dm)
        assert "on hold" in told.text
        del at.places["thread 1"]
        await set_up(at, m, at.channel, "en")
        await at.world.leave(at.guild)
        await at.passes(31)
        assert "I was removed" in at.world.messages(m.dm)[-1].text
        await at.until(NINE)
        assert await posts(at) == [await at.at.look(lambda tx: tx.posts.post(1))]


CALLS = [
    ("POST", "/interactions/*/callback"),
    ("POST", "/webhooks/*"),
    ("PATCH", "/webhooks/*/messages/@original"),
    SEND,
    EDIT,
    ("GET", "/channels/*/messages/*"),
    ("POST", "/channels/*/threads"),
]


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10062), (500, 0)])
@pytest.mark.parametrize("failing", range(6))
async def test_a_step_of_a_group_quiz_whose_calls_all_fail_leaves_a_quiz_that_goes_on(
    failing: int, status: int, code: int, tmp_path: Path
) -> None:
    async with scene(tmp_path) as at:
        a = at.person("A", moderator=True)

        async def step(number: int) -> None:
            match number:
                case 0:
                    await a.types(at.channel, "group start", quiz="quartet", here=True)
                case 1:
                    await a.presses(at.channel, "A")
                case 2:
                    await a.types(at.channel, "group reveal")
                case 3:
                    await a.types(at.channel, "group next")
                case 4:
                    await a.types(at.channel, "group pause")
                case 5:
                    await a.types(at.channel, "group stop")

        for number in range(failing):
            await step(number)
        before = len(at.world.env.http_requests)
        for method, path in CALLS:
            at.world.fail(method, path, status, code, times=None)
        await step(failing)
        for _ in range(3):
            await at.at.passes(1)
        assert len(at.world.env.http_requests) - before <= 12
        at.world.env.backend.faults.clear()
        await at.at.passes(31)
        await at.at.passes(31)
        await a.types(at.channel, "group resume")
        session = await at.at.look(
            lambda tx: tx.open_session(tx.place_of("discord", str(at.channel.id), at=NINE).id, "group")
        )
        if failing == 5:
            assert session is None
            return
        assert session is not None
        assert session.position == (1 if failing >= 3 else 0)
        assert session.paused_at is None
        assert len(await at.at.look(lambda tx: tx.counting_attempts(session.id))) == (1 if failing else 0)
        question = [m for m in at.public(at.channel) if m.text.startswith(f"**Question {session.position + 1}")]
        assert question
        assert question[-1].buttons
