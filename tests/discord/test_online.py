"""`kontrolka check --online` asks Discord who we are and says what to do if it does not answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.discord.desk import HERE
from tests.far_ends.discord.wire import TOKEN, Wire, wire
from tests.program import kontrolka


async def checked(far: Wire, home: Path, **more: str) -> tuple[int, str]:
    settings = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": far.url, "KONTROLKA_CONTENT": str(HERE / "bank"), **more}
    ran = await asyncio.to_thread(kontrolka, home, "check", "--online", "--lang", "en", more=settings)
    assert "Traceback" not in ran.err
    return ran.code, " ".join(ran.out.partition("Discord: ")[2].split())


async def test_the_check_online_says_who_we_are_on_discord(tmp_path: Path) -> None:
    async with wire() as far:
        code, words = await checked(far, tmp_path)
        assert code == 0
        assert "@" in words


async def test_the_check_online_knows_a_wrong_token_and_a_dead_line(tmp_path: Path) -> None:
    async with wire() as far:
        code, words = await checked(far, tmp_path, DISCORD_TOKEN="bad-token-of-somebody")
        assert code == 1
        assert "does not accept this token" in words
        code, words = await checked(far, tmp_path, DISCORD_API_URL="http://127.0.0.1:1")
        assert code == 1
        assert "did not answer" in words
