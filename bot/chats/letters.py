"""Typed letters: which option a person means who types `b`, `B.` or «б»."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_LATIN = "abcdefghijkl"
_CYRILLIC = "абвгдежзиклм"
_POSITION = {letter: i for letters in (_LATIN, _CYRILLIC) for i, letter in enumerate(letters)} | {"с": 2}
"""Letters to the place of the option shown. Cyrillic by its own order (а б в г); the letter «с» both looks like a C and
lies on the same key."""

_SEPARATORS = re.compile(r"[\s,;.)+]+")


def options_meant(text: str, shown: Sequence[str]) -> tuple[str, ...] | None:
    """The options whose letters were typed, such as `b`, `B.`, `a c`, `ac` or «а, в».

    Args:
        text: What was typed.
        shown: Option ids in the order shown.

    Returns:
        The option ids in the order shown, each once; None if anything else than letters of options was typed.
    """
    bare = _SEPARATORS.sub("", unicodedata.normalize("NFKC", text).casefold())
    places = [_POSITION.get(letter, len(shown)) for letter in bare]
    if not places or max(places) >= len(shown):
        return None
    return tuple(option for i, option in enumerate(shown) if i in places)
