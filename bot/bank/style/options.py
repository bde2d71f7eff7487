"""Rules for options: R9, R10, R13, R14 of the editorial rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from statistics import fmean

from bot.bank.bank import Entry, Words
from bot.bank.style.prose import CODE, Finding, code_spans, fields, prose, size
from bot.bank.words import Rich
from bot.quiz import Kind

KEY_RATIO = 1.25
SPREAD = 1.8
SHORT = 10
"""Options of at most so many characters are numbers and the like: their length tells nothing. Chosen by us."""

_REFERENCE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:all|none|both|any|either|neither|two) of (?:the )?(?:above|(?:these|those|them|options|answers)\W*$)"
        r"|\b(?:all|none) the (?:above|others)\b|\bthe above\b|^(?:both )?[A-E] (?:and|or|&) [A-E]\W*$",
        re.IGNORECASE,
    ),
    "ru": re.compile(
        r"\b(?:все|всё|ничего|любое|ни одн\w+|ни один|оба|обе|что-либо) (?:из )?(?:выше)?"
        r"(?:перечисленн|указанн|названн|этих вариант|вариант|ответ)\w*"
        r"|\b(?:оба|все) (?:вариант|ответ)[аы]\b|\bвышеперечисленн\w*"
        r"|^(?:и )?(?:варианты )?[А-ЕA-E] (?:и|или) [А-ЕA-E]\W*$",
        re.IGNORECASE,
    ),
}
_LETTER: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:[Oo]ptions?|[Aa]nswers?|[Cc]hoices?) \(?[A-L]\b"),
    "ru": re.compile(r"\b(?:[Вв]ариант|[Оо]твет|[Пп]ункт)\w* (?:\(?[A-L]\b|«?[А-Е]»?(?!\w))"),
}
_ABSOLUTE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:never|always|only|every|all|guarante\w+)\b", re.IGNORECASE),
    "ru": re.compile(
        r"\b(?:никогда|всегда|только|люб(?:ой|ая|ое|ые|ого|ому|ую|ым|ых|ыми)|гарантир\w+|все|всё|всех|всем|всеми)\b",
        re.IGNORECASE,
    ),
}
_HEDGE: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:may|might|typically|usually|often|generally|probably)\b", re.IGNORECASE),
    "ru": re.compile(r"\b(?:может|могут|обычно|часто|возможно|вероятно|как правило)\b", re.IGNORECASE),
}
_COMMON = frozenset({
    *("about", "after", "again", "another", "because", "before", "being", "between", "could", "does", "during"),
    *("every", "instead", "first", "other", "second", "should", "since", "still"),
    *("their", "there", "these", "thing", "those", "three"),
    *("under", "until", "what", "where", "which", "while", "whole", "whose", "without", "would"),
    *("будет", "будут", "быть", "всего", "всех", "другой", "если", "какая", "какие", "какой", "какое", "когда"),
    *("которая", "которые", "который", "которое", "может", "можно", "между", "нужно", "нужна", "нужен", "одного"),
    *("одной", "перед", "после", "потом", "почему", "своей", "своих", "своего", "сейчас", "такой", "также", "только"),
    *("через", "чтобы", "этого", "этот", "этих", "этой", "каждый", "каждая", "каждое", "самого", "самой", "сразу"),
    *("снова", "заново", "вместо", "вместе", "более", "менее", "около", "почти", "такое", "такая", "такие"),
})  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")


def check_reference(entry: Entry) -> Iterator[Finding]:
    """Options that speak of other options; texts that name an option by its letter."""
    for language, words in entry.words.items():
        for name, option in words.options.items():
            if found := _REFERENCE[language].search(prose(option.text)):
                what = f"refers to other options («{found[0]}»), but options are shuffled"
                yield Finding("style.reference", f"options.{name}.{language}", what, "write what it says in full")
        for field, text in fields(entry, language):
            if found := _LETTER[language].search(prose(text)):
                what = f"names an option by its letter («{found[0]}»), but options are shuffled"
                yield Finding("style.reference", field, what, "quote the idea instead")


def _parted(entry: Entry, words: Words) -> tuple[list[Rich], list[Rich]]:
    """Texts of the key and of the distractors."""
    key = [option.text for name, option in words.options.items() if name in entry.item.key]
    return key, [option.text for name, option in words.options.items() if name not in entry.item.key]


def check_length(entry: Entry) -> Iterator[Finding]:
    """A key that stands out by its length, or options of very different length; bare names in code are excepted."""
    for language, words in entry.words.items():
        key, distractors = _parted(entry, words)
        every = [*key, *distractors]
        if not every or all(prose(text) == CODE for text in every) or max(map(size, every)) <= SHORT:
            continue
        if entry.item.kind is Kind.SINGLE and size(key[0]) > KEY_RATIO * (mean := fmean(map(size, distractors))):
            what = f"the key has {size(key[0])} characters in {language}, the mean distractor {mean:.0f}"
            yield Finding("style.length", f"options.{language}", what, f"cut the key to {int(KEY_RATIO * mean)}")
        shortest, longest = min(map(size, every)), max(map(size, every))
        if longest > SPREAD * shortest:
            what = f"the longest has {longest} characters in {language}, the shortest {shortest}"
            todo = f"bring them within {SPREAD} times of each other"
            yield Finding("style.length", f"options.{language}", what, todo)


def check_absolute(entry: Entry) -> Iterator[Finding]:
    """Absolute words in distractors alone."""
    for language, words in entry.words.items():
        if any(_ABSOLUTE[language].search(prose(text)) for text in _parted(entry, words)[0]):
            continue
        for name, option in words.options.items():
            if name not in entry.item.key and (found := _ABSOLUTE[language].search(prose(option.text))):
                what = f"a distractor says «{found[0]}», the key has no such word"
                yield Finding("style.absolute", f"options.{name}.{language}", what, "leave the word out")


def check_hedge(entry: Entry) -> Iterator[Finding]:
    """Hedging words in the key alone."""
    for language, words in entry.words.items():
        key, distractors = _parted(entry, words)
        if any(_HEDGE[language].search(prose(text)) for text in distractors):
            continue
        for found in filter(None, (_HEDGE[language].search(prose(text)) for text in key)):
            what = f"only the key says «{found[0]}»"
            todo = "leave the word out, or use it in a distractor too"
            yield Finding("style.hedge", f"options.{language}", what, todo)


def content_words(text: str, shortest: int = 5) -> set[str]:
    """The words of a prose that carry meaning: five letters or more, folded, without common ones."""
    return {word for word in _WORD.findall(text.casefold()) if len(word) >= shortest and word not in _COMMON}


def same_word(one: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike and differ in at most three letters at the end."""
    alike = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        alike += 1
    return alike >= max(min(5, len(one), len(other)), len(one) - 3, len(other) - 3)


def check_clang(entry: Entry, subject: Set[str]) -> Iterator[Finding]:
    """A rare word of the stem that only the key has.

    Args:
        entry: Only single items are looked at.
        subject: Words of the course's terms, folded: they are not rare.
    """
    if entry.item.kind is not Kind.SINGLE:
        return
    for language, words in entry.words.items():
        (key,), distractors = _parted(entry, words)
        for token in sorted({*code_spans(words.stem)} & {*code_spans(key)}):
            if not any(token in code_spans(text) for text in distractors):
                yield _clang(language, f"`{token}`")
        others = set().union(*(content_words(prose(text)) for text in distractors))
        stem = content_words(prose(words.stem))
        for word in sorted(content_words(prose(key))):
            if any(same_word(word, known) for known in subject) or any(same_word(word, other) for other in others):
                continue
            if any(same_word(word, asked) for asked in stem):
                yield _clang(language, f"«{word}»")


def _clang(language: str, word: str) -> Finding:
    what = f"of all options only the key repeats {word} of the stem"
    return Finding(
        "style.clang", f"options.{language}", what, "use the word in a distractor too, or another in the key"
    )
