"""Items: none can exist that no learner could be graded on, and a fingerprint sees what must not change."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from bot.quiz import ITEM_ID, MAX_OPTIONS, OPTION_ID, Item, Kind, Number
from tests.quiz.world import COUNTED, MANY, ONE, TYPED


def number(value: str, tolerance: str = "0") -> dict[str, Any]:
    return {"answer": Number(Decimal(value), Decimal(tolerance))}


@pytest.mark.parametrize(
    ("item", "change", "message"),
    [
        (ONE, {"id": "No Such"}, "does not match"),
        (ONE, {"id": "ab"}, "does not match"),
        (ONE, {"id": "x" * 49}, "does not match"),
        (ONE, {"id": "вопрос"}, "does not match"),
        (ONE, {"id": "one\n"}, "does not match"),
        (ONE, {"options": ("a", "b", "b")}, "repeated"),
        (ONE, {"options": ("a", "b", "C")}, "malformed"),
        (ONE, {"options": ("a", "b", "abc")}, "malformed"),
        (ONE, {"options": ("b",)}, "options do not fit"),
        (ONE, {"options": ()}, "options do not fit"),
        (ONE, {"options": tuple("abcdefghijklm")}, "13 options do not fit"),
        (ONE, {"key": frozenset()}, "key is missing"),
        (ONE, {"key": frozenset("d")}, "not there"),
        (ONE, {"key": frozenset("ab")}, "exactly one right"),
        (ONE, {"fixed": frozenset("d")}, "not there"),
        (ONE, number("3"), "number items"),
        (MANY, {"key": frozenset()}, "key is missing"),
        (MANY, {"key": frozenset("az")}, "not there"),
        (TYPED, {"options": ("a", "b")}, "options do not fit"),
        (TYPED, {"key": frozenset("a")}, "not there"),
        (TYPED, number("3"), "number items"),
        (COUNTED, {"answer": None}, "number items"),
        (COUNTED, {"options": ("a", "b"), "key": frozenset("a")}, "options do not fit"),
        (COUNTED, number("NaN"), "not finite"),
        (COUNTED, number("Infinity"), "not finite"),
        (COUNTED, number("3", "NaN"), "not finite"),
        (COUNTED, number("3", "-0.1"), "negative"),
    ],
)
def test_an_item_that_contradicts_itself_is_refused(item: Item, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(item, **change)


@pytest.mark.parametrize("item", [ONE, MANY, TYPED, COUNTED], ids=lambda item: item.kind)
def test_what_the_message_of_a_refused_item_begins_with_is_its_id(item: Item) -> None:
    with pytest.raises(ValueError, match=f"item {item.id}: "):
        replace(item, options=("a", "a"))


def test_the_widest_item_is_possible() -> None:
    options = tuple(f"{letter}{digit}" for letter in "ab" for digit in range(6))
    assert len(options) == MAX_OPTIONS
    Item("x" * 48, Kind.MULTIPLE, options, frozenset(options), fixed=frozenset(options))
    Item("abc", Kind.SINGLE, ("a", "b"), frozenset("a"))


def test_ids_are_what_a_button_and_a_deep_link_can_carry() -> None:
    assert ITEM_ID.fullmatch("shards-of-7-billion")
    assert not ITEM_ID.fullmatch("shards_of")
    assert OPTION_ID.fullmatch("a1")
    assert not OPTION_ID.fullmatch("а")  # Cyrillic


@pytest.mark.parametrize(
    "change",
    [
        {"options": ("c", "a", "b")},
        {"shuffle": False},
        {"fixed": frozenset("a")},
        {"level": 5},
        {"module": "another"},
        {"id": "another"},
    ],
)
def test_a_fingerprint_does_not_see_order_level_or_module(change: dict[str, Any]) -> None:
    assert replace(ONE, **change).fingerprint == ONE.fingerprint


@pytest.mark.parametrize(
    ("item", "change"),
    [
        (ONE, {"key": frozenset("a")}),
        (ONE, {"options": ("a", "b", "c", "d")}),
        (ONE, {"options": ("a", "b", "d")}),
        (ONE, {"kind": Kind.MULTIPLE}),
        (MANY, {"key": frozenset("abc")}),
        (COUNTED, number("4")),
        (COUNTED, number("3", "1")),
        (COUNTED, {"answer": None, "kind": Kind.TEXT}),
    ],
)
def test_a_fingerprint_sees_kind_options_key_and_answer(item: Item, change: dict[str, Any]) -> None:
    assert replace(item, **change).fingerprint != item.fingerprint


def test_a_fingerprint_does_not_see_how_a_number_is_written() -> None:
    assert replace(COUNTED, **number("3.00", "0.0")).fingerprint == COUNTED.fingerprint


def test_a_fingerprint_is_16_hexadecimal_characters_and_the_same_for_ever() -> None:
    assert ONE.fingerprint == "bbc97e19780a3023"
    assert COUNTED.fingerprint == "4fedad4b554dff6a"
