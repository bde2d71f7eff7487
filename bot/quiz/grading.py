"""Grading: one response against one item, exact fractions, no rounding.

Text is compared after one documented normaliser (`normalise`); a number by value, never by spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from bot.quiz.items import Item, Kind, Number

_APOSTROPHES = str.maketrans(dict.fromkeys("'’‘‛ʼʹˈ´`′＇", "'"))
_QUOTES = str.maketrans(dict.fromkeys('"«»“”„‟″〝〞＂‹›', None))
_DASHES = str.maketrans(dict.fromkeys("-‐‑‒–—―−﹣－", "-"))
_NUMBER = re.compile(r"[+-]?(?:\d{1,30}(?:\.\d{1,30})?|\.\d{1,30})(?:e[+-]?\d{1,2})?")


@dataclass(frozen=True, slots=True)
class Response:
    """What a learner sent for an item. Empty in both fields: the item was skipped."""

    chosen: tuple[str, ...] = ()
    """Option ids, in the order they were chosen."""
    text: str = ""
    """What was typed, as it was typed."""

    @property
    def skipped(self) -> bool:
        """Whether nothing was answered."""
        return not self.chosen and not self.text


def normalise(text: str) -> str:
    """The form in which typed answers are compared.

    In this order: quotation marks vanish and apostrophes become one kind (before NFKC, which would turn an acute accent
    into a space), NFKC, case folding, ё becomes е, dashes become one kind with no spaces around them, white space
    becomes single spaces and vanishes at both ends and beside a full stop, a comma between digits becomes a decimal
    point, apostrophes around the whole and full stops, question and exclamation marks at its end vanish.

    Returns:
        The normalised text; empty if nothing but marks and spaces was typed. Applying it again changes nothing.
    """
    text = text.translate(_QUOTES).translate(_APOSTROPHES)
    text = unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold()
    text = unicodedata.normalize("NFKC", text).translate(_DASHES)
    text = re.sub("ё\u0308*", "е", text)
    text = " ".join(text.split())
    text = re.sub(r" ?([-.]) ?", r"\1", text)
    text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    while (bare := text.strip("' ").rstrip(".!?… ")) != text:
        text = bare
    return text


def readings(text: str) -> tuple[Decimal, ...]:
    """The numbers a typed text can mean.

    A comma is a decimal comma; before exactly three digits it may also part thousands, so `1,000` has two readings.
    Spaces of any kind between digits part thousands, several commas always do. Raised and lowered digits are not read:
    10² is not 102.

    Returns:
        One or two numbers; none if the text is not a number and nothing else.
    """
    if any(unicodedata.decomposition(character).startswith(("<super>", "<sub>")) for character in text):
        return ()
    text = unicodedata.normalize("NFKC", text).casefold().strip().translate(_DASHES)
    text = re.sub(r"(?<=\d)[\s_](?=\d{3}(?!\d))", "", text)
    text = re.sub(r"^([+-])\s+", r"\1", text)
    forms = {text.replace(",", ".")}
    if re.fullmatch(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", text):
        forms.add(text.replace(",", ""))
    return tuple(sorted(Decimal(form) for form in forms if _NUMBER.fullmatch(form)))


def _within(answer: Number, text: str) -> bool:
    value, tolerance = Fraction(answer.value), Fraction(answer.tolerance)
    return any(abs(Fraction(number) - value) <= tolerance for number in readings(text))


def grade(item: Item, response: Response, accepted: Sequence[str] = ()) -> Fraction:
    """Judgement of one response.

    Single, text and number are right or wrong. Multiple earns (right chosen - wrong chosen) / right, at least 0.

    Args:
        item: The item as the bank has it now.
        response: Already checked to fit the item's kind; an empty one earns 0.
        accepted: The accepted forms of a text item, all languages together; not looked at for other kinds.

    Returns:
        Share of full marks, 0 to 1.
    """
    if response.skipped:
        return Fraction(0)
    if item.kind is Kind.TEXT:
        return Fraction(normalise(response.text) in {normalise(form) for form in accepted})
    if item.kind is Kind.NUMBER:
        assert item.answer is not None  # Item guarantees it
        return Fraction(_within(item.answer, response.text))
    chosen = set(response.chosen)
    if item.kind is Kind.SINGLE:
        return Fraction(chosen == item.key)
    return max(Fraction(0), Fraction(len(chosen & item.key) - len(chosen - item.key), len(item.key)))


def score(grades: Iterable[Fraction], items: int) -> Fraction:
    """Share of full marks of a session.

    Args:
        grades: The counting grade of each answered item, in any order.
        items: How many items count; an item without a grade counts 0.

    Returns:
        0 to 1, exact; 0 if no item counts.

    Raises:
        ValueError: The grades add up to more than the items allow: two grades of one item were handed in.
    """
    total = sum(grades, Fraction(0))
    if total > items:
        raise ValueError(f"grades add up to {total} of {items}")
    return total / items if items else Fraction(0)
