"""Rules over many items: R7, R10, R11 of the editorial rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil, floor

from bot.bank.bank import Bank, Entry
from bot.bank.problems import Problem
from bot.bank.style.prose import size
from bot.bank.style.stems import negative
from bot.quiz import Kind

ENOUGH = 40
"""Live items of the bank from which these rules hold. Chosen by us."""

ENOUGH_IN_MODULE = 8
"""Single items of a module from which its key positions are counted. Chosen by us."""

NEGATIVE = 0.05
SHARE = (0.20, 0.30)
SLACK = 0.03
"""How far the share of each position may be from equal shares: 22 to 28 % with four options."""

RUN = 3


def check_balance(bank: Bank) -> Iterator[Problem]:
    """What is wrong with the bank as a whole; nothing if it has too few live items."""
    counted = [entry for entry in bank.entries.values() if not entry.retired and not bank.decks[entry.item.module].seed]
    if len(counted) < ENOUGH:
        return
    asked_negatively = sum(bool(negative(entry)) for entry in counted)
    if asked_negatively > NEGATIVE * len(counted):
        what = f"{asked_negatively} of {len(counted)} items have a negative stem"
        yield Problem(".", "", "stem", what, f"keep to {floor(NEGATIVE * len(counted))}", "style.negative")
    singles = [entry for entry in counted if entry.item.kind is Kind.SINGLE]
    yield from _lengths(singles)
    yield from _positions(singles, ".", "the bank")
    for module, entries in groupby(singles, key=lambda entry: entry.item.module):
        here = list(entries)
        where = bank.decks[module].where
        if len(here) >= ENOUGH_IN_MODULE:
            yield from _positions(here, where, f"module {module}")
        yield from _runs(here, where)


def _place(entry: Entry) -> int:
    (key,) = entry.item.key
    return entry.item.options.index(key)


def _bounds(count: int, low: float, high: float) -> tuple[int, int]:
    """How many of some items a share allows; rounded outwards, or no small module could satisfy it."""
    return max(0, floor(count * low + 1e-9)), ceil(count * high - 1e-9)


def _lengths(singles: Sequence[Entry]) -> Iterator[Problem]:
    for language in sorted({language for entry in singles for language in entry.words}):
        there = [entry for entry in singles if language in entry.words]
        least, most = _bounds(len(there), *SHARE)
        longest = shortest = 0
        for entry in there:
            sizes = {name: size(option.text) for name, option in entry.words[language].options.items()}
            (key,) = entry.item.key
            others = [length for name, length in sizes.items() if name != key]
            longest += sizes[key] > max(others)
            shortest += sizes[key] < min(others)
        for count, name in ((longest, "longest"), (shortest, "shortest")):
            if not least <= count <= most:
                what = f"the key is the {name} option in {count} of {len(there)} items"
                todo = f"make it {least} to {most}"
                yield Problem(".", "", f"options.{language}", what, todo, "style.key-length")


def _positions(singles: Sequence[Entry], where: str, name: str) -> Iterator[Problem]:
    places = Counter(map(_place, singles))
    for place in range(max((len(entry.item.options) for entry in singles), default=0)):
        able = [entry for entry in singles if len(entry.item.options) > place]
        share = sum(1 / len(entry.item.options) for entry in able) / len(able)
        least, most = _bounds(len(able), share - SLACK, share + SLACK)
        if not least <= places[place] <= most:
            what = f"in {name} the key is option {place + 1} in {places[place]} of {len(able)} items"
            yield Problem(where, "", "key", what, f"make it {least} to {most}", "style.position")


def _runs(singles: Sequence[Entry], where: str) -> Iterator[Problem]:
    for place, entries in groupby(singles, key=_place):
        run = [entry.item.id for entry in entries]
        if len(run) > RUN:
            what = f"the key is option {place + 1} in {len(run)} items in a row"
            todo = f"move one of these keys: {', '.join(run)}"
            yield Problem(where, run[0], "key", what, todo, "style.position")
