"""Sessions: one run through one plan, as immutable data, with a JSON form that loses nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from typing import Any

from bot.quiz.grading import Response
from bot.quiz.plans import Plan
from bot.quiz.policy import Answerers, Change, Feedback, Pace, Policy


class Phase(StrEnum):
    """Where a session stands at its position."""

    NEW = "new"
    """Nothing was asked yet."""
    ASKED = "asked"
    """The question was demanded; nobody knows yet that its message was sent."""
    OPEN = "open"
    """The question stands, its clock runs."""
    REVEALED = "revealed"
    """Feedback was given; the session waits for Next."""
    CLOSED = "closed"
    """Over, for ever."""


class Ending(StrEnum):
    """How a session came to its end."""

    FINISHED = "finished"
    """Its last item was left, by whoever moves it on or by the clock."""
    STOPPED = "stopped"
    """Somebody ended it before that, or it gave way to another one."""
    TIME_UP = "time_up"
    """The limit for the whole passed before that."""


@dataclass(frozen=True, slots=True)
class Session:
    """One run through one plan. The first half is written once, the second half changes."""

    id: str
    """64 random bits in base 36."""
    place: int
    slot: str
    """`group`, `daily:<schedule>:<date>` or `solo:<learner>`; at most one open session per place and slot."""
    host: int
    """The learner who started it."""
    quiz: str
    """The blueprint it was drawn from; empty for a plan made of named items."""
    policy: Policy
    locales: tuple[str, ...]
    """One or two opaque language tags for public text, the first first."""
    plan: Plan

    position: int = 0
    phase: Phase = Phase.NEW
    opened_at: datetime | None = None
    """When the message of this position was really sent, UTC; None while nobody knows."""
    deadline: datetime | None = None
    """Last moment for a response at this position; None is no limit, or not opened."""
    ends_at: datetime | None = None
    """Last moment for the whole; None is no limit, or nothing was opened yet."""
    paused_at: datetime | None = None
    """Since when the session stands still; None while it runs."""
    dropped: frozenset[int] = field(default_factory=frozenset)
    """Positions that count for nobody: the item is gone from the bank, or the host of a group skipped it."""
    ending: Ending | None = None
    """How it ended; None while it is open."""

    @property
    def closed(self) -> bool:
        """Whether it is over."""
        return self.phase is Phase.CLOSED

    @property
    def last_moment(self) -> datetime | None:
        """Last moment for a response now: the earlier of `deadline` and `ends_at`; None is no limit."""
        return min((limit for limit in (self.deadline, self.ends_at) if limit is not None), default=None)

    @property
    def item(self) -> str:
        """The item at the present position."""
        return self.plan[self.position].item

    def to_json(self) -> dict[str, Any]:
        """Only JSON types; `from_json` gives back an equal session."""
        return {
            "id": self.id,
            "place": self.place,
            "slot": self.slot,
            "host": self.host,
            "quiz": self.quiz,
            "policy": policy_to_json(self.policy),
            "locales": list(self.locales),
            "plan": self.plan.to_json(),
            "position": self.position,
            "phase": str(self.phase),
            "opened_at": _when(self.opened_at),
            "deadline": _when(self.deadline),
            "ends_at": _when(self.ends_at),
            "paused_at": _when(self.paused_at),
            "dropped": sorted(self.dropped),
            "ending": None if self.ending is None else str(self.ending),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Session:
        """The session that `to_json` was called on."""
        return cls(
            id=data["id"],
            place=data["place"],
            slot=data["slot"],
            host=data["host"],
            quiz=data["quiz"],
            policy=policy_from_json(data["policy"]),
            locales=tuple(data["locales"]),
            plan=Plan.from_json(data["plan"]),
            position=data["position"],
            phase=Phase(data["phase"]),
            opened_at=_moment(data["opened_at"]),
            deadline=_moment(data["deadline"]),
            ends_at=_moment(data["ends_at"]),
            paused_at=_moment(data["paused_at"]),
            dropped=frozenset(data["dropped"]),
            ending=None if data["ending"] is None else Ending(data["ending"]),
        )


def _when(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def policy_to_json(policy: Policy) -> dict[str, Any]:
    """Only JSON types, every field named."""
    return {
        "answerers": str(policy.answerers),
        "feedback": str(policy.feedback),
        "change": str(policy.change),
        "pace": str(policy.pace),
        "item_limit_s": policy.item_limit_s,
        "session_limit_s": policy.session_limit_s,
    }


def policy_from_json(data: dict[str, Any]) -> Policy:
    """The policy that `policy_to_json` was called on."""
    return Policy(
        answerers=Answerers(data["answerers"]),
        feedback=Feedback(data["feedback"]),
        change=Change(data["change"]),
        pace=Pace(data["pace"]),
        item_limit_s=data["item_limit_s"],
        session_limit_s=data["session_limit_s"],
    )


@dataclass(frozen=True, slots=True)
class Attempt:
    """One graded response to one item: an append-only fact. Of several at one position the last counts."""

    session: str
    position: int
    item: str
    learner: int
    response: Response
    grade: Fraction
    """Share of full marks, 0 to 1, as it was judged then."""
    revision: int
    """0 for the first response of this learner at this position, then one more for each change."""
    at: datetime
    """UTC."""
    on: date
    """The local date of the session's place at that moment; a later change of zone does not rewrite it."""


@dataclass(frozen=True, slots=True)
class Void:
    """A statement that an item was bad for a while: attempts inside the span count for nobody."""

    item: str
    since: datetime
    """UTC, included."""
    until: datetime | None
    """UTC, excluded; None is still void."""

    def covers(self, item: str, at: datetime) -> bool:
        """Whether an attempt at this item and moment is void."""
        return item == self.item and self.since <= at and (self.until is None or at < self.until)


@dataclass(frozen=True, slots=True)
class Result:
    """How one position of a session went for one learner."""

    position: int
    item: str
    attempt: Attempt | None
    """The attempt that counts; None if nothing was answered."""
    counts: bool
    """False for a dropped position and a void item: it is not part of the score."""

    @property
    def grade(self) -> Fraction:
        """0 to 1; 0 without an attempt."""
        return Fraction(0) if self.attempt is None else self.attempt.grade
