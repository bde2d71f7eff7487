"""Text as Telegram rewrites it. Pure functions, no server."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .errors import ApiError
from .text import formatted, utf16


def bold(offset: int, length: int) -> list[dict[str, Any]]:
    return [{"type": "bold", "offset": offset, "length": length}]


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("  край \n", "край"),
        ("две\r\nстроки", "две\nстроки"),
        ("таб\tи\x0bещё", "таб и ещё"),
        ("a\u2028b\u2029c\u202ad\u202ee", "abcde"),
        ("\u2068изолят\u2069 остаётся", "\u2068изолят\u2069 остаётся"),
        ("a\u0333b\u033fc\u030ad", "abcd"),
        ("x\u200e\u200f\u200ey", "x\u200c\u200c\u200ey"),
        ("один\u00a0пробел", "один\u00a0пробел"),
    ],
)
def test_characters_are_dropped_and_replaced_as_tdlib_does(sent: str, kept: str) -> None:
    assert formatted(sent).text == kept


@pytest.mark.parametrize("nothing", ["", "   ", "\n", "\u200b", "\u2800", "\ufeff\u00a0"])
def test_a_text_that_shows_nothing_is_empty(nothing: str) -> None:
    assert not formatted(nothing).text


def test_entities_move_with_dropped_characters_and_trimmed_blanks() -> None:
    text = formatted("  a\r\u202eжир", bold(5, 3))
    assert (text.text, text.entities) == ("aжир", bold(1, 3))


def test_an_emoji_counts_two_units() -> None:
    assert utf16("🧪👩‍🔬 Что выведет ") == 20
    assert formatted("🧪жир", bold(2, 3)).entities == bold(2, 3)


@pytest.mark.parametrize(
    ("entities", "refusal"),
    [
        (bold(0, 6), "ends after the end of the text at UTF-16 offset 6"),
        (bold(9, 1), "begins after the end of the text at UTF-16 offset 9"),
        (bold(1, 2), "begins in a middle of a UTF-16 symbol"),
        (bold(0, 1), "ends in a middle of a UTF-16 symbol"),
        (bold(-1, 1), "incorrect offset -1"),
        ([{"type": "loud", "offset": 0, "length": 1}], "Unsupported type"),
    ],
)
def test_an_entity_that_does_not_fit_the_text_is_refused(entities: list[dict[str, Any]], refusal: str) -> None:
    with pytest.raises(ApiError, match=refusal):
        formatted("🧪abc", entities)


def test_an_entity_without_length_is_dropped_in_silence() -> None:
    assert formatted("abc", bold(1, 0)).entities == []


def test_nothing_is_formatted_inside_of_code() -> None:
    entities = [{"type": "code", "offset": 0, "length": 7}, *bold(2, 3)]
    assert formatted("a @bcde", entities).entities == entities[:1]


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("привет @everyone!", "mention", "@everyone"),
        ("жми /start@my_bot сейчас", "bot_command", "/start@my_bot"),
        ("тема #контрольная_1.", "hashtag", "#контрольная_1"),
        ("см. https://example.org/a?b=1.", "url", "https://example.org/a?b=1"),
        ("почта a@example.org", "email", "a@example.org"),
    ],
)
def test_telegram_finds_things_by_itself(text: str, kind: str, found: str) -> None:
    (entity,) = formatted(text).entities
    assert entity["type"] == kind
    assert text[entity["offset"] :][: entity["length"]] == found


def test_html_becomes_entities_and_broken_html_is_refused() -> None:
    text = formatted("<b>а</b> &lt;<code>x</code>", None, "HTML")
    assert text.text == "а <x"
    assert [entity["type"] for entity in text.entities] == ["bold", "code"]
    for broken in ("<b>а", "а</b>", "<h1>а</h1>"):
        with pytest.raises(ApiError, match="can't parse entities"):
            formatted(broken, None, "HTML")


@given(st.text(max_size=60), st.data())
def test_entities_stay_inside_of_the_text(text: str, data: st.DataObject) -> None:
    bounds = [0]
    for char in text:
        bounds.append(bounds[-1] + utf16(char))
    start = data.draw(st.sampled_from(bounds))
    end = data.draw(st.sampled_from([bound for bound in bounds if bound >= start]))
    kept = formatted(text, bold(start, end - start) if end > start else [])
    assert all(one["offset"] >= 0 and one["offset"] + one["length"] <= utf16(kept.text) for one in kept.entities)
    assert formatted(kept.text).text == kept.text
