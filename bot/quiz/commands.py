"""Commands: what a person or the clock wants of a session, imperative, plain data.

Each says who (`by`, None is the clock), whether that person may administer the place (`moderator`) and when
(`at`, UTC).
A command about a question names its position, so that a stale button cannot touch another question.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.quiz.grading import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class _By:
    by: int | None
    """A learner's id; None is the clock (or the program itself)."""
    moderator: bool = False
    at: datetime
    """When it was received, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _At(_By):
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(_By):
    """Ask the first question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(_By):
    """Take part in a session for many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(_By):
    """Take part no longer; what was answered stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(_At):
    """The message of this position was sent at `at`: its clock starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Select(_At):
    """Tick or untick one option of a multiple-choice item; nothing is graded yet."""

    option: str
    sent_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(_At):
    """Respond to the item."""

    response: Response
    sent_at: datetime | None = None
    """The platform's own time of the tap, where it has one: judged without grace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint(_At):
    """Ask for help before answering."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip(_At):
    """Leave the item: alone an attempt of grade 0, in a group the item counts for nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Next(_At):
    """Go on to the following item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal(_At):
    """Close the item for a group and show what is right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expire(_At):
    """The clock says that a deadline has passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(_By):
    """Stand still; deadlines move with the pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(_By):
    """Go on after a pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(_By):
    """End the session now."""


AtPosition = Opened | Select | Answer | Hint | Skip | Next | Reveal | Expire
Command = Start | Join | Leave | Pause | Resume | Stop | AtPosition
