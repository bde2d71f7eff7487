"""Effects: what the outside has to do after a step, as data, in order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from fractions import Fraction

from bot.quiz.session import Attempt, Result


class Reason(StrEnum):
    """Why a command was refused. Refused means the very same session."""

    CLOSED = "closed"
    """The session is over."""
    STALE = "stale"
    """The command names another position than the present one."""
    ALREADY = "already"
    """This learner's answer counts already and may not change."""
    SAME = "same"
    """The same answer is recorded already."""
    LATE = "late"
    """The deadline has passed, or the answer was revealed."""
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    NOT_YOURS = "not_yours"
    """A solo session of somebody else."""
    NOT_ALLOWED = "not_allowed"
    """Only the host or a moderator may do that."""
    NOT_JOINED = "not_joined"
    ALREADY_JOINED = "already_joined"
    NOT_NOW = "not_now"
    """The command makes no sense in this phase or mode."""
    NOT_DUE = "not_due"
    """The clock came too early."""
    UNANSWERED = "unanswered"
    """Next before an answer."""
    NOT_REVEALED = "not_revealed"
    """Next before the reveal."""
    UNKNOWN_OPTION = "unknown_option"
    NOTHING_CHOSEN = "nothing_chosen"
    NOT_A_NUMBER = "not_a_number"
    GONE = "gone"
    """The item is no longer in the bank."""


class News(StrEnum):
    """Something the people of a session are told."""

    TIME_UP = "time_up"
    """The limit of the item before has passed."""
    SESSION_TIME_UP = "session_time_up"
    """The limit of the whole has passed."""
    GONE = "gone"
    """Items were passed over because the bank has them no longer."""
    DROPPED = "dropped"
    """The host of a group skipped the item: it counts for nobody."""
    PAUSED = "paused"
    RESUMED = "resumed"
    JOINED = "joined"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Ask:
    """Show the question of this position."""

    position: int
    chosen: tuple[str, ...] = ()
    """Options of a multiple-choice item that the host has ticked so far."""
    recorded: Attempt | None = None
    """The host's answer that stands and may still change (exam)."""
    again: bool = False
    """The question was shown before."""
    left: timedelta | None = None
    """What is left of the time for the whole, to be said with the question; looked up by the tutor."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Show one learner what is ticked now."""

    learner: int
    position: int
    chosen: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell one learner about the response."""

    learner: int
    position: int
    attempt: Attempt
    feedback: bool
    """Whether right or wrong, the key and the explanation may be shown; otherwise only that it was recorded."""
    last: bool = False
    """Whether nothing follows this position."""


@dataclass(frozen=True, slots=True)
class GiveHint:
    """Show one learner the hint."""

    learner: int
    position: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The public message shows how many have answered."""

    position: int
    answered: int


@dataclass(frozen=True, slots=True)
class Show:
    """Reveal to everybody what is right at this position."""

    position: int
    attempts: tuple[Attempt, ...] = ()
    """The counting attempts of all learners; looked up by the tutor."""
    last: bool = False


@dataclass(frozen=True, slots=True)
class Summarise:
    """Show how the session went."""

    results: tuple[Result, ...] = ()
    """Of the host in a solo session, one per position reached or passed, in order; looked up by the tutor."""
    scores: tuple[tuple[int, Fraction], ...] = ()
    """Of a session for many: learner and sum of grades, best first; looked up by the tutor."""


@dataclass(frozen=True, slots=True)
class Retire:
    """The message of this position loses its buttons."""

    position: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Tell the people of the session something in passing."""

    news: News
    learner: int | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class Refuse:
    """Say politely why nothing changed."""

    reason: Reason
    recorded: Attempt | None = None
    """What is recorded for this learner at the position named, if anything."""


Effect = Ask | Mark | Tell | GiveHint | Tally | Show | Summarise | Retire | Notice | Refuse
