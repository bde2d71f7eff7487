"""The bank: every item, quiz and module of all courses, loaded, checked and immutable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import filterfalse
from pathlib import Path

from bot.bank.words import Picture, Rich
from bot.quiz import Blueprint, Item


@dataclass(frozen=True, slots=True)
class Option:
    """The words of one option in one language."""

    text: Rich
    """One paragraph."""
    why: Rich
    """Why this very option is right or wrong."""


@dataclass(frozen=True, slots=True)
class Words:
    """All words of an item in one language. An item is offered in a locale only if all of them are there."""

    stem: Rich
    hint: Rich
    """Empty if the item has none; then it has none in any language."""
    explanation: Rich
    brief: str
    """Plain text, at most 200 characters and two line feeds; empty if the item has none."""
    options: Mapping[str, Option]
    """Every option id of the item."""
    accept: tuple[str, ...] = ()
    """Accepted forms of a text item, the first is the one shown as right; empty for other kinds."""
    image: Picture | None = None
    brief_marked: Rich = ()
    """The brief before its marks were taken out."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from."""

    title: str
    url: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """A script that shows a claim, with what it printed. Nothing is run here."""

    name: str
    code: str
    output: str
    versions: str = ""
    """What it was recorded with, such as `Python 3.11.7, torch 2.13.0`; empty if its index does not know it."""
    recorded: date | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """An item with everything that is known of it."""

    item: Item
    words: Mapping[str, Words]
    """By locale; only complete languages, at least one."""
    sources: tuple[Source, ...]
    facts: tuple[str, ...]
    where: str
    """File, relative to the bank's root."""
    retired: bool = False
    proof: Proof | None = None
    valid_for: str = ""
    twin: str = ""
    waive: Mapping[str, str] = field(default_factory=dict)
    """Style rule to the reason why it does not hold here."""
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of the module's other languages: what the item lacks to be offered in them, at least one field each."""

    @property
    def accepted(self) -> tuple[str, ...]:
        """Accepted forms of a text item, all languages together."""
        return tuple(dict.fromkeys(form for words in self.words.values() for form in words.accept))


@dataclass(frozen=True, slots=True)
class Deck:
    """A module: the items of one file."""

    id: str
    course: str
    title: Mapping[str, str]
    """By locale."""
    order: int
    needs: tuple[str, ...] = ()
    seed: bool = False
    where: str = ""
    """File, relative to the bank's root."""


@dataclass(frozen=True, slots=True)
class Course:
    """A set of modules on one subject."""

    id: str
    title: Mapping[str, str]
    about: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Quiz:
    """A blueprint with its words."""

    blueprint: Blueprint
    course: str
    title: Mapping[str, str]
    """By locale."""
    about: Mapping[str, str]
    """By locale; empty if it has none."""
    exam: bool = False
    """What the quiz offers first: exam instead of learn."""
    minutes: int | None = None
    """Limit for the whole in exam mode."""
    daily: bool = False
    """Whether it is offered as a pool of daily questions."""


@dataclass(frozen=True)
class Bank:
    """All courses. Mappings keep the order: courses by folder, modules by `order`, items as in their file.

    Quizzes of modules come in the modules' order, those of the course's own file after them.
    """

    root: Path
    courses: Mapping[str, Course]
    decks: Mapping[str, Deck]
    entries: Mapping[str, Entry]
    """By item id, retired ones included."""
    quizzes: Mapping[str, Quiz]

    @cached_property
    def fingerprints(self) -> Mapping[str, str]:
        """Item id to the item's fingerprint, retired ones included."""
        return {name: entry.item.fingerprint for name, entry in self.entries.items()}

    @cached_property
    def twins(self) -> Mapping[str, str]:
        """Item id to the id of its twin, for items that name one."""
        return {name: entry.twin for name, entry in self.entries.items() if entry.twin}

    def quiz(self, name: str) -> Quiz | None:
        """The quiz of that id, or a whole module as a quiz; None if there is neither."""
        if name in self.quizzes:
            return self.quizzes[name]
        deck = self.decks.get(name)
        return None if deck is None else Quiz(Blueprint(name, modules=(name,)), deck.course, deck.title, {})

    def live(self, locales: Iterable[str]) -> Sequence[Item]:
        """The items that may be asked in all of these languages, in order, without retired ones."""
        wanted = set(locales)
        return [e.item for e in self.entries.values() if not e.retired and wanted <= e.words.keys()]

    def gone(self, items: Iterable[str]) -> frozenset[str]:
        """Those of some item ids that the bank does not have."""
        return frozenset(filterfalse(self.entries.__contains__, items))  # for each answer: however large the bank
