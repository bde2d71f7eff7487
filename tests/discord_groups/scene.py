"""Many people in several places; what each does and what everybody reads is written down."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType
from simcord.results import InteractionResult

from bot.bank import Bank, load
from tests.discord.desk import Desk, desk, languages
from tests.far_ends.discord import Person, Place
from tests.far_ends.discord.reading import Seen

HERE = Path(__file__).parent
LOCALES = {"en": "en-US", "ru": "ru"}


@cache
def small() -> Bank:
    """Four harmless questions and a hostile one."""
    return load(HERE / "bank")


def words(tag: str, *messages: str) -> list[str]:
    """Our own words in a language."""
    return [languages()[tag].gettext(message) for message in messages]


class Scene:
    """A server with people; whoever acts is named, whatever appears is written down."""

    def __init__(self, at: Desk) -> None:
        self.at, self.world = at, at.world
        self.guild = self.world.server()
        self.moderators = self.guild.create_role("moderators", permissions=discord.Permissions(manage_messages=True))
        self.channel = self.world.channel(self.guild, "general")
        self.places: dict[str, Place] = {"#general": self.channel}
        self.lines: list[str] = []
        self._shown: dict[int, str] = {}
        self._last: InteractionResult | None = None

    def person(self, name: str, locale: str = "en-US", *, moderator: bool = False) -> Person:
        """Somebody in the server."""
        user = self.world.env.create_user(name)
        self.world.locales[user.id] = locale
        roles = [self.moderators] if moderator else []
        found = Person(self.world, user, {self.guild.id: self.guild.add_member(user, roles=roles)})
        self.places[f"direct messages of {name}"] = found.dm
        return found

    def threads(self) -> list[Place]:
        """The threads of the server, oldest first, watched from now on."""
        backend = self.world.env.backend
        made = [channel for channel in backend.channels.values() if channel.is_thread]
        found = [Place(channel.id, ChannelHandle(self.world.env, self.guild, channel), self.guild) for channel in made]
        for number, place in enumerate(found):
            self.places.setdefault(f"thread {number + 1}", place)
        return found

    def forbid(self, place: Place, **denied: bool) -> None:
        """The bot may no longer do something in a channel."""
        self.world.forbid(place, **denied)

    def allow(self, place: Place) -> None:
        """The bot may do everything in a channel again."""
        channel = self.world.env.backend.get_channel(place.id)
        bot = self.world.env.backend.bot_user.id
        kept: list[Overwrite] = [o for o in channel.overwrites if (o.target_id, o.type) != (bot, OverwriteType.MEMBER)]
        channel.overwrites[:] = kept

    # --- what people do

    async def types(self, who: Person, place: Place, command: str, /, **options: Any) -> InteractionResult:
        given = "".join(f" {name}:{value}" for name, value in options.items())
        return self._then(who, f"/{command}{given}", await who.types(place, command, **options))

    async def presses(self, who: Person, place: Place, label: str, **more: Any) -> InteractionResult:
        return self._then(who, f"[{label}]", await who.presses(place, label, **more))

    async def chooses(self, who: Person, place: Place, *values: str) -> InteractionResult:
        return self._then(who, f"({', '.join(values)})", await who.chooses(place, *values))

    async def writes(self, who: Person, text: str) -> InteractionResult:
        assert self._last is not None
        return self._then(who, f"«{text}»", await who.writes(self._last, text))

    async def late(self, who: Person, place: Place, label: str, on: Seen) -> InteractionResult:
        """Press what a client still showed when it was pressed."""
        return self._then(who, f"[{label}], late", await who.sends(place, on, on.buttons[label]))

    async def passes(self, seconds: float) -> None:
        """Time passes."""
        await self.at.passes(seconds)
        self.news()

    async def until(self, moment: datetime) -> None:
        """Time passes; everything that falls due on the way is carried out when it is."""
        while (now := self.world.env.now()) < moment:
            due = await self.at.look(lambda tx: tx.due.next_at())
            await self.at.passes(max((min(due or moment, moment) - now).total_seconds(), 0))
        self.news()

    async def restart(self) -> None:
        """A new bot on the same file."""
        self.remark("a new bot on the same file")
        await self.at.restart()
        self.news()

    # --- what is written down

    def remark(self, text: str) -> None:
        self.lines.append(f"== {text} ==\n")

    def _then(self, who: Person, what: str, result: InteractionResult) -> InteractionResult:
        assert result.acknowledged, f"{what} was not acknowledged"
        self._last = result
        self.lines.append(f"> {who.user.name}: {what}\n")
        if result.modal is not None:
            self.lines.append(f"--- form for {who.user.name}: {result.modal['title']}\n")
        self.threads()
        self.news(who.user.name)
        return result

    def news(self, who: str = "") -> None:
        """Write down what came or changed since."""
        for name, place in self.places.items():
            for message in self.world.messages(place):
                if self._shown.get(message.id) == message.whole:
                    continue
                sign = "changed" if message.id in self._shown else "new"
                alone = f", only for {who}" if message.hidden else ""
                moment = f"{self.world.env.now():%d %b %H:%M} UTC" if not who else ""
                self.lines.append(f"--- {name}: {sign}{alone} {moment}".rstrip() + f"\n{message.whole}\n")
                self._shown[message.id] = message.whole

    @property
    def text(self) -> str:
        """Everything so far; Discord's own numbers stand for nothing a person reads."""
        return re.sub(r"\d{17,}", "0", "\n".join(self.lines))

    def compare(self, name: str, config: pytest.Config) -> None:
        """Compare with the transcript; `--rewrite-transcripts` writes it instead."""
        path = HERE / "transcripts" / f"{name}.txt"
        if config.getoption("--rewrite-transcripts"):
            path.write_text(self.text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == self.text

    def public(self, place: Place) -> list[Any]:
        """What everybody reads in a place."""
        return [message for message in self.world.messages(place) if not message.hidden]

    def hidden(self, place: Place) -> list[Any]:
        """What only one person reads in a place."""
        return [message for message in self.world.messages(place) if message.hidden]


@asynccontextmanager
async def scene(folder: Path, bank: Bank | None = None) -> AsyncIterator[Scene]:
    """A bot at work, and a server."""
    async with desk(folder, bank or small()) as at:
        yield Scene(at)
