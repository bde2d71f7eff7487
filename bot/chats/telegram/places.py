"""Shared places: the address of an update, and what becomes of places that move, break or come back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from telegram import Message as Incoming

from bot.bank import Bank
from bot.chats.standing import stand_still
from bot.chats.telegram.outcomes import Lost
from bot.chats.telegram.receiving import PLATFORM
from bot.i18n import Language, Languages
from bot.quiz import Phase
from bot.store import Place, Tx
from bot.tutor import QUESTION

WHY = {
    Lost.UNREACHABLE: "kicked",
    Lost.NO_RIGHTS: "rights",
    Lost.NO_TOPIC: "gone",
    Lost.TOPIC_CLOSED: "closed",
}
"""What became of a message, in the words of the panel."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a place is."""

    chat: int
    thread: int | None
    """None for a chat without topics, and for the topic General, which has no number."""

    @classmethod
    def of(cls, place: Place) -> Address:
        """The address of a known place."""
        return cls(int(place.chat), int(place.thread) if place.thread else None)


def kind_of(place: Place) -> str:
    """Telegram's type of the chat of a shared place."""
    if place.settings.get("channel"):
        return "channel"
    return "supergroup" if place.chat.startswith("-100") else "group"


def topic_of(message: Incoming | None) -> str:
    """The topic of a message as places keep it; a thread of replies is no topic."""
    if message is None or not message.is_topic_message or message.message_thread_id is None:
        return ""
    return str(message.message_thread_id)


def place_at(tx: Tx, chat: int, thread: str, at: datetime, spoken: str | None) -> Place:
    """The place of a group, topic or channel; a new one speaks as its chat does, else as whoever came first."""
    place = tx.place_of(PLATFORM, str(chat), thread, at=at)
    if place.locale is None:
        locale = next((p.locale for p in tx.places_at(PLATFORM, str(chat)) if p.locale), spoken)
        if locale:
            place = replace(place, locale=locale)
            tx.set_place(place)
    return place


def public(languages: Languages, place: Place) -> Language:
    """The language of a place."""
    return languages.negotiate(place.locale)


def named(tx: Tx, place: Place, title: str | None) -> Place:
    """The place with what its chat is called, which is kept for its moderators."""
    if title and place.settings.get("title") != title:
        place = replace(place, settings={**place.settings, "title": title})
        tx.set_place(place)
    return place


def move(tx: Tx, old: int, new: int, at: datetime) -> int:
    """A group has become a supergroup: all its places move, and what is asked there is asked anew.

    The messages are numbered from 1 again, and nobody can press the old ones.

    Returns:
        How many places have moved.
    """
    moved = tx.places_at(PLATFORM, str(old))
    for place in moved:
        tx.posts.numbered_anew(place.id)
        tx.move_place(place.id, str(new), place.thread)
        for session in tx.open_sessions(place.id):
            if not session.policy.solo and session.phase in (Phase.ASKED, Phase.OPEN):
                tx.posts.demand(place.id, QUESTION, at, session=session.id, position=session.position)
    return len(moved)


def lose_chat(tx: Tx, bank: Bank, chat: int, why: str, at: datetime) -> None:
    """Nothing can be posted to a chat with all its topics: what runs there stands still."""
    for place in tx.places_at(PLATFORM, str(chat)):
        stand_still(tx, bank, place.id, why, at)
        if place.unreachable_at is None:
            tx.set_place(replace(place, unreachable_at=at))


def come_back(tx: Tx, chat: int) -> None:
    """We may write to a chat again; what stands still waits for a moderator."""
    for place in tx.places_at(PLATFORM, str(chat)):
        if place.unreachable_at is not None:
            tx.set_place(replace(place, unreachable_at=None))
