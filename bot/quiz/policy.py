"""Policies: every mode of the tutor as data. There is one machine; a mode is a `Policy`, not a class."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Answerers(StrEnum):
    """Who may answer."""

    HOST = "host"
    JOINED = "joined"
    """Those who joined first."""
    EVERYONE = "everyone"
    """Whoever answers takes part."""


class Feedback(StrEnum):
    """When a learner is told whether a response was right."""

    AT_ONCE = "at_once"
    ON_REVEAL = "on_reveal"
    AT_END = "at_end"


class Change(StrEnum):
    """Whether a recorded response may be replaced."""

    NEVER = "never"
    UNTIL_REVEAL = "until_reveal"


class Pace(StrEnum):
    """Who moves a session on."""

    HOST = "host"
    CLOCK = "clock"
    ALL_ANSWERED = "all_answered"


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of a session."""

    answerers: Answerers = Answerers.HOST
    feedback: Feedback = Feedback.AT_ONCE
    change: Change = Change.NEVER
    pace: Pace = Pace.HOST
    item_limit_s: int | None = None
    """Seconds for each item, counted from when its message was really sent; None is no limit."""
    session_limit_s: int | None = None
    """Seconds for the whole session, counted from when its first message was really sent; None is no limit."""

    def __post_init__(self) -> None:
        """Refuse rules that contradict each other.

        Raises:
            ValueError: Feedback at once with changeable answers (the second answer would be copied from the key);
                feedback at the end or a limit for the whole in a session for everyone; a pace of the clock without a
                limit per item; a pace that waits for others in a solo session; a limit in a solo session with feedback
                at once (nobody hurries a learner); a limit that is not positive.
        """
        solo = self.answerers is Answerers.HOST
        if self.feedback is Feedback.AT_ONCE and self.change is not Change.NEVER:
            raise ValueError("feedback at once allows no change")
        if not solo and (self.feedback is Feedback.AT_END or self.session_limit_s is not None):
            raise ValueError("only a solo session has feedback at the end or a limit for the whole")
        if solo and (self.feedback is Feedback.ON_REVEAL or self.pace is not Pace.HOST):
            raise ValueError("a solo session has no reveal and is paced by its host")
        if self.pace is Pace.CLOCK and self.item_limit_s is None:
            raise ValueError("a session paced by the clock needs a limit per item")
        if solo and self.feedback is Feedback.AT_ONCE and (self.item_limit_s or self.session_limit_s):
            raise ValueError("learning has no limit")
        if any(limit is not None and limit <= 0 for limit in (self.item_limit_s, self.session_limit_s)):
            raise ValueError("a limit is a positive number of seconds")

    @property
    def solo(self) -> bool:
        """Whether only the host answers."""
        return self.answerers is Answerers.HOST

    @property
    def limited(self) -> bool:
        """Whether a clock runs against whoever answers."""
        return self.item_limit_s is not None or self.session_limit_s is not None


LEARN = Policy()
"""Private chat: the explanation follows each answer, nobody hurries."""


def exam(*, session_limit_s: int | None = None, item_limit_s: int | None = None) -> Policy:
    """The rules of a self-check: feedback at the end, answers may change until *Next*, no way back."""
    return Policy(
        feedback=Feedback.AT_END,
        change=Change.UNTIL_REVEAL,
        session_limit_s=session_limit_s,
        item_limit_s=item_limit_s,
    )


def group(
    *,
    pace: Pace = Pace.HOST,
    change: Change = Change.UNTIL_REVEAL,
    feedback: Feedback = Feedback.ON_REVEAL,
    item_limit_s: int | None = None,
    open_to_all: bool = True,
) -> Policy:
    """The rules of a study group: everyone answers each item, nobody sees another's answer before the reveal."""
    return Policy(
        answerers=Answerers.EVERYONE if open_to_all else Answerers.JOINED,
        feedback=feedback,
        change=change,
        pace=pace,
        item_limit_s=item_limit_s,
    )


def daily(open_s: int) -> Policy:
    """The rules of a daily question: everyone once, private feedback at once, a public reveal when it closes.

    Args:
        open_s: Seconds the question stays open.
    """
    return Policy(answerers=Answerers.EVERYONE, pace=Pace.CLOCK, item_limit_s=open_s)
