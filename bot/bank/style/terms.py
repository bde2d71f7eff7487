"""R24 of the editorial rules: one term per concept, from the course's `terms.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from re import Pattern

from bot.bank.bank import Entry
from bot.bank.fields import LANGUAGES, Table
from bot.bank.style.options import content_words
from bot.bank.style.prose import Finding, any_of, fields, prose

_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a course."""

    latin: frozenset[str] = frozenset()
    """Latin words that Russian text may use, folded."""
    subject: frozenset[str] = frozenset()
    """The words of all terms in all languages, folded."""
    avoided: Mapping[str, tuple[tuple[Pattern[str], str], ...]] = field(default_factory=dict)
    """By language: a pattern of words to avoid and the term to use."""


def read_terms(table: Table) -> Terms:
    """The terms of a file; mistakes in it are reported to the table's log."""
    latin = {word.casefold() for word in _strings(table, "latin")}
    subject: set[str] = set()
    avoided: dict[str, list[tuple[Pattern[str], str]]] = {language: [] for language in LANGUAGES}
    for number, values in table.tables("term", "write [[term]] with two brackets"):
        term = Table(values, table.log, table.file, f"term {number}")
        for language in LANGUAGES:
            term.require(language, f'write {language} = "…"')
            name = term.string(language, _LIMIT, "limit.term")
            subject |= content_words(name, shortest=4)
            key = "avoid" if language == "ru" else f"avoid_{language}"
            if words := _strings(term, key):
                avoided[language].append((any_of(words), name))
        term.finish()
    table.finish()
    return Terms(frozenset(latin), frozenset(subject), {language: tuple(each) for language, each in avoided.items()})


def _strings(table: Table, key: str) -> list[str]:
    values = table.ask(key)
    if values is None:
        return []
    if not isinstance(values, list):
        table.problem(key, "is not an array", f'write {key} = ["…"]', "type")
        return []
    return [text for value in values if (text := table.form(key, value, _LIMIT, "limit.term"))]


def check_term(entry: Entry, terms: Terms) -> Iterator[Finding]:
    """Words that the course avoids."""
    for language in entry.words:
        for name, text in fields(entry, language):
            shown = prose(text)
            for pattern, use in terms.avoided.get(language, ()):
                if found := pattern.search(shown):
                    yield Finding("style.term", name, f"«{found[0]}» is not the term used here", f"use «{use}»")
