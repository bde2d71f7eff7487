"""Taps: a pressed button of a session becomes a command of the machine."""

from __future__ import annotations

from datetime import datetime

from bot.chats.payload import Tap
from bot.present import Verb
from bot.quiz import (
    Answer,
    Command,
    Hint,
    Join,
    Leave,
    Next,
    Pause,
    Response,
    Resume,
    Reveal,
    Select,
    Skip,
    Stop,
)
from bot.store import Tx


def command(
    tx: Tx, tap: Tap, *, by: int, at: datetime, moderator: bool = False, sent_at: datetime | None = None
) -> Command | None:
    """What a pressed button wants of its session.

    Args:
        tx: Where the ticked options of a multiple-choice item are looked up.
        tap: The button.
        by: The learner who pressed it.
        at: When it was received, UTC.
        moderator: Whether that person may administer the place.
        sent_at: The platform's own time of the press, where it has one.

    Returns:
        The command; None for a button that wants nothing of the machine (reports, reviews, menus).
    """
    position = tap.position
    match tap.verb:
        case Verb.ANSWER:
            chosen = Response(chosen=(tap.option,))
            return Answer(by=by, moderator=moderator, at=at, position=position, response=chosen, sent_at=sent_at)
        case Verb.SUBMIT:
            ticked = Response(chosen=tx.draft(tap.session, position, by))
            return Answer(by=by, moderator=moderator, at=at, position=position, response=ticked, sent_at=sent_at)
        case Verb.SELECT:
            return Select(by=by, moderator=moderator, at=at, position=position, option=tap.option, sent_at=sent_at)
        case Verb.HINT:
            return Hint(by=by, moderator=moderator, at=at, position=position)
        case Verb.SKIP:
            return Skip(by=by, moderator=moderator, at=at, position=position)
        case Verb.NEXT:
            return Next(by=by, moderator=moderator, at=at, position=position)
        case Verb.REVEAL:
            return Reveal(by=by, moderator=moderator, at=at, position=position)
        case Verb.STOP:
            return Stop(by=by, moderator=moderator, at=at)
        case Verb.PAUSE:
            return Pause(by=by, moderator=moderator, at=at)
        case Verb.RESUME:
            return Resume(by=by, moderator=moderator, at=at)
        case Verb.JOIN:
            return Join(by=by, moderator=moderator, at=at)
        case Verb.LEAVE:
            return Leave(by=by, moderator=moderator, at=at)
        case Verb.REPORT | Verb.REVIEW | Verb.PRACTISE | Verb.AGAIN | Verb.SHOW_ME:
            return None
