"""Shared places in Discord: channels, threads and forum posts, and the private chats of those who answer for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import discord

from bot.bank import clean
from bot.chats.discord.who import PLATFORM, Caller, private_place
from bot.chats.many import GROUP
from bot.store import Place, Tx

_COMMUNITY = "COMMUNITY"
"""Servers with this feature choose a language. Source: Discord developer reference, Guild features, 2026-11."""


@dataclass(frozen=True, slots=True)
class Here:
    """Where an interaction was, before the store is asked."""

    chat: str
    thread: str
    title: str
    """What people call it."""
    locale: str
    """What is spoken there, as far as Discord says; otherwise what whoever came first speaks."""

    @classmethod
    def of(cls, interaction: discord.Interaction[Any], caller: Caller) -> Here:
        """Wherever an interaction was."""
        channel, guild = interaction.channel, interaction.guild
        title = clean(getattr(channel, "name", None) or "")
        spoken = guild is not None and _COMMUNITY in guild.features and len(caller.locales) > 1
        return cls(caller.chat, caller.thread, f"#{title}" if title else "", caller.locales[1 if spoken else 0])

    def place(self, tx: Tx, at: datetime) -> Place:
        """The place, made known if it is new; a thread speaks as its channel does."""
        return place_at(tx, self.chat, self.thread, self.title, self.locale, at)


def place_at(tx: Tx, chat: str, thread: str, title: str, locale: str, at: datetime) -> Place:
    """The place with an address, made known if it is new, with what it is called and a language."""
    known = tx.place_of(PLATFORM, chat, thread, at=at)
    spoken = known.locale or next((p.locale for p in tx.places_at(PLATFORM, chat) if p.locale), None) or locale
    place = replace(known, locale=spoken, unreachable_at=None)
    if title:
        place = replace(place, settings={**place.settings, "title": title})
    if place != known:
        tx.set_place(place)
    return place


def quiz_place(tx: Tx, here: Place) -> Place:
    """Where the group quiz of a place runs: in the place itself, or in a thread that was opened for it.

    Returns:
        The place itself if none runs.
    """
    if tx.open_session(here.id, GROUP) is not None or here.thread:
        return here
    threads = (p for p in tx.places_at(PLATFORM, here.chat) if p.settings.get("quiz"))
    return next((thread for thread in threads if tx.open_session(thread.id, GROUP) is not None), here)


def reachable(tx: Tx, user: int, learner: int, locale: str, at: datetime) -> None:
    """Have a private chat with somebody who answers for something, so that the program can tell them of trouble."""
    place = private_place(tx, user, learner, at)
    if place.locale is None or place.unreachable_at is not None:
        tx.set_place(replace(place, locale=place.locale or locale, unreachable_at=None))
