"""Whoever does not know the subject gains nothing by the form of the options."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from bot.bank import Entry, Option, Paragraph, plain
from bot.quiz import Kind
from tests.content.bank import LANGUAGES, entries

MOST = Fraction(35, 100)

HEDGES = re.compile(
    r"\b(may|might|can|could|typically|usually|often|sometimes|some|mostly|generally|probably"
    r"|может|могут|обычно|часто|иногда|некоторые|как правило|вероятно|бывает|возможно|в основном)\b",
    re.IGNORECASE,
)
TECHNICAL = re.compile(r"\b\w*(?:[A-Z]{2}|[_.]\w|\d)\w*\b")


def length(option: Option) -> int:
    return len(plain(option.text))


def hedges(option: Option) -> int:
    return len(HEDGES.findall(plain(option.text)))


def technical(option: Option) -> int:
    """Characters in code, acronyms, identifiers and figures."""
    coded = sum(len(s.text) for block in option.text if isinstance(block, Paragraph) for s in block.spans if s.code)
    return coded + sum(map(len, TECHNICAL.findall(plain(option.text))))


def shortest(option: Option) -> int:
    return -length(option)


GUESSERS: dict[str, Callable[[Option], int]] = {
    "longest": length,
    "shortest": shortest,
    "most hedged": hedges,
    "most technical": technical,
}


def gain(entry: Entry, language: str, look: Callable[[Option], int]) -> Fraction:
    """The share of full marks of somebody who takes the option that looks best, one of them where several do."""
    options = entry.words[language].options
    best = max(map(look, options.values()))
    chosen = [name for name, option in options.items() if look(option) == best]
    return Fraction(sum(name in entry.item.key for name in chosen), len(chosen))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GUESSERS)
def test_a_guesser_by_form_stays_below_thirty_five_per_cent(name: str, language: str) -> None:
    singles = [entry for entry in entries() if entry.item.kind is Kind.SINGLE]
    assert len(singles) >= 80
    share = sum((gain(entry, language, GUESSERS[name]) for entry in singles), Fraction(0)) / len(singles)
    assert share < MOST, f"{float(share):.1%}"
