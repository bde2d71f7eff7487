"""The page about the review says of the bank what the bank says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from bot.bank import Entry
from bot.quiz import Kind
from tests.content.bank import LANGUAGES, ROOT, by_module, entries
from tests.content.test_guessers import GUESSERS, MOST, gain

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


def section(heading: str) -> str:
    return PAGE[PAGE.index(heading) :].partition("\n## ")[0]


def test_what_was_solved_adds_up() -> None:
    pattern = r"^\| (\w+) \| \**(\d+) of (\d+)\** \| \**(\d+) of (\d+)\** \|$"
    *modules, (name, *total) = re.findall(pattern, section("## Solved without"), re.MULTILINE)
    assert [module for module, *_ in modules] == [module for module, _ in by_module()]
    assert name == "all"
    for column, figure in enumerate(total, 1):
        assert sum(int(line[column]) for line in modules) == int(figure)
    assert total == [str(len(entries()))] * 4


def test_what_was_picked_without_the_stem_adds_up_and_stays_below_thirty_five_per_cent() -> None:
    pattern = r"^\| (\w+) \| (\d+) \| \**(\d+)\** \| \**(\d+)\** \| \**(\d+)\** \| \**(\d+)\** \|$"
    *modules, (name, items, *picked) = re.findall(pattern, section("## Solved from"), re.MULTILINE)
    choosing = {module: sum(bool(e.item.options) for e in found) for module, found in by_module()}
    assert {module: int(count) for module, count, *_ in modules} == choosing
    assert (name, int(items)) == ("all", sum(choosing.values()))
    for column, figure in enumerate(picked, 2):
        assert sum(int(line[column]) for line in modules) == int(figure)
        assert Fraction(int(figure), int(items)) < MOST
