"""Only four kinds of markup; everything else is shown character for character."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.bank import Code, Paragraph, Rich, Span, clean, parse, plain

TYPED = st.text(st.one_of(st.sampled_from("a b\n_*#>-+1.~|<>&;![]()\\/:@^={}$я🧪"), st.characters()), max_size=60)
MARKUP = re.compile(r"`|\*\*|\]\(")


def line(*spans: Span) -> Rich:
    return (Paragraph(spans),)


@given(TYPED.filter(lambda text: not MARKUP.search(text)))
def test_text_without_markup_is_shown_character_for_character(text: str) -> None:
    assert plain(parse(clean(text))) == clean(text)


@given(TYPED.filter(lambda text: not MARKUP.search(clean(text))))
def test_text_without_markup_beside_markup_is_shown_character_for_character(text: str) -> None:
    text = clean("x" + text.replace("!", "").replace("[", "").replace("*", "") + "y")
    shown = plain(parse(f"{text} `code` **bold** {text}"))
    assert shown == f"{text} code bold {text}"


@given(st.text("ab *_`[]()!\n~<>\\", max_size=60))
def test_no_marks_of_any_shape_break_the_parser(text: str) -> None:
    words = parse(clean(text))
    assert set(plain(words)) <= {*text, " "}


@pytest.mark.parametrize(
    "text",
    [
        "Что делает __init__ и a*b*c в Python?",
        "вызов ** двух",
        "if a < b and c > d:",
        "C:\\_new\\*",
        "![x](y)",
        "![x](https://example.org/y.png)",
        "1. первый",
        "```",
        "```python\nprint(1)",
        "Ответ скрыт ||здесь||?",
        "Аня <3",
        "*",
        "***три***",
        "****",
        "~~~\nx\n~~~",
        "# заголовок\n> цитата\n- пункт",
        '<a href="tg://user?id=1">я</a> &amp; &lt;',
        "[нажми](tg://user?id=1) [j](javascript:alert) [](https://example.org)",
        "    four spaces\n\n\nand two blank lines",
        "a ` b",
    ],
)
def test_what_is_no_complete_markup_stays_as_typed(text: str) -> None:
    assert plain(parse(clean(text))) == clean(text)
    assert all(span == Span(span.text) for block in parse(clean(text)) for span in block.spans)  # type: ignore[union-attr]


def test_code_bold_and_links_become_spans() -> None:
    assert parse("a `b` **c `d`** e") == line(
        Span("a "), Span("b", code=True), Span(" "), Span("c ", bold=True), Span("d", bold=True, code=True), Span(" e")
    )
    assert parse("see [the **page**](https://example.org/a_b)") == line(
        Span("see "),
        Span("the ", link="https://example.org/a_b"),
        Span("page", bold=True, link="https://example.org/a_b"),
    )
    assert parse("`` a`b ``") == line(Span("a`b", code=True))
    assert parse("`C:\\new` `**`") == line(Span("C:\\new", code=True), Span(" "), Span("**", code=True))


def test_a_fence_becomes_a_block_and_keeps_its_lines() -> None:
    words = parse(clean("Что будет?\n\n```python\nif x:\n\n    y  = `1`\n```\nИ **потом**?"))
    assert words == (
        Paragraph((Span("Что будет?"),)),
        Code("if x:\n\n    y  = `1`", "python"),
        Paragraph((Span("И "), Span("потом", bold=True), Span("?"))),
    )


def test_an_empty_text_has_no_blocks() -> None:
    assert parse("") == ()
