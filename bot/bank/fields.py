"""Typed reading of TOML tables that reports what is wrong and goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches

from bot.bank import limits
from bot.bank.clean import clean, hidden
from bot.bank.letters import cyrillic, false_identifier, mixed_word
from bot.bank.markup import parse
from bot.bank.problems import Problem
from bot.bank.words import Code, Paragraph, Rich, plain

LANGUAGES = ("en", "ru")
"""Languages that content may be written in; each has a catalogue."""

_TYPES: Mapping[type, str] = {
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    Decimal: "a number with a point",
    dict: "a table",
    list: "an array",
}


def _kind(value: object) -> str:
    return _TYPES.get(type(value), "a date or time")


@dataclass
class Log:
    """The problems found so far; reading goes on after each."""

    problems: list[Problem] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.problems)


class Table:
    """One table of a file. It remembers which keys were asked for, so that the others can be reported."""

    def __init__(self, values: Mapping[str, object], log: Log, file: str, item: str, path: str = "") -> None:
        self.values = values
        self.file = file
        self.item = item
        self.log = log
        self._path = path
        self._asked: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def problem(self, key: str, what: str, todo: str, rule: str) -> None:
        """Report something about one key of this table; an empty key means the table itself."""
        path = ".".join(filter(None, (self._path, key)))
        self.log.problems.append(Problem(self.file, self.item, path, what, todo, rule))

    @property
    def found(self) -> int:
        """How many problems there are so far, in all files: equal before and after means nothing new."""
        return len(self.log)

    def ask(self, key: str) -> object:
        """The raw value of a key, None if it is not there; the key counts as known."""
        self._asked.add(key)
        return self.values.get(key)

    def require(self, key: str, todo: str) -> bool:
        """Whether a key is there; if not, that is reported."""
        self._asked.add(key)
        if key not in self.values:
            self.problem(key, "is missing", todo, "missing")
        return key in self.values

    def _wrong(self, key: str, value: object, wanted: str, todo: str) -> None:
        self.problem(key, f"is {_kind(value)}, not {wanted}", todo, "type")

    def below(self, key: str, values: Mapping[str, object]) -> Table:
        """A table inside this one."""
        return Table(values, self.log, self.file, self.item, ".".join(filter(None, (self._path, key))))

    def finish(self, explain: Callable[[str], str] = lambda _: "") -> None:
        """Report every key that nobody has asked for.

        Args:
            explain: What to do about a certain key; empty if nothing special is known.
        """
        for key in self.values:
            if key in self._asked:
                continue
            near = get_close_matches(key, sorted(self._asked - self.values.keys()), 1)
            todo = explain(key) or (f"did you mean `{near[0]}`?" if near else "take it out, or see docs/content.md")
            self.problem(key, "is not a key that is known here", todo, "key")

    # --- values ---------------------------------------------------------------------------------------------------

    def string(self, key: str, limit: int, rule: str) -> str:
        """A cleaned text without markup; empty if it is missing or wrong."""
        value = self.ask(key)
        return "" if value is None else self.form(key, value, limit, rule)

    def form(self, key: str, value: object, limit: int, rule: str) -> str:
        """A given value as a cleaned text without markup; empty if it is wrong."""
        text = self._cleaned(key, value)
        self._fits(key, text, limit, rule)
        self._letters(key, text)
        return text

    def _cleaned(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            self._wrong(key, value, "a string", f'write `{key.rpartition(".")[2]} = "…"`')
            return ""
        lost = hidden(value)
        if lost:
            names = ", ".join(lost)
            self.problem(key, f"hides characters that nobody sees ({names})", "type the text again by hand", "hidden")
        text = clean(value)
        if not any(char.isprintable() and not char.isspace() for char in text):
            self.problem(key, "is empty", "write it, or leave the key out if it is optional", "empty")
            return ""
        return text

    def _fits(self, key: str, text: str, limit: int, rule: str) -> None:
        size = limits.length(text)
        if size > limit:
            self.problem(key, f"has {size} characters, the limit is {limit}", f"shorten by {size - limit}", rule)

    def _letters(self, key: str, text: str) -> None:
        if word := mixed_word(text):
            what = f"«{word}» mixes Latin and Cyrillic letters that look alike"
            self.problem(key, what, "type the word again in one alphabet", "look-alike")

    def flag(self, key: str, default: bool) -> bool:
        """A boolean."""
        value = self.ask(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self._wrong(key, value, "a boolean", f"write `{key} = true` or `{key} = false`")
            return default
        return value

    def whole(self, key: str, least: int, most: int) -> int | None:
        """An integer within bounds; None if it is missing or wrong."""
        value = self.ask(key)
        if value is None:
            return None
        if type(value) is not int:
            self._wrong(key, value, "an integer", f"write a number from {least} to {most} without quotes")
            return None
        if not least <= value <= most:
            self.problem(key, f"is {value}", f"write a number from {least} to {most}", "number")
            return None
        return value

    def number(self, key: str) -> Decimal | None:
        """An integer or a number with a point, exact; None if it is missing or wrong."""
        value = self.ask(key)
        if value is None:
            return None
        if type(value) is int and abs(value) < 10**limits.DIGITS:
            return Decimal(value)
        if not isinstance(value, int | Decimal) or isinstance(value, bool):
            self._wrong(key, value, "a number", f"write `{key} = 3` or `{key} = 0.5`, without quotes")
            return None
        if isinstance(value, Decimal) and value.is_finite():
            exponent = value.as_tuple().exponent
            if value.adjusted() < limits.DIGITS and isinstance(exponent, int) and exponent >= -limits.DIGITS:
                return value
        todo = f"write a number of at most {limits.DIGITS} digits before and after the point"
        self.problem(key, "is not a number that a learner could type", todo, "number")
        return None

    def names(self, key: str, pattern: re.Pattern[str], what: str) -> tuple[str, ...]:
        """A list of identifiers, each once; wrong ones are reported and left out."""
        value = self.ask(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._wrong(key, value, "an array", f'write `{key} = ["…"]`')
            return ()
        good: list[str] = []
        for name in value:
            if not isinstance(name, str):
                self._wrong(key, name, f"{what} in quotes", f'write `{key} = ["…"]`')
            elif name in good:
                self.problem(key, f"names `{name}` twice", "take one out", "duplicate")
            elif self.identifier(key, name, pattern, what):
                good.append(name)
        return tuple(good)

    def identifier(self, key: str, name: str, pattern: re.Pattern[str], what: str) -> bool:
        """Whether a name is well formed; if not, that is reported."""
        if pattern.fullmatch(name):
            return True
        if letter := cyrillic(name):
            self.problem(key, f"`{name}` has the Cyrillic letter {letter}", "type it in Latin letters", "look-alike")
        else:
            self.problem(key, f"`{name}` is not {what}", f"use {pattern.pattern}", "id")
        return False

    def name(self, key: str, pattern: re.Pattern[str], what: str) -> str:
        """One identifier; empty if it is missing or wrong."""
        value = self.ask(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._wrong(key, value, f"{what} in quotes", f'write `{key} = "…"`')
            return ""
        return value if self.identifier(key, value, pattern, what) else ""

    def one_of(self, key: str, allowed: Collection[str], default: str) -> str:
        """One of a few words."""
        value = self.ask(key)
        if value is None:
            return default
        if value not in allowed:
            shown = f"`{value}`" if isinstance(value, str) else _kind(value)
            self.problem(key, f"is {shown}", "write one of " + ", ".join(f'"{word}"' for word in allowed), "value")
            return default
        return str(value)

    # --- tables ---------------------------------------------------------------------------------------------------

    def table(self, key: str, todo: str, item: str = "") -> Table | None:
        """A table; None if it is missing or not a table. With `item`, messages name it as an item of its own."""
        value = self.ask(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            self._wrong(key, value, "a table", todo)
            return None
        return Table(value, self.log, self.file, item) if item else self.below(key, value)

    def tables(self, key: str, todo: str) -> Iterator[tuple[int, Mapping[str, object]]]:
        """The tables of an array, with their number from 1."""
        value = self.ask(key)
        if value is None:
            return
        if not isinstance(value, list):
            self._wrong(key, value, "an array of tables", todo)
            return
        for number, each in enumerate(value, 1):
            if isinstance(each, dict):
                yield number, each
            else:
                self._wrong(key, each, "a table", todo)

    # --- words ----------------------------------------------------------------------------------------------------

    def languages(self, key: str, allowed: Collection[str]) -> dict[str, object]:
        """The raw values of a key by language, in the order of `LANGUAGES`."""
        value = self.ask(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._wrong(key, value, "given by language", f"write `{key}.{next(iter(allowed), 'en')} = …`")
            return {}
        for language in value:
            if language in allowed:
                continue
            todo = "write it in " + " and ".join(allowed) + " only, or add the language to the file's title"
            if language not in LANGUAGES:
                todo = "the languages are " + " and ".join(LANGUAGES)
            self.problem(f"{key}.{language}", "is in a language that is not expected here", todo, "language")
        return {language: value[language] for language in allowed if language in value}

    def strings(self, key: str, allowed: Collection[str], limit: int, rule: str) -> dict[str, str]:
        """Plain texts by language; only those that are right."""
        texts = {}
        for language, value in self.languages(key, allowed).items():
            if text := self.form(f"{key}.{language}", value, limit, rule):
                texts[language] = text
        return texts

    def words(self, key: str, allowed: Collection[str], limit: int, rule: str) -> dict[str, Rich]:
        """Texts with markup by language; only those that are right."""
        raw = self.languages(key, allowed)
        return {lang: rich for lang, value in raw.items() if (rich := self.rich(f"{key}.{lang}", value, limit, rule))}

    def rich(self, key: str, value: object, limit: int, rule: str) -> Rich:
        """One text with markup; empty if it is wrong."""
        words = parse(self._cleaned(key, value))
        self._fits(key, plain(words), limit, rule)
        for block in words:
            match block:
                case Code(text):
                    self._code(key, text)
                case Paragraph(spans):
                    for span in spans:
                        if span.code:
                            self._code(key, span.text)
                        elif re.search(r"^ {0,3}```", span.text, re.MULTILINE):
                            self.problem(key, "a code block is not closed", "add a line of three backticks", "markup")
                    self._letters(key, " ".join(span.text for span in spans if not span.code))
        return words

    def _code(self, key: str, code: str) -> None:
        if word := false_identifier(code):
            what = f"`{word}` in code has Cyrillic letters that look like Latin ones"
            self.problem(key, what, "type it again in Latin letters", "look-alike")
