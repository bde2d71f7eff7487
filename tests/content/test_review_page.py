"""The page about the review says of the bank what the bank says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from bot.bank import Entry
from bot.quiz import Kind
from tests.content.bank import LANGUAGES, ROOT, by_module, entries
from tests.content.test_guessers import GUESSERS, gain

PAGE = (ROOT / "docs" / "content-review.md").read_text(encoding="utf-8")


def row(name: str, found: Sequence[Entry]) -> str:
    kinds = Counter(entry.item.kind for entry in found)
    levels = Counter(entry.item.level for entry in found)
    cells = [
        name,
        len(found),
        *(kinds[kind] for kind in (Kind.SINGLE, Kind.MULTIPLE, Kind.NUMBER, Kind.TEXT)),
        " / ".join(str(levels[level]) for level in range(1, 5)),
        sum(entry.proof is not None for entry in found),
        sum(entry.words["en"].image is not None for entry in found),
    ]
    return f"| {' | '.join(map(str, cells))} |"


def test_the_page_counts_items_kinds_levels_proofs_and_pictures() -> None:
    for module, found in by_module():
        assert row(module, found) in PAGE
    assert row("all", entries()) in PAGE


def test_the_page_gives_what_a_guesser_gains_to_within_two_per_cent() -> None:
    singles = [entry for entry in entries() if entry.item.kind is Kind.SINGLE]
    for name, look in GUESSERS.items():
        stated = re.search(rf"^\| {name} \| (\d+) % \| (\d+) % \|$", PAGE, re.MULTILINE)
        assert stated is not None, name
        for language, figure in zip(LANGUAGES, stated.groups(), strict=True):
            share = sum((gain(entry, language, look) for entry in singles), Fraction(0)) / len(singles)
            assert abs(100 * share - int(figure)) <= 2, (name, language)


def test_what_was_solved_adds_up() -> None:
    for heading, items in (("## Solved without", 151), ("## Solved from", 123)):
        section = PAGE[PAGE.index(heading) :].partition("\n## ")[0]
        cells = re.findall(r"^\| (\w+) \| \**(\d+) of (\d+)\** \| \**(\d+) of (\d+)\** \|$", section, re.MULTILINE)
        assert len(cells) == 10
        *modules, (name, *total) = cells
        assert name == "all"
        for column, figure in enumerate(total, 1):
            assert sum(int(line[column]) for line in modules) == int(figure)
        assert int(total[1]) == int(total[3]) == items
