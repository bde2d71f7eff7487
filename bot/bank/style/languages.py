"""Rules for two languages side by side: R22, R23 of the editorial rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set
from itertools import pairwise

from bot.bank.bank import Entry
from bot.bank.style.prose import CODE, Finding, any_of, code_spans, fields, prose
from bot.bank.words import Code

_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.+&][A-Za-z0-9]+)*\+*")
_ACRONYM = re.compile(r"[A-Z][A-Z0-9]{0,5}|[A-Z]{2,5}s")
_ADDRESS = re.compile(r"https?://\S+")
_CYRILLIC = re.compile(r"[Ѐ-ӿ]+")
_FAKE = re.compile(r"(?<![\w-])[А-ЯЁ]{1,3}\d+(?!\w)")
_WRONG_DASH = re.compile(r"(?<=\S) [-–] (?=\S)|(?:^|\n)- (?=\S)")
_TIGHT_DASH = re.compile(r"[^\W\d]—|—[^\W\d]")
_UNIT = re.compile(r"\d+ (?:[КМГТ]и?Б|[KMGT]i?B|мс|мкс|мин|ms|s|min|h|%)(?![\w-])")
_YO = (
    *("ещё", "её", "неё", "моё", "твоё", "своё", "причём", "путём", "идёт", "пойдёт", "придёт", "найдёт*", "начнёт*"),
    *("даёт*", "передаёт*", "создаёт*", "остаётся", "удаётся", "ведёт*", "несёт*", "живёт", "вернёт*", "прервёт*"),
    *("счётчик*", "расчёт*", "отчёт*", "учёт*", "пересчёт*", "подсчёт*", "объём*", "надёжн*", "трёх*", "четырёх*"),
    *("сохранённ*", "применённ*", "изменённ*", "удалённ*", "распределённ*", "возобновлённ*", "укреплённ*"),
    *("повреждённ*", "решённ*", "определённ*", "завершённ*", "прекращённ*", "сокращённ*", "включённ*", "исключённ*"),
    *("отключённ*", "подключённ*", "разделённ*", "обновлённ*", "объединённ*"),
)  # fmt: skip
_WITHOUT_YO = any_of([word.replace("ё", "е") for word in _YO])


def check_code(entry: Entry) -> Iterator[Finding]:
    """Code that differs from one language to the other, field by field."""
    languages = list(entry.words)
    for first, second in pairwise(languages):
        there = dict(fields(entry, second))
        for field, text in fields(entry, first):
            other = there.get(field.removesuffix(first) + second, ())
            ours, theirs = Counter(code_spans(text)), Counter(code_spans(other))
            blocks = [sum(isinstance(block, Code) for block in words) for words in (text, other)]
            if ours != theirs:
                more = [f"`{token}` is in {first} only" for token in ours - theirs]
                more += [f"`{token}` is in {second} only" for token in theirs - ours]
                name = field.removesuffix(f".{first}")
                yield Finding("style.code", name, ", ".join(more), "put the same names in backticks in both")
            elif blocks[0] != blocks[1]:
                what = f"has {blocks[0]} code blocks in {first} and {blocks[1]} in {second}"
                yield Finding("style.code", field.removesuffix(f".{first}"), what, "show the same code in both")


def check_alphabet(entry: Entry, latin: Set[str]) -> Iterator[Finding]:
    """Words in the other language's letters.

    Args:
        entry: Any item.
        latin: Latin words that Russian text may use, folded. Acronyms of up to six capitals may always stand there.
    """
    for language in entry.words:
        for field, text in fields(entry, language):
            shown = _ADDRESS.sub(CODE, prose(text))
            if language == "ru":
                for word in dict.fromkeys(_LATIN.findall(shown)):
                    if not _ACRONYM.fullmatch(word) and word.casefold() not in latin:
                        todo = "write it in Russian, as code in backticks, or add it to `latin` in terms.toml"
                        yield Finding("style.alphabet", field, f"«{word}» is Latin", todo)
                for word in dict.fromkeys(_FAKE.findall(shown)):
                    todo = "type the letters of the name in Latin"
                    yield Finding("style.alphabet", field, f"«{word}» is a name in Cyrillic letters", todo)
            elif found := _CYRILLIC.search(shown):
                yield Finding("style.alphabet", field, f"«{found[0]}» is Cyrillic", "write it in English")


def check_quotes(entry: Entry) -> Iterator[Finding]:
    """Quotation marks of another language."""
    for language in entry.words:
        wrong, todo = ('"“”„', "use «guillemets»") if language == "ru" else ("«»„", 'use "…" or “…”')
        for field, text in fields(entry, language):
            if found := next((char for char in prose(text) if char in wrong), ""):
                yield Finding("style.quotes", field, f"has the quotation mark {found}", todo)


def check_dash(entry: Entry) -> Iterator[Finding]:
    """Hyphens and short dashes between words, long dashes without spaces in Russian."""
    for language in entry.words:
        for field, text in fields(entry, language):
            shown = prose(text)
            if _WRONG_DASH.search(shown):
                yield Finding("style.dash", field, "has a hyphen or short dash between spaces", "use a long dash —")
            elif language == "ru" and _TIGHT_DASH.search(shown):
                yield Finding("style.dash", field, "has a long dash without spaces", "put a space on both sides")


def check_space(entry: Entry) -> Iterator[Finding]:
    """A unit that a line break may part from its number."""
    for language in entry.words:
        for field, text in fields(entry, language):
            if found := _UNIT.search(prose(text)):
                todo = "put a no-break space (U+00A0) between them"
                yield Finding("style.space", field, f"«{found[0]}» may be parted by a line break", todo)


def check_yo(entry: Entry) -> Iterator[Finding]:
    """Russian words that are certainly written with «ё» and stand here with «е»."""
    if "ru" in entry.words:
        for field, text in fields(entry, "ru"):
            if found := _WITHOUT_YO.search(prose(text)):
                yield Finding("style.yo", field, f"«{found[0]}» is written with «е»", "write «ё»")
