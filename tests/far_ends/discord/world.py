"""A world of people, servers, threads and private chats around one bot.

simcord fixes the language of every interaction; here each person has one, and an app may be installed by a person only.
That is the one thing patched in it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
import simcord
import simcord.actors as actors
import simcord.interactions as interactions
from simcord.backend import serializers
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle, UserHandle
from simcord.enums import InteractionType, OverwriteType
from simcord.results import InteractionResult

from tests.far_ends.discord.reading import Seen, seen


@dataclass
class Place:
    """Where people talk: a channel, a thread, or a person's private chat with the bot."""

    id: int
    handle: ChannelHandle
    guild: Any = None
    """simcord's server; None for a private chat."""


@dataclass
class World:
    """The far end. Everything a person does is settled before the call returns."""

    env: simcord.Env
    locales: dict[int, str] = field(default_factory=dict)
    foreign: set[int] = field(default_factory=set)
    """Servers that have not installed the app: only some person has."""

    def server(self, name: str = "S") -> Any:
        """A server with the bot in it."""
        return self.env.create_guild(name)

    def channel(self, guild: Any, name: str = "general") -> Place:
        """A text channel of a server."""
        handle = guild.create_text_channel(name)
        return Place(handle.id, handle, guild)

    def thread(self, place: Place, name: str = "thread") -> Place:
        """A thread in a channel."""
        owner = self.env.backend.get_guild(place.guild.id).owner_id
        made = self.env.backend.create_thread(place.id, name, owner)
        handle = ChannelHandle(self.env, place.guild, made)
        return Place(made.id, handle, place.guild)

    def person(self, name: str, locale: str = "en-US", *guilds: Any) -> Person:
        """Somebody, in some servers, whose Discord speaks a language."""
        user = self.env.create_user(name)
        self.locales[user.id] = locale
        members = {guild.id: guild.add_member(user) for guild in guilds}
        return Person(self, user, members)

    def messages(self, place: Place) -> list[Seen]:
        """What stands in a place, oldest first, what only one person sees included."""
        stored = self.env.backend.messages.get(place.id, {})
        bot = self.env.backend.bot_user.id
        return [seen(message) for message in stored.values() if message.author_id == bot]

    def forbid(self, place: Place, **permissions: bool) -> None:
        """Deny the bot some permissions in a channel."""
        channel = self.env.backend.get_channel(place.id)
        denied = discord.Permissions(**permissions).value
        overwrite = Overwrite(target_id=self.env.backend.bot_user.id, type=OverwriteType.MEMBER, allow=0, deny=denied)
        channel.overwrites.append(overwrite)

    def delete(self, place: Place, message: Seen) -> None:
        """Somebody deletes a message."""
        self.env.backend.messages[place.id].pop(message.id)

    async def lose(self, place: Place) -> None:
        """A channel or thread is deleted."""
        self.env.backend.delete_channel(place.id)
        await self.env.settle()

    async def leave(self, guild: Any) -> None:
        """The bot is removed from a server."""
        self.env.backend.remove_guild(guild.id)
        await self.env.settle()

    async def restart(self, bot: discord.Client) -> None:
        """End the bot and have another take its place; the world stays."""
        await self.env.restart_bot(bot)

    def fail(self, method: str, path: str, status: int, code: int = 0, times: int | None = 1) -> None:
        """Have calls fail."""
        self.env.inject_error(method, path, status=status, code=code, times=times)

    def first_answers(self) -> list[int]:
        """The kind of each first answer to an interaction: 4 message, 5 and 6 not yet, 7 edit, 9 form."""
        return [e.json["type"] for e in self.env.http_requests if e.path.endswith("/callback") and e.json is not None]

    def calls(self, method: str, path: str) -> int:
        """How often the bot has made a call whose path contains some words."""
        return sum(1 for entry in self.env.http_requests if entry.method == method and path in entry.path)


@dataclass
class Person:
    """Somebody with a Discord client."""

    world: World
    user: UserHandle
    members: dict[int, Any]

    @property
    def dm(self) -> Place:
        """The private chat with the bot."""
        handle = self.user.dm_channel
        return Place(handle.id, handle)

    def _actor(self, place: Place) -> Any:
        return self.user if place.guild is None else self.members[place.guild.id]

    async def types(self, place: Place, command: str, **options: Any) -> InteractionResult:
        """Type a slash command."""
        actor = self._actor(place)
        if place.guild is None:
            return await actor.slash(command, **options)  # type: ignore[no-any-return]
        return await actor.slash(place.handle, command, **options)  # type: ignore[no-any-return]

    async def suggested(self, place: Place, command: str, option: str, value: str) -> list[dict[str, Any]]:
        """What is suggested to somebody who types an option."""
        return await self._actor(place).autocomplete(place.handle, command, option, value)  # type: ignore[no-any-return]

    def latest(self, place: Place, label: str) -> Seen:
        """The latest message with a button of this label, or with any menu if the label is empty."""
        found = [m for m in self.world.messages(place) if (label in m.buttons if label else m.menu)]
        assert found, f"no message has {label!r}: {[m.buttons for m in self.world.messages(place)]}"
        return found[-1]

    async def presses(self, place: Place, label: str, on: Seen | None = None) -> InteractionResult:
        """Press a button on a message, else on the latest that has it."""
        message = on or self.latest(place, label)
        return await self._actor(place).click(message.of(self.world.env), custom_id=message.buttons[label])  # type: ignore[no-any-return]

    async def chooses(self, place: Place, *values: str, on: Seen | None = None) -> InteractionResult:
        """Choose entries of the menu of a message by what they begin with."""
        message = on or self.latest(place, "")
        assert message.menu is not None
        wanted = [next(value for label, value in message.menu.items() if label.startswith(start)) for start in values]
        return await self._actor(place).select(message.of(self.world.env), values=wanted)  # type: ignore[no-any-return]

    async def sends(self, place: Place, on: Seen, custom_id: str, *values: str) -> InteractionResult:
        """Press what a client shows no longer, or never did: an old button, a forged one, one on a deleted message."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 3 if values else 2}
        if values:
            data["values"] = list(values)
        payload = dict(serializers.message_payload(self.world.env.backend, on.raw))
        return await actors._dispatch_actor_interaction(
            self._actor(place),
            InteractionType.MESSAGE_COMPONENT,
            place.handle,
            data,
            extra={"message": payload},
            source_message_id=on.id,
        )

    async def writes(self, shown: InteractionResult, words: str) -> InteractionResult:
        """Fill in the form that was shown, and send it."""
        assert shown.modal is not None, "no form was shown"
        channel = self.world.env.backend.get_channel(shown._interaction.channel_id)
        actor = self.user if channel.guild_id is None else self.members[channel.guild_id]
        return await actor.submit_modal(shown, {"words": words})  # type: ignore[no-any-return]


@asynccontextmanager
async def world(make: Callable[[], discord.Client], **options: Any) -> AsyncIterator[World]:
    """A world around a bot.

    Args:
        make: Makes the bot.
        options: For `simcord.run`.
    """
    found: list[World] = []
    original = interactions.base_payload

    def with_language(backend: Any, **given: Any) -> Any:
        record, payload = original(backend, **given)
        if found:
            _localise(found[0], given["user_id"], payload)
        return record, payload

    interactions.base_payload = with_language  # type: ignore[assignment]
    env = simcord.Env(make(), **options)
    try:
        await env.start()
        found.append(World(env))
        try:
            yield found[0]
        finally:
            await env.shutdown()
        env.raise_errors()
    finally:
        interactions.base_payload = original


def _localise(world_: World, user: int, payload: dict[str, Any]) -> None:
    payload["locale"] = world_.locales.get(user, "en-US")
    guild = payload.get("guild_id")
    owners = {"1": str(user)} if guild is None or int(guild) in world_.foreign else {"0": guild}
    payload["authorizing_integration_owners"] = owners
    if guild is not None:
        payload["guild_locale"] = "en-US"
