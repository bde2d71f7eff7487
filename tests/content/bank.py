"""The course as it is shipped, loaded once, and what many tests ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bot.bank import Bank, Entry, load

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "content"
COURSE = CONTENT / "checkpoints"
LANGUAGES = ("en", "ru")


@cache
def bank() -> Bank:
    return load(CONTENT)


def modules() -> list[str]:
    """The modules of the course besides the seed."""
    return [deck.id for deck in bank().decks.values() if not deck.seed]


def entries() -> list[Entry]:
    """The live items beyond the seed."""
    found = [e for e in bank().entries.values() if not e.retired and not bank().decks[e.item.module].seed]
    assert found
    return found


def by_module() -> Iterator[tuple[str, list[Entry]]]:
    for module in modules():
        yield module, [entry for entry in entries() if entry.item.module == module]
