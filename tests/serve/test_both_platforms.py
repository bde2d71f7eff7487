"""`kontrolka run` with both tokens: one process, two platforms, one clean end; a broken one takes nobody down."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.far_ends.discord.wire import TOKEN, Wire, wire
from tests.far_ends.telegram import FarEnd
from tests.telegram.program import Program


@asynccontextmanager
async def both(tmp_path: Path, discord_token: str = TOKEN) -> AsyncIterator[tuple[FarEnd, Wire, Program]]:
    async with FarEnd() as telegram, wire() as discord:
        more = {"DISCORD_TOKEN": discord_token, "DISCORD_API_URL": discord.url}
        program = Program(tmp_path, telegram.token, telegram.url, more)
        await program.start()
        try:
            yield telegram, discord, program
        finally:
            await program.end(signal.SIGKILL)


async def test_a_person_is_taught_on_each_platform_and_sigterm_ends_both(tmp_path: Path) -> None:
    async with both(tmp_path) as (telegram, discord, program):
        a = telegram.person("A", language_code="en")
        a.starts()
        welcome = await telegram.next_message(a)
        a.taps(welcome, "Start the quiz")
        await telegram.until(lambda: "Question 1 of 8" in telegram.what_a_person_sees(a))
        await discord.until(lambda: discord.heard("gateway 2") and discord.world.env.backend.commands.get(None))
        b = discord.world.person("B", "ru", discord.world.server())
        await b.types(b.dm, "quiz start", quiz="seed")
        await discord.until(lambda: any("Вопрос 1 из 8" in m.text for m in discord.world.messages(b.dm)))
        assert await program.end(signal.SIGTERM) == 0
        assert "incident" not in program.words


async def test_a_token_that_discord_does_not_know_leaves_telegram_serving(tmp_path: Path) -> None:
    async with both(tmp_path, "bad-token-of-somebody") as (telegram, _, program):
        async with asyncio.timeout(60):
            while "DISCORD_TOKEN" not in program.words:  # noqa: ASYNC110 another process writes it
                await asyncio.sleep(0.05)
        a = telegram.person("A", language_code="en")
        a.starts()
        await telegram.next_message(a)
        assert "bad-token-of-somebody" not in program.words
        assert await program.end(signal.SIGTERM) == 0
