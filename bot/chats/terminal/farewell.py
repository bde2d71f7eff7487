"""The last words to somebody who leaves in the middle of a quiz."""

from __future__ import annotations

from datetime import datetime

from bot.i18n import Language
from bot.present import whole_minutes
from bot.quiz import Session


def farewell(t: Language, session: Session | None, at: datetime) -> str:
    """That what was answered is kept; where a clock runs on meanwhile, that it does.

    Args:
        t: The language of the person.
        session: The open session; None if it was not read yet.
        at: Now, UTC.
    """
    if session is None or session.last_moment is None:
        return t.gettext("Your place is saved: next time you will continue from here.")
    if session.ends_at is None:
        return t.gettext("Your answers are saved, but the clock of this question keeps running.")
    minutes = whole_minutes(session.ends_at - at)
    if minutes < 1:
        return t.gettext("Your answers are saved, but the clock keeps running: less than a minute is left.")
    return t.ngettext(
        "Your answers are saved, but the clock keeps running: {n} minute is left.",
        "Your answers are saved, but the clock keeps running: {n} minutes are left.",
        minutes,
    )
