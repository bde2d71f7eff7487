"""Keys: what may be typed besides an answer."""

from __future__ import annotations

from enum import Enum

from bot.bank import Entry
from bot.quiz import normalise


class Key(Enum):
    """What a short line means; the Cyrillic letters lie on the same keys."""

    LEAVE = ("q", "й")
    HINT = ("?",)
    SKIP = ("s", "ы")
    NEXT = ("", "n", "т")
    MISTAKES = ("m", "м", "ь")
    REVIEW = ("r", "к")
    SHOW_ME = ("o", "щ", "о")

    @classmethod
    def of(cls, line: str, *, slashed: bool = False) -> Key | None:
        """The key that was typed, with or without a slash before it; None if it was something else.

        Args:
            line: As it was typed.
            slashed: Whether a letter is a key only behind a slash.
        """
        typed = line.strip().casefold()
        bare = typed.removeprefix("/")
        if typed and (not bare or (slashed and typed == bare)):
            return None
        return next((key for key in cls if bare in key.value), None)


def letter_may_answer(entry: Entry) -> bool:
    """Whether a single character may be the answer to an item, so that none of them can be a key as well."""
    return any(len(normalise(form)) == 1 for form in entry.accepted)
