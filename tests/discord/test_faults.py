"""Discord refuses or breaks at every call: nothing is lost, nothing counts twice, nothing is tried for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store import PostState
from tests.discord.desk import Desk, desk
from tests.far_ends.discord import Person, Place

ERRORS = {403: 50001, 404: 10062, 500: 0}
FEW = 4
"""Calls of one kind that one step may make."""


async def begun(at: Desk, a: Person, place: Place) -> None:
    await a.types(place, "quiz start", quiz="kinds")


async def hinted(at: Desk, a: Person, place: Place) -> None:
    await a.presses(place, "Hint")


async def skipped(at: Desk, a: Person, place: Place) -> None:
    await a.presses(place, "Skip")


async def gone_on(at: Desk, a: Person, place: Place) -> None:
    await a.presses(place, "Next")


async def form_opened(at: Desk, a: Person, place: Place) -> None:
    await a.presses(place, "Type an answer")


async def stopped(at: Desk, a: Person, place: Place) -> None:
    await a.types(place, "quiz stop")


STEPS = (begun, hinted, skipped, gone_on, form_opened, stopped)
CALLS = [
    ("POST", "/interactions/*/callback"),
    ("POST", "/webhooks/*"),
    ("PATCH", "/webhooks/*/messages/@original"),
    ("DELETE", "/webhooks/*/messages/@original"),
    ("POST", "/channels/*/messages"),
    ("PATCH", "/channels/*/messages/*"),
    ("GET", "/channels/*/messages/*"),
    ("POST", "/users/@me/channels"),
]


@pytest.mark.parametrize("status", ERRORS)
@pytest.mark.parametrize("private", [False, True], ids=["server", "dm"])
@pytest.mark.parametrize("failing", range(len(STEPS)), ids=[step.__name__ for step in STEPS])
async def test_a_step_whose_calls_all_fail_is_kept_and_the_next_command_shows_it(
    failing: int, private: bool, status: int, tmp_path: Path
) -> None:
    async with desk(tmp_path) as at:
        guild = at.world.server()
        a = at.world.person("A", "en-US", guild)
        place = a.dm if private else at.world.channel(guild)
        for step in STEPS[:failing]:
            await step(at, a, place)
        before = len(at.world.env.http_requests)
        for method, path in CALLS:
            at.world.fail(method, path, status, ERRORS[status], times=None)
        await STEPS[failing](at, a, place)
        assert len(at.world.env.http_requests) - before <= FEW
        at.world.env.backend.faults.clear()
        await at.passes(31)
        await a.types(place, "quiz resume")
        assert await _position(at) == (None if failing == 5 else 1 if failing > 2 else 0)
        if failing != 5:
            shown = at.world.messages(place)[-1]
            assert f"Question {2 if failing > 2 else 1} of 5" in shown.text
            assert shown.buttons


async def _position(at: Desk) -> int | None:
    session = await at.look(lambda tx: tx.session("s1"))
    return None if session is None or session.closed else session.position


@pytest.mark.parametrize("status", ERRORS)
@pytest.mark.parametrize(("method", "path"), CALLS)
async def test_each_call_fails_once_in_a_whole_dialogue(method: str, path: str, status: int, tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        guild = at.world.server()
        a = at.world.person("A", "en-US", guild)
        for place in (at.world.channel(guild), a.dm):
            await begun(at, a, place)
            at.world.fail(method, path, status, ERRORS[status])
            for step in (hinted, skipped):
                await step(at, a, place)
            await a.types(place, "quiz resume")
            await gone_on(at, a, place)
            await at.passes(31)
            await a.types(place, "quiz resume")
            assert "Question 2 of 5" in at.world.messages(place)[-1].text
            at.world.env.backend.faults.clear()
            await stopped(at, a, place)


async def test_a_question_that_discord_could_not_take_leaves_later_by_itself(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        a = at.world.person("A", "en-US", at.world.server())
        at.world.fail("POST", "/channels/*/messages", 500)
        await a.types(a.dm, "quiz start", quiz="loud")
        assert len(at.world.messages(a.dm)) == 1
        await at.passes(31)
        assert "A" in at.world.messages(a.dm)[-1].buttons


async def test_a_question_that_may_have_arrived_long_ago_is_asked_about(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        a = at.world.person("A", "en-US", at.world.server())
        at.world.fail("POST", "/channels/*/messages", 500, times=None)
        await a.types(a.dm, "quiz start", quiz="loud")
        await at.passes(31)
        at.world.env.backend.faults.clear()
        post = (await at.look(lambda tx: tx.posts.in_state(PostState.PENDING)))[0]
        await at.look(lambda tx: tx.posts.sending(post.id))
        await at.world.env.advance_time(300)
        await at.restart()
        await a.presses(a.dm, "Send again")
        assert "A" in at.world.messages(a.dm)[-1].buttons
        assert "Send again" not in at.world.messages(a.dm)[-2].buttons


async def test_a_press_proves_that_a_question_arrived(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        a = at.world.person("A", "en-US", at.world.server())
        await a.types(a.dm, "quiz start", quiz="loud")
        await at.look(lambda tx: tx._sql.write("UPDATE posts SET state = 'uncertain', message = NULL"))
        question = a.latest(a.dm, "A")
        await a.presses(a.dm, "A")
        (post,) = await at.look(lambda tx: tx.posts.of_session("s1"))
        assert (post.state, post.message) == (PostState.SENT, str(question.id))


async def test_a_start_leaves_the_posts_of_another_platform_alone(tmp_path: Path) -> None:
    """It declared posts uncertain that the other platform was just sending."""
    async with desk(tmp_path) as at:
        place = await at.look(lambda tx: tx.place_of("telegram", "1", at=at.context.now()))
        post = await at.look(lambda tx: tx.posts.demand(place.id, "question", at.context.now()))
        await at.look(lambda tx: tx.posts.sending(post.id))
        await at.restart()
        kept = await at.look(lambda tx: tx.posts.post(post.id))
        assert kept is not None
        assert kept.state is PostState.SENDING
