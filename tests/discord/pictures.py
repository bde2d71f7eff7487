"""`python -m tests.discord.pictures`: a question and its feedback as Discord shows them, in both languages.

Needs `simcord[screenshot]` and a Chromium, whose path may be given in CHROMIUM. Writes docs/images/discord-*.png.
It is a drawing by simcord, not a picture of Discord.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserType

from tests.discord.desk import Desk, desk, languages, seed
from tests.far_ends.discord import Person, Place

IMAGES = Path(__file__).parents[2] / "docs" / "images"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
OFFLINE = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

_launch = BrowserType.launch


async def _launched(self: BrowserType, **options: Any) -> Any:
    return await _launch(self, **{**options, "executable_path": CHROMIUM, "args": OFFLINE})


async def _drawn(at: Desk, person: Person, place: Place, name: str) -> None:
    message = at.world.messages(place)[-1].of(at.world.env)
    actor = next(iter(person.members.values()))
    async with at.world.env.preview(place.handle, viewers=[actor], layout="channel", width=760, height=900) as preview:
        await preview.screenshot(IMAGES / name, target=message, mode="surface")


async def main() -> None:
    BrowserType.launch = _launched  # type: ignore[method-assign]
    IMAGES.mkdir(parents=True, exist_ok=True)
    for tag, locale in (("en", "en-US"), ("ru", "ru")):
        async with desk(Path(tempfile.mkdtemp()), seed()) as at:
            guild = at.world.server()
            person, channel = at.world.person("A", locale, guild), at.world.channel(guild)
            await person.types(channel, "quiz start", quiz="seed")
            await person.presses(channel, "D")
            await person.presses(channel, languages()[tag].gettext("Next"))
            await _drawn(at, person, channel, f"discord-question.{tag}.png")
            await person.presses(channel, "C")
            await _drawn(at, person, channel, f"discord-feedback.{tag}.png")


if __name__ == "__main__":
    asyncio.run(main())
