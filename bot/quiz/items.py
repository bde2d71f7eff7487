"""Items as the core sees them: ids, keys and numbers, never words.

No clock, no dice, no I/O. An option is known by its id alone, so that neither an order of display nor a language
can change what is right.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

ITEM_ID = re.compile(r"[a-z0-9-]{3,48}")
"""An item's id. 48 characters, chosen by us: a deep link `item_<id>` stays under Telegram's 64."""

OPTION_ID = re.compile(r"[a-z0-9]{1,2}")
"""An option's id. Two characters, chosen by us: a button payload stays under 24 bytes."""

MAX_OPTIONS = 12
"""Options of one item. Source: Telegram Bot API 9.1, poll options."""


class Kind(StrEnum):
    """How an item is answered."""

    SINGLE = "single"
    MULTIPLE = "multiple"
    TEXT = "text"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Number:
    """The right number of an item, and how far from it a response may lie."""

    value: Decimal
    tolerance: Decimal = Decimal(0)
    """Absolute, at least 0; the bounds themselves count as right."""


@dataclass(frozen=True, slots=True)
class Item:
    """One question without its words.

    The accepted forms of a text item are words; whoever grades hands them in.
    """

    id: str
    kind: Kind
    options: tuple[str, ...] = ()
    """2 to 12 option ids in the order of the file; empty for text and number."""
    key: frozenset[str] = frozenset()
    """The ids that are right: one for single, one or more for multiple, empty for text and number."""
    answer: Number | None = None
    """Only for number."""
    module: str = ""
    level: int = 1
    """1 recall, 2 understanding, 3 application, 4 analysis, 5 expert."""
    shuffle: bool = True
    fixed: frozenset[str] = frozenset()
    """Option ids that keep their place when the others are shuffled."""

    def __post_init__(self) -> None:
        """Refuse an item that no learner could be graded on.

        Raises:
            ValueError: The parts contradict the kind. A bank loader has reported it before; here it is a bug.
        """
        choice = self.kind in (Kind.SINGLE, Kind.MULTIPLE)
        if not ITEM_ID.fullmatch(self.id):
            raise ValueError(f"item id {self.id!r} does not match {ITEM_ID.pattern}")
        if len(set(self.options)) != len(self.options) or not all(map(OPTION_ID.fullmatch, self.options)):
            raise ValueError(f"item {self.id}: option ids are repeated or malformed: {self.options}")
        if choice != (2 <= len(self.options) <= MAX_OPTIONS):
            raise ValueError(f"item {self.id}: {len(self.options)} options do not fit kind {self.kind}")
        if not (self.key | self.fixed) <= set(self.options) or choice != bool(self.key):
            raise ValueError(f"item {self.id}: key or fixed names an option that is not there, or the key is missing")
        if self.kind is Kind.SINGLE and len(self.key) != 1:
            raise ValueError(f"item {self.id}: a single-choice item has exactly one right option")
        if (self.kind is Kind.NUMBER) != (self.answer is not None):
            raise ValueError(f"item {self.id}: exactly the number items have an answer")
        if self.answer and not all(number.is_finite() for number in (self.answer.value, self.answer.tolerance)):
            raise ValueError(f"item {self.id}: the right number or its tolerance is not finite")
        if self.answer and self.answer.tolerance < 0:
            raise ValueError(f"item {self.id}: the tolerance is negative")

    @property
    def fingerprint(self) -> str:
        """What must not change while the id stays: kind, option ids, key, and the right number with its tolerance.

        Returns:
            16 hexadecimal characters; equal for every order of the options.
        """
        answer = (
            None
            if self.answer is None
            else [str(self.answer.value.normalize()), str(self.answer.tolerance.normalize())]
        )
        facts = [self.kind, sorted(self.options), sorted(self.key), answer]
        return hashlib.sha256(json.dumps(facts, separators=(",", ":")).encode()).hexdigest()[:16]
