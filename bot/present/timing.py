"""Time: how much of it there is for a session of one person, in words that stay true in a message that stays."""

from __future__ import annotations

from datetime import timedelta

from bot.i18n import Language
from bot.quiz import Policy


def limits(t: Language, policy: Policy) -> str:
    """The limits under which a session is played; empty if it has none."""
    found = []
    if whole_s := policy.session_limit_s:
        found.append(
            t.ngettext(
                "Time limit for the whole quiz: {n} minute.",
                "Time limit for the whole quiz: {n} minutes.",
                whole_s // 60,
            )
        )
    if item_s := policy.item_limit_s:
        found.append(
            t.ngettext(
                "Time limit for each question: {n} second.", "Time limit for each question: {n} seconds.", item_s
            )
        )
    return " ".join(found)


def time_left(t: Language, left: timedelta) -> str:
    """How much of the time for the whole was left when a message was written; never more than there was."""
    minutes = whole_minutes(left)
    if minutes < 1:
        return t.gettext("Time left at this point: less than a minute.")
    return t.ngettext("Time left at this point: {n} minute.", "Time left at this point: {n} minutes.", minutes)


def whole_minutes(left: timedelta) -> int:
    """The whole minutes of some time that is left."""
    return left // timedelta(minutes=1)
