"""Names that were mistyped: what may have been meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from bot.bank import Bank
from bot.i18n import Language


def close(name: str, known: Iterable[str]) -> list[str]:
    """Names much like one that nobody knows, the likeliest first.

    Returns:
        At most three, each once; those that begin with all that was typed if the spelling of none is close.
    """
    names = list(dict.fromkeys(known))
    return get_close_matches(name, names) or [other for other in names if other.startswith(name)][:3]


def similar(t: Language, name: str, known: Iterable[str]) -> list[str]:
    """A line that names what may have been meant; none if nothing is close."""
    found = close(name, known)
    return [t.gettext("Similar: {names}.", names=", ".join(found))] if found else []


def no_item(t: Language, name: str, bank: Bank) -> str:
    """That there is no such item, and how to find the one that was meant."""
    lines = [t.gettext("There is no item “{name}”.", name=name), *similar(t, name, bank.entries), where_items_are(t)]
    return "\n".join(lines)


def where_items_are(t: Language) -> str:
    """How to see the ids of items."""
    return t.gettext("Items of a module: kontrolka bank list MODULE")
