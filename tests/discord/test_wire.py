"""The bot as its own process, over real HTTP and a real gateway: killed, cut off, limited, stopped."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.discord.desk import HERE
from tests.far_ends.discord import Person, Place
from tests.far_ends.discord.wire import TOKEN, WAIT_S, Wire, wire
from tests.program import ROOT, environment

STOP_S = 5
"""What is promised for a clean end, in seconds."""


class Process:
    """A bot that can be started again on the same data file."""

    def __init__(self, far: Wire, home: Path) -> None:
        self._far, self._home = far, home
        self.running: asyncio.subprocess.Process

    async def start(self, token: str = TOKEN) -> None:
        more = {
            "DISCORD_TOKEN": token,
            "DISCORD_API_URL": self._far.url,
            "KONTROLKA_CONTENT": str(HERE / "bank"),
        }
        self.running = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "run",
            env=environment(self._home, more),
            cwd=ROOT,
            stderr=asyncio.subprocess.PIPE,
        )

    async def serve(self) -> None:
        """Start, and wait until people can be served."""
        identified = self._far.heard("gateway 2")
        await self.start()
        await self._far.until(lambda: self._far.heard("gateway 2") > identified and self._commands())

    def _commands(self) -> bool:
        return bool(self._far.world.env.backend.commands.get(None))

    async def kill(self) -> None:
        self.running.kill()
        await self.running.wait()

    async def ended(self) -> tuple[int, str]:
        """Exit code and what was logged."""
        assert self.running.stderr is not None
        words = await asyncio.wait_for(self.running.stderr.read(), WAIT_S)
        return await self.running.wait(), words.decode()


@asynccontextmanager
async def process(tmp_path: Path) -> AsyncIterator[tuple[Wire, Process]]:
    async with wire() as far:
        bot = Process(far, tmp_path)
        try:
            yield far, bot
        finally:
            if bot.running.returncode is None:
                await bot.kill()


def somebody(far: Wire, locale: str = "ru") -> tuple[Person, Place]:
    guild = far.world.server()
    return far.world.person("A", locale, guild), far.world.channel(guild)


async def test_old_buttons_and_an_open_form_answer_after_kill_9(tmp_path: Path) -> None:
    async with process(tmp_path) as (far, bot):
        a, channel = somebody(far)
        await bot.serve()
        for place in (channel, a.dm):
            await a.types(place, "quiz start", quiz="kinds")
            await far.until(lambda place=place: any("Пропустить" in m.buttons for m in far.world.messages(place)))
        await a.presses(channel, "Пропустить")
        await far.until(lambda: "Дальше" in far.world.messages(channel)[-1].buttons)
        await a.presses(channel, "Дальше")
        await far.until(lambda: "Ввести ответ" in far.world.messages(channel)[-1].buttons)
        form = await a.presses(channel, "Ввести ответ")
        await far.until(lambda: form.modal)
        await bot.kill()
        await bot.serve()
        await a.writes(form, "checkpoint")
        await far.until(lambda: "Верно." in far.world.messages(channel)[-1].text)
        await a.presses(a.dm, "Пропустить")
        await far.until(lambda: "Пропущено." in far.world.messages(a.dm)[-1].text)
        assert far.heard("PUT /applications") == 1
        code, words = await _terminated(bot)
        assert (code, "incident" in words) == (0, False)


async def _terminated(bot: Process) -> tuple[int, str]:
    bot.running.send_signal(signal.SIGTERM)
    async with asyncio.timeout(STOP_S):
        return await bot.ended()


async def test_what_happened_while_the_gateway_was_cut_is_answered_after_resume(tmp_path: Path) -> None:
    async with process(tmp_path) as (far, bot):
        a, channel = somebody(far)
        await bot.serve()
        await a.types(channel, "quiz start", quiz="loud")
        await far.until(lambda: far.world.messages(channel))
        await far.cut()
        await a.presses(channel, "B")
        await far.until(lambda: far.heard("gateway 6"))
        await far.until(lambda: "Верно." in far.world.messages(channel)[-1].text)
        assert far.heard("gateway 2") == 1
        assert (await _terminated(bot))[0] == 0


@pytest.mark.parametrize("announced", [True, False])
async def test_rate_limits_delay_and_lose_nothing(announced: bool, tmp_path: Path) -> None:
    async with process(tmp_path) as (far, bot):
        a, _ = somebody(far)
        await bot.serve()
        far.limit("POST /channels/", 1, 0.8, announced=announced)
        await a.types(a.dm, "quiz start", quiz="kinds")
        await far.until(lambda: any("Пропустить" in m.buttons for m in far.world.messages(a.dm)))
        await a.presses(a.dm, "Пропустить")
        await far.until(lambda: "Дальше" in far.world.messages(a.dm)[-1].buttons)
        await a.presses(a.dm, "Дальше")
        await far.until(lambda: "Вопрос 2" in far.world.messages(a.dm)[-1].text)
        assert [m.text.splitlines()[0] for m in far.world.messages(a.dm)] == [
            "Задания всех видов",
            "**Вопрос 1 из 5**",
            "**Вопрос 2 из 5**",
        ]
        assert announced or far.too_many > 0
        assert (await _terminated(bot))[0] == 0


async def test_a_question_that_arrived_without_an_answer_is_there_once(tmp_path: Path) -> None:
    async with process(tmp_path) as (far, bot):
        a, _ = somebody(far)
        await bot.serve()
        far.leave_unanswered("POST /channels/", "broken")
        await a.types(a.dm, "quiz start", quiz="loud")
        await far.until(lambda: far.heard("POST /channels/") == 2)
        await a.presses(a.dm, "B")
        await far.until(lambda: "Верно." in far.world.messages(a.dm)[-1].text)
        assert len(far.world.messages(a.dm)) == 2  # the title and the question


async def test_a_question_under_way_when_the_bot_was_killed_is_there_once(tmp_path: Path) -> None:
    async with process(tmp_path) as (far, bot):
        a, _ = somebody(far)
        await bot.serve()
        far.leave_unanswered("POST /channels/", "hanging")
        await a.types(a.dm, "quiz start", quiz="loud")
        await far.until(lambda: far.heard("POST /channels/") == 1)
        await bot.kill()
        far.mend()
        await bot.serve()
        await far.until(lambda: far.heard("POST /channels/") == 2)
        await a.presses(a.dm, "B")
        await far.until(lambda: "Верно." in far.world.messages(a.dm)[-1].text)
        assert len(far.world.messages(a.dm)) == 2
        assert (await _terminated(bot))[0] == 0


async def test_a_token_that_discord_does_not_know_ends_the_bot_and_is_not_logged(tmp_path: Path) -> None:
    async with process(tmp_path) as (_, bot):
        await bot.start("bad-token-of-somebody")
        code, words = await bot.ended()
        assert code != 0
        assert "DISCORD_TOKEN" in words
        assert "bad-token-of-somebody" not in words
