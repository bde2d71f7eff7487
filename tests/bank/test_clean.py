"""What arrives is what `clean` says: one form for every foreign text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.bank import clean, hidden

AWKWARD = st.text(
    st.one_of(
        st.sampled_from(
            "a я\n\r\t\u00a0\u00ad\u0085\u0301\u030a\u0308\u0333\u034f\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u202e"
            "\u2060\u2066\u2067\u2068\u2069\u2126\ufe0f\ufeff\u0915\u094d\u06cc\U0001f469\U0001f52c\U0001f3f4"
            "\U000e0067\U000e007f\ud800"
        ),
        st.characters(),
    ),
    max_size=40,
)


@given(AWKWARD)
@example("\u2126\u200d\u0915")
@example("x\u030a\u0301")
@example("\u2066\n\u2069")
def test_cleaning_again_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(AWKWARD)
def test_nothing_that_a_platform_would_drop_or_change_is_left(text: str) -> None:
    cleaned = clean(text)
    assert not any(unicodedata.category(char) in {"Cc", "Cs"} and char != "\n" for char in cleaned)
    assert not set(cleaned) & set("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u030a\u0333\u033f\ufeff\u200b")
    assert unicodedata.is_normalized("NFC", cleaned)
    assert cleaned == cleaned.strip()


@given(AWKWARD)
def test_isolates_are_balanced_in_every_line(text: str) -> None:
    for line in clean(text).split("\n"):
        depth = 0
        for char in line:
            depth += ("\u2066" <= char <= "\u2068") - (char == "\u2069")
            assert depth >= 0
        assert depth == 0


@given(st.text("abcяё 🧪«»—.,!?()[]{}<>_*#|~`\\/", min_size=1).filter(lambda text: text == text.strip()))
def test_visible_text_stays_as_it_is(text: str) -> None:
    assert clean(text) == text
    assert hidden(text) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("if x:\n\treturn", "if x:\n    return"),
        ("a\x00b\x1bc\x7f", "abc"),
        ("\u202eсалам", "салам"),
        ("\u2067שלום", "\u2067שלום\u2069"),
        ("a\u2069b", "ab"),
        ("a\u200e\u200f\u200eb", "a\u200eb"),
        ("па\u200bро\u2060ль\u00ad", "пароль"),
        ("па\u200dроль", "пароль"),
        ("е\u0308лка", "ёлка"),
        ("A\u030a x\u0333y\u033f z\u030a", "Å xy z"),
        ("a\ufe0fb\ufe0f\ufe0f", "a\ufe0fb\ufe0f"),
        ("\ufeff \n text \n ", "text"),
    ],
)
def test_each_kind_of_trouble_has_its_remedy(before: str, after: str) -> None:
    assert clean(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d🔬",
        "❤\ufe0f",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم",
        "क्\u200dष",
    ],
)
def test_joiners_selectors_and_tags_stay_where_they_change_what_is_shown(text: str) -> None:
    assert clean(text) == text


def test_hidden_names_what_nobody_would_see_and_not_what_is_only_written_differently() -> None:
    assert hidden("a\u202eb\u200bc\u200b\x07") == ("U+202E", "U+200B", "U+0007")
    assert hidden(" е\u0308\r\n\tb ") == ()
