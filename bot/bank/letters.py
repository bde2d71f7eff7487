"""Letters of one alphabet where those of the other are meant."""

from __future__ import annotations

import re

_MIXED = re.compile(r"[A-Za-z][\d_]*[Ѐ-ӿ]|[Ѐ-ӿ][\d_]*[A-Za-z]")
_ALIKE = re.compile(r"(?<!\w)[асеорхуіјѕАВЕЗКМНОРСТУХІЈЅ_]{2,}(?!\w)")
_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_ESCAPE = re.compile(r"\\[a-zA-Z]")


def cyrillic(identifier: str) -> str:
    """What to say of an identifier that is to be Latin.

    Returns:
        Its first Cyrillic letter with its code point, as `«а» (U+0430)`; empty if there is none.
    """
    found = _CYRILLIC.search(identifier)
    return f"«{found[0]}» (U+{ord(found[0]):04X})" if found else ""


def mixed_word(text: str) -> str:
    """The first word of a text that has Latin and Cyrillic letters; empty if there is none."""
    if not _MIXED.search(text):
        return ""
    return next(word[0] for word in re.finditer(r"\w+", text) if _MIXED.search(word[0]))


def false_identifier(code: str) -> str:
    """The first word of some code that mixes the alphabets or is Cyrillic through and through but looks Latin."""
    code = _ESCAPE.sub(" ", code)
    found = _ALIKE.search(code)
    return mixed_word(code) or (found[0] if found and found[0].strip("_") else "")
