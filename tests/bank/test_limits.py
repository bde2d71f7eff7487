"""The hard limits suffice for the narrowest message, and count as the strictest platform counts."""

from __future__ import annotations

from bot.bank import limits, parse

TELEGRAM_TEXT = 4096
DISCORD_TEXTS_OF_A_MESSAGE = 4000
LABEL = len("A. ✅\n")


def test_a_question_in_both_languages_with_both_hints_and_titles_fits_one_message_everywhere() -> None:
    one_language = limits.QUESTION + limits.OPTIONS * LABEL + limits.HINT + limits.TITLE
    assert 2 * one_language <= min(TELEGRAM_TEXT, DISCORD_TEXTS_OF_A_MESSAGE)


def test_a_question_of_the_longest_stem_has_room_for_twelve_options_of_the_length_that_reads_well() -> None:
    assert limits.STEM + limits.OPTIONS * 80 <= limits.QUESTION


def test_length_counts_utf_16_units() -> None:
    assert [limits.length(text) for text in ("слово", "🧪", "👩\u200d🔬")] == [5, 2, 5]


def test_cost_counts_what_discord_must_escape_and_what_markup_adds() -> None:
    assert limits.cost(parse("слово")) == 5
    assert limits.cost(parse("a_b")) == 4
    assert limits.cost(parse("`a_b`")) == 3 + 4
    assert limits.cost(parse("**ab**")) == 2 + 4
    assert limits.cost(parse("[ab](https://e.org)")) == 2 + 4 + len("https://e.org")
    assert limits.cost(parse("```py\nab\n```")) == 2 + 8 + 2
