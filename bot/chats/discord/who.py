"""Who is there: the learner, the place and the language behind an interaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import discord

from bot.chats.context import Context
from bot.chats.who import Who
from bot.i18n import Language
from bot.store import Place, Tx

PLATFORM = "discord"

_DM = "dm:"
"""Begins the address of a private chat, which is the person's, not the channel's: Discord opens it by the person."""


@dataclass(frozen=True, slots=True)
class Caller:
    """What an interaction says of its person and place, before the store is asked."""

    user: int
    chat: str
    """Address of the place."""
    thread: str
    dm: bool
    """Whether it is the private chat with us: there we write messages of our own, anywhere else only this person sees
    what we say."""
    locales: tuple[str, ...]
    """The person's language in Discord, then the server's."""

    @classmethod
    def of(cls, interaction: discord.Interaction[Any]) -> Caller:
        """Whoever caused an interaction."""
        channel = interaction.channel
        thread = ""
        chat = str(interaction.channel_id or 0)
        if isinstance(channel, discord.Thread):
            chat, thread = str(channel.parent_id), chat
        context = interaction.context
        direct = interaction.guild_id is None and isinstance(channel, discord.DMChannel)
        dm = bool(context.dm_channel) or (direct and not context.private_channel)
        locales = [interaction.locale.value]
        if interaction.guild_locale is not None:
            locales.append(interaction.guild_locale.value)
        return cls(interaction.user.id, chat, thread, dm, tuple(locales))

    def language(self, context: Context) -> Language:
        """The language of somebody whose choice is not known."""
        return context.languages.negotiate(*self.locales)


def who(tx: Tx, context: Context, caller: Caller, at: datetime, *, privately: bool = False) -> Who:
    """The learner and the place behind an interaction, made known if they are new.

    Args:
        tx: The transaction.
        context: The tutor's means.
        caller: Whoever caused the interaction.
        at: Now, UTC.
        privately: Whether the private chat is meant, wherever the interaction was.
    """
    learner = tx.learner_of(PLATFORM, str(caller.user), at)
    if caller.dm or privately:
        place = private_place(tx, caller.user, learner, at)
        locale: str | None = caller.locales[0]
    else:
        place = tx.place_of(PLATFORM, caller.chat, caller.thread, at=at)
        locale = place.locale
    if place.unreachable_at is not None or place.locale != locale:
        tx.set_place(replace(place, unreachable_at=None, locale=locale))
    known = tx.learner(learner)
    chosen = known.locale if known is not None else None
    return Who(learner, place.id, caller.user, context.languages.negotiate(chosen, *caller.locales))


def private_place(tx: Tx, user: int, learner: int, at: datetime) -> Place:
    """The private chat with a person, made known if it is new."""
    return tx.place_of(PLATFORM, f"{_DM}{user}", at=at, private_to=learner)


def host_of(tx: Tx, context: Context, place: int) -> Who | None:
    """The person a private chat belongs to, where the program speaks first; None if it is none of ours."""
    known = tx.place(place)
    return None if known is None or known.private_to is None else _host(tx, context, known, known.private_to)


def _host(tx: Tx, context: Context, place: Place, host: int) -> Who | None:
    if place.platform != PLATFORM or not place.chat.startswith(_DM):
        return None
    learner = tx.learner(host)
    chosen = learner.locale if learner is not None else None
    user = int(place.chat.removeprefix(_DM))
    return Who(host, place.id, user, context.languages.negotiate(chosen, place.locale))
