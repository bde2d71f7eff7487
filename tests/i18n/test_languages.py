"""Plurals, numbers, percentages, dates, and which language is chosen for whom."""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime, time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.i18n import Language, Languages
from bot.quiz import score
from locales.__main__ import ROOT

LANGUAGES = Languages(ROOT)
EN, RU = LANGUAGES["en"], LANGUAGES["ru"]
ONE, MANY = "Result: {n} point out of {total} ({share}).", "Result: {n} points out of {total} ({share})."


def points(language: Language, n: int | Fraction) -> str:
    """The words between the colon and the total."""
    text = language.ngettext(ONE, MANY, n, total="T", share="S")
    return text.split(": ")[1].split(" out of ")[0].split(" из ")[0]


# --- case 68: plurals


@pytest.mark.parametrize(
    ("n", "shown"),
    [
        *[(0, "0 баллов"), (1, "1 балл"), (2, "2 балла"), (4, "4 балла"), (5, "5 баллов"), (11, "11 баллов")],
        *[(12, "12 баллов"), (14, "14 баллов"), (21, "21 балл"), (22, "22 балла"), (25, "25 баллов")],
        *[(100, "100 баллов"), (101, "101 балл"), (111, "111 баллов"), (112, "112 баллов"), (121, "121 балл")],
        *[(1001, "1\xa0001 балл"), (1011, "1\xa0011 баллов"), (-1, "−1 балл")],
        *[(Fraction(3, 2), "1,5 балла"), (Fraction(5, 2), "2,5 балла"), (Fraction(1, 3), "0,33 балла")],
    ],
)
def test_russian_points_take_the_form_of_their_number(n: int | Fraction, shown: str) -> None:
    assert points(RU, n) == shown


@pytest.mark.parametrize(
    ("n", "shown"),
    [
        *[(0, "0 points"), (1, "1 point"), (2, "2 points"), (21, "21 points"), (1001, "1,001 points")],
        *[(Fraction(3, 2), "1.5 points"), (-1, "−1 point"), (Fraction(1, 3), "0.33 points")],
    ],
)
def test_english_points_take_the_form_of_their_number(n: int | Fraction, shown: str) -> None:
    assert points(EN, n) == shown


@pytest.mark.parametrize(
    ("n", "shown"),
    [(1, "Ответил 1 человек."), (2, "Ответили 2 человека."), (5, "Ответило 5 человек."), (21, "Ответил 21 человек."),
     (22, "Ответили 22 человека."), (11, "Ответило 11 человек.")],
)  # fmt: skip
def test_russian_people_and_their_verb_agree(n: int, shown: str) -> None:
    assert RU.ngettext("{n} person has answered.", "{n} people have answered.", n) == shown


@pytest.mark.parametrize(("n", "word"), [(1, "вопрос:"), (3, "вопроса:"), (5, "вопросов:"), (21, "вопрос:")])
def test_russian_questions_and_their_verb_agree(n: int, word: str) -> None:
    text = RU.ngettext(
        "{n} question was withdrawn in the meantime and does not count.",
        "{n} questions were withdrawn in the meantime and do not count.",
        n,
    )
    assert text.split()[4] == word
    assert text.split()[2] == {1: "снят", 3: "сняты", 5: "снято", 21: "снят"}[n]


# --- case 69: which language


@pytest.mark.parametrize(
    ("code", "spoken"),
    [
        *[("ru", "ru"), ("ru-RU", "ru"), ("RU_ru", "ru"), ("ru-UA", "ru")],
        *[("pt-br", "en"), ("en-GB", "en"), ("zh-hans", "en"), ("", "en"), (None, "en"), ("xx<script>", "en")],
        *[("ua", "en"), ("uk", "en"), ("be-Latn", "en"), ("kk", "en"), ("de", "en"), (" ", "en"), ("-", "en")],
        *[("ru" * 500, "en"), ("\x00", "en"), ("ру", "en"), ("sr-Cyrl", "en"), ("rus", "ru")],
    ],
)
def test_code_gives_a_language_that_is_spoken(code: str | None, spoken: str) -> None:
    assert LANGUAGES.negotiate(code).tag == spoken
    assert LANGUAGES.speaks(code) == (spoken == "ru" or code == "en-GB")


@pytest.mark.parametrize("code", ["uk", "uk-UA", "be", "be-Latn", "kk", "KK"])
def test_related_language_follows_the_table_of_the_operator(code: str) -> None:
    aliased = Languages(ROOT, {"uk": "ru", "be": "ru", "kk": "ru"})
    assert aliased.negotiate(code).tag == "ru"
    assert aliased.negotiate("ua").tag == "en"
    assert aliased.negotiate("de").tag == "en"


def test_what_was_chosen_beats_the_platform_and_the_chat_beats_the_platform_in_a_group() -> None:
    assert LANGUAGES.negotiate("ru", "de").tag == "ru"
    assert LANGUAGES.negotiate("en", "ru").tag == "en"
    assert LANGUAGES.negotiate(None, "", "ua", "ru").tag == "ru"


def test_unknown_code_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    languages = Languages(ROOT)
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            languages.negotiate("ua")
    assert [record.getMessage() for record in caplog.records] == ["language 'ua' is not spoken here"]


def test_message_that_a_catalogue_lacks_is_shown_in_english_and_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for tag in ("en", "ru"):
        folder = tmp_path / tag / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "bot.po").write_text('msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n')
    bare = Languages(tmp_path)["ru"]
    with caplog.at_level(logging.INFO):
        assert [bare.gettext("Next") for _ in range(2)] == ["Next", "Next"]
        assert bare.ngettext("{n} item", "{n} items", 1) == "1 item"
        assert bare.ngettext("{n} item", "{n} items", 5) == "5 items"
        assert bare.pgettext("button", "Open") == "Open"
    messages = [record.getMessage() for record in caplog.records]
    assert messages == [
        "the catalogue of ru lacks 'Next'",
        "the catalogue of ru lacks '{n} item'",
        "the catalogue of ru lacks 'button: Open'",
    ]


def test_the_folder_without_english_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="en"):
        Languages(tmp_path)


@pytest.mark.parametrize(
    ("environ", "spoken"),
    [
        ({}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "C"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "ru_RU"}, "ru"),
        ({"LC_MESSAGES": "ru_RU@latin", "LANG": "en_US.UTF-8"}, "ru"),
        ({"LC_ALL": "en_US.UTF-8", "LC_MESSAGES": "ru_RU.UTF-8"}, "en"),
        ({"LANGUAGE": "de:ru:en", "LANG": "en_US.UTF-8"}, "ru"),
        ({"LANGUAGE": "de:fr", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LANGUAGE": ":", "LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "zz_ZZ.UTF-8"}, "en"),
    ],
)
def test_environment_decides_the_language_of_a_terminal(environ: dict[str, str], spoken: str) -> None:
    assert LANGUAGES.of_environment(environ).tag == spoken


# --- case 74: shares and percentages


@pytest.mark.parametrize(
    "parts",
    [
        [Fraction(1, 3)] * 3,
        [Fraction(1, 6)] * 6,
        [Fraction("0.1")] * 10,
        [Fraction(1, 7)] * 7,
        [Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)],
    ],
)
def test_parts_of_a_whole_are_exactly_full_credit(parts: list[Fraction]) -> None:
    assert score(parts, 1) == 1
    assert score(parts[::-1], 1) == score(parts, 1)
    assert RU.percent(score(parts, 1)) == "100\xa0%"


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        *[(Fraction(7, 10), "70"), (Fraction(2, 3), "67"), (Fraction(1, 3), "33"), (Fraction(1, 2), "50")],
        *[(Fraction(997, 1000), "99.7"), (Fraction(99999, 100000), "99.9"), (Fraction(1), "100"), (Fraction(0), "0")],
        *[(Fraction(1, 1000), "0.1"), (Fraction(1, 10**9), "0.1"), (Fraction(1, 8), "13"), (Fraction(1, 200), "1")],
        (Fraction(995, 1000), "99.5"),
    ],
)
def test_percentage_is_rounded_half_up_and_never_claims_all_or_nothing(share: Fraction, shown: str) -> None:
    assert EN.percent(share) == f"{shown}%"
    assert RU.percent(share) == f"{shown.replace('.', ',')}\xa0%"


def test_pass_mark_is_compared_before_rounding() -> None:
    assert score([Fraction(1)] * 7, 10) >= Fraction("0.7")
    assert not score([Fraction(1)] * 2, 3) >= Fraction("0.67")


@pytest.mark.parametrize("share", [Fraction(3, 2), Fraction(-1, 100)])
def test_more_than_all_is_refused(share: Fraction) -> None:
    with pytest.raises(ValueError, match="share"):
        EN.percent(share)
    with pytest.raises(ValueError, match="add up"):
        score([Fraction(3, 2)], 1)


@given(st.fractions(0, 1, max_denominator=5000))
def test_shown_percentage_is_within_one_half_of_the_share_and_keeps_the_ends(share: Fraction) -> None:
    shown = Fraction(EN.percent(share).removesuffix("%"))
    assert abs(shown - 100 * share) <= Fraction(1, 2)
    assert (shown == 100) == (share == 1)
    assert (shown == 0) == (share == 0)


# --- numbers and dates


@pytest.mark.parametrize(
    ("n", "english", "russian"),
    [
        (1234567, "1,234,567", "1\xa0234\xa0567"),
        (Decimal("2.50"), "2.5", "2,5"),
        (Fraction(2, 3), "0.67", "0,67"),
        (Fraction(1, 200), "0.01", "0,01"),
        (-5, "−5", "−5"),
        (Fraction(-1, 4), "−0.25", "−0,25"),
        (0, "0", "0"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    n: int | Fraction | Decimal, english: str, russian: str
) -> None:
    assert EN.number(n) == english
    assert RU.number(n) == russian


def test_dates_and_times_are_written_as_the_language_writes_them() -> None:
    assert EN.day(date(2026, 11, 30)) == "November 30, 2026"
    assert RU.day(date(2026, 11, 30)) == "30 ноября 2026\u202fг."
    assert EN.clock(time(9, 5)) == RU.clock(time(9, 5)) == "09:05"
    moment = datetime(2026, 11, 30, 6, 0, tzinfo=UTC).astimezone(ZoneInfo("Europe/Moscow"))
    assert EN.moment(moment) == "Mon 30 Nov, 09:00"
    assert RU.moment(moment) == "пн 30 нояб., 09:00"


def test_languages_name_themselves_with_a_capital_letter() -> None:
    assert [LANGUAGES[tag].name for tag in LANGUAGES.tags] == ["English", "Русский"]
