"""Rules for stems, explanations and sources: R1, R7, R8 of the editorial rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bot.bank.bank import Entry
from bot.bank.style.prose import Finding, prose, sentences, size
from bot.bank.words import Code

STEM = 200
OPTION = 80
SENTENCES = (2, 3)

_CLAUSE = r"(?:(?!\b(?:if|when|that|because|so|while|although|and|who|until|once)\b)[^,:;.?!])*"
_NEGATIVE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(rf"\b(?:Which|What|Who|Where)\b{_CLAUSE}(?P<no>\bnot\b|n[’']t\b|\bexcept\b)", re.IGNORECASE),
    "ru": re.compile(
        r"\b(?:Как(?:ой|ая|ое|ие|ого|их|ую|им|ими)|Что|Чего|Чем|Кто|Где|Куда)\b[^,:;.?!—]*"
        r"(?P<no>\bне\b)(?! (?:хвата|доста|так\b|пройд))",
        re.IGNORECASE,
    ),
}
_CAPITALS = {"en": "NOT", "ru": "НЕ"}


def negative(entry: Entry) -> str:
    """The language in which the stem asks for what is not so; empty if it does not."""
    for language, words in entry.words.items():
        asked = [sentence for sentence in sentences(prose(words.stem)) if sentence.endswith("?")]
        if any(_NEGATIVE[language].search(sentence) for sentence in asked):
            return language
    return ""


def check_source(entry: Entry) -> Iterator[Finding]:
    """An item without a source."""
    if not entry.sources:
        yield Finding("style.source", "source", "is missing", "name where the fact comes from, with its version")


def check_negative(entry: Entry) -> Iterator[Finding]:
    """A stem that asks for what is not so, without capitals."""
    for language, words in entry.words.items():
        for sentence in sentences(prose(words.stem)):
            found = _NEGATIVE[language].search(sentence) if sentence.endswith("?") else None
            if found and found["no"].upper() != found["no"]:
                todo = f"ask for what is so, or write {_CAPITALS[language]} in capitals"
                yield Finding("style.negative", f"stem.{language}", "asks for what is not so", todo)


def check_long(entry: Entry) -> Iterator[Finding]:
    """Texts that fit but do not read well."""
    for language, words in entry.words.items():
        stem = prose(words.stem)
        scenario = any(isinstance(block, Code) for block in words.stem) or len(sentences(stem)) > 1 or "\n" in stem
        if size(words.stem) > STEM and not scenario:
            what = f"has {size(words.stem)} characters in one sentence"
            yield Finding("style.long", f"stem.{language}", what, f"keep to {STEM}, or tell the situation first")
        for name, option in words.options.items():
            if size(option.text) > OPTION:
                what = f"has {size(option.text)} characters"
                yield Finding("style.long", f"options.{name}.{language}", what, f"keep to {OPTION}")
        count = len(sentences(prose(words.explanation)))
        if not SENTENCES[0] <= count <= SENTENCES[1]:
            what = f"has {count} sentence" + "s" * (count != 1)
            yield Finding("style.long", f"explanation.{language}", what, "write two or three")
