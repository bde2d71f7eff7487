"""Messages: what is to be said, complete and in one language, before any platform decides how.

The adapter alone decides what becomes a button, a select menu, an embed or a photo, and does the fitting.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.bank import Rich


class Verb(StrEnum):
    """What a button does. The value is the letter in a button's payload, so it never changes."""

    ANSWER = "a"
    SELECT = "s"
    SUBMIT = "u"
    HINT = "h"
    SKIP = "k"
    NEXT = "n"
    REVEAL = "v"
    STOP = "x"
    PAUSE = "p"
    RESUME = "r"
    JOIN = "j"
    LEAVE = "l"
    REPORT = "b"
    REVIEW = "w"
    PRACTISE = "m"
    AGAIN = "g"
    SHOW_ME = "o"


@dataclass(frozen=True, slots=True)
class Choice:
    """One option as it is offered."""

    id: str
    letter: str
    """`A`, `B`, ... in the order shown."""
    words: Rich
    """One paragraph per language of the message."""
    chosen: bool = False
    """Whether the learner has ticked or chosen it."""
    right: bool | None = None
    """Whether it is right; None while that may not be shown."""
    note: str = ""
    """The same in words, such as `your answer`; empty if there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person may do next, besides choosing an option."""

    verb: Verb
    words: str
    """At most 38 characters. Source: Discord's design advice for a button without icon."""
    primary: bool = False
    """Whether it is what most people will want now."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: a head, the options, a body, the actions."""

    title: str = ""
    """One line of plain text above everything, such as `Question 3 of 8`."""
    progress: tuple[int, int] | None = None
    """Number of the question, from 1, and how many there are; None outside a question."""
    head: Rich = ()
    """What the options belong to: picture and stem; empty if there are no options."""
    choices: tuple[Choice, ...] = ()
    verdict: str = ""
    """Right, wrong, partly right or skipped, in words; stands above recap and body."""
    recap: Rich = ()
    """What was answered and what is right, in words; to be left out where the choices stand above and say the same."""
    body: Rich = ()
    """What is said below: feedback, a summary, a notice. New even where the head was shown before."""
    actions: tuple[Action, ...] = ()
    session: str = ""
    """The session the choices and actions belong to; empty if there are none."""
    position: int = 0
    """Their position in the session's plan."""
    learner: int | None = None
    """The one person it is for; None is the whole place."""
    replaces: bool = False
    """Whether it takes the place of the message that carries this position's question."""
    several: bool = False
    """Whether several choices may be ticked before they are submitted."""
    typed: bool = False
    """Whether the answer is to be typed."""
