"""Who is there: the learner, the place and the language behind an update."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from telegram import User

from bot.chats.context import Context
from bot.chats.telegram.receiving import PLATFORM
from bot.chats.who import Who
from bot.store import Tx


def who(tx: Tx, context: Context, user: User, at: datetime) -> Who:
    """The learner and the private chat of a person, made known if they are new; a chat that was lost is found again."""
    learner = tx.learner_of(PLATFORM, str(user.id), at)
    place = tx.place_of(PLATFORM, str(user.id), at=at, private_to=learner)
    if place.unreachable_at is not None or place.locale != user.language_code:
        tx.set_place(replace(place, unreachable_at=None, locale=user.language_code))
    known = tx.learner(learner)
    chosen = known.locale if known is not None else None
    return Who(learner, place.id, user.id, context.languages.negotiate(chosen, user.language_code))


def host_of(tx: Tx, context: Context, place: int) -> Who | None:
    """The person a private chat belongs to, where the program speaks first; None if the chat is no more."""
    known = tx.place(place)
    if known is None or known.private_to is None or known.platform != PLATFORM:
        return None
    learner = tx.learner(known.private_to)
    chosen = learner.locale if learner is not None else None
    return Who(known.private_to, place, int(known.chat), context.languages.negotiate(chosen, known.locale))
