"""What the rules look at: the fields of an item, text without code, words and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bot.bank.bank import Entry
from bot.bank.words import Code, Paragraph, Rich, Span, plain

CODE = "\ufffc"
"""Stands in prose for each piece of code; `clean` leaves no such character in a text."""

_SENTENCE_END = re.compile(rf"[.!?…]+[»”\")\]]*(?=\s+[«“\"(\[]*[A-ZА-ЯЁ\d{CODE}]|\s*$)")
_SHORT_FORM = re.compile(r"(?:(?<!\w)(?:\w|e\.g|i\.e|vs|cf|etc|т\. ?[екдп]|и т|см|рис|табл))\.$", re.IGNORECASE)


class Finding(NamedTuple):
    """A break of a rule in some item."""

    rule: str
    field: str
    what: str
    todo: str


def fields(entry: Entry, language: str) -> Iterator[tuple[str, Rich]]:
    """Every text of an item in one language that is there, by its dotted name in the file."""
    words = entry.words[language]
    yield f"stem.{language}", words.stem
    if words.hint:
        yield f"hint.{language}", words.hint
    yield f"explanation.{language}", words.explanation
    if words.brief_marked:
        yield f"brief.{language}", words.brief_marked
    for name, option in words.options.items():
        yield f"options.{name}.{language}", option.text
        yield f"options.{name}.why.{language}", option.why
    if words.image:
        yield f"image.alt.{language}", (Paragraph((Span(words.image.alt),)),)


def prose(words: Rich) -> str:
    """The text as shown, with `CODE` for every code span and block."""
    parts = []
    for block in words:
        if isinstance(block, Paragraph):
            parts.append("".join(CODE if span.code else span.text for span in block.spans))
        elif isinstance(block, Code):
            parts.append(CODE)
    return "\n".join(parts)


def code_spans(words: Rich) -> list[str]:
    """The code spans of some words, in order; blocks are not among them."""
    return [span.text for block in words if isinstance(block, Paragraph) for span in block.spans if span.code]


def sentences(text: str) -> list[str]:
    """A prose cut after each full stop, question or exclamation mark that ends a sentence."""
    found = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if not _SHORT_FORM.search(text[start : end.end()]) or end.end() == len(text):
            found.append(text[start : end.end()].strip())
            start = end.end()
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def size(words: Rich) -> int:
    """Characters a reader sees."""
    return len(plain(words))


def any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern for whole words in any case.

    Args:
        phrases: At least one; `*` stands for any ending, a space for any white space.
    """
    forms = (re.escape(phrase).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for phrase in phrases)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(forms)})(?![\w-])", re.IGNORECASE)
