"""Typed letters, in the alphabets and habits of those who type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chats.letters import options_meant

FOUR = ("d", "b", "a", "c")
"""In the order shown: A is option d."""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *[("a", "d"), ("A", "d"), ("b.", "b"), ("B)", "b"), (" c ", "a"), ("ｄ", "c"), ("D\t", "c")],
        *[("а", "d"), ("б", "b"), ("в", "a"), ("В.", "a"), ("г", "c"), ("с", "a"), ("С", "a")],
        *[("a c", "da"), ("ac", "da"), ("c, a", "da"), ("а, в", "da"), ("a+b;c", "dba"), ("aaa", "d")],
        ("dcba", "dbac"),
    ],
)
def test_letters_mean_the_options_in_the_order_shown(typed: str, meant: str) -> None:
    assert options_meant(typed, FOUR) == tuple(meant)


@pytest.mark.parametrize("typed", ["", " ", ".", "e", "д", "x", "ab?", "1", "answer", "a-b", "?", "🅰", "a\x00"])
def test_anything_else_means_nothing(typed: str) -> None:
    assert options_meant(typed, FOUR) is None


@given(st.text(max_size=20), st.integers(2, 12))
def test_whatever_is_typed_gives_options_that_are_shown_or_nothing(typed: str, count: int) -> None:
    shown = tuple("abcdefghijkl"[:count])
    meant = options_meant(typed, shown)
    assert meant is None or (meant and set(meant) <= set(shown) and list(meant) == sorted(meant))
