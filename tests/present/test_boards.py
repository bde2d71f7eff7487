"""Boards, streaks and links in words, in both languages, and a board as a file that runs nothing."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from bot.app import catalogues
from bot.bank import plain
from bot.present import Row, Top, accounts, board_file, link_code, streak, top
from bot.store import unguard

LANGUAGES = catalogues(None)
EN, RU = LANGUAGES["en"], LANGUAGES["ru"]
CASE = Path(__file__).parent / "cases" / "77-csv-formula.json"


def row(rank: int, name: str, score: Fraction | int = 1, *, own: bool = False, took: float = 0) -> Row:
    return Row(rank, name, Fraction(score), 3, timedelta(seconds=took), own)


def board(*rows: Row, own: Row | None = None, **more: object) -> Top:
    values: dict[str, object] = {
        "period": "week",
        "since": date(2026, 11, 30),
        "rows": rows,
        "own": own,
        "people": len(rows),
        "by_time": False,
        "least": 1,
        "hidden": False,
    }
    return Top(**{**values, **more})  # type: ignore[arg-type]


def test_a_board_reads_well_in_both_languages() -> None:
    shown = board(row(1, "A", Fraction(5, 2)), row(2, "B", own=True), row(2, "C"), own=row(2, "B", own=True))
    assert plain(top(EN, shown)).splitlines() == [
        "Weekly board from November 30, 2026",
        "1. \u2068A\u2069 — 2.5 points",
        "2. \u2068B\u2069 — 1 point",
        "2. \u2068C\u2069 — 1 point",
        "3 people are ranked.",
    ]
    assert plain(top(RU, shown)).splitlines() == [
        "Таблица за неделю, с 30 ноября 2026\u202fг.",
        "1. \u2068A\u2069 — 2,5 балла",
        "2. \u2068B\u2069 — 1 балл",
        "2. \u2068C\u2069 — 1 балл",
        "В таблице 3 человека.",
    ]


def test_the_asker_below_the_cut_stands_apart() -> None:
    own = row(17, "Б", 0, own=True)
    said = plain(top(RU, board(row(1, "A"), own=own, people=17)))
    assert "1. \u2068A\u2069 — 1 балл\n…\n17. \u2068Б\u2069 — 0 баллов" in said


def test_names_cannot_turn_a_board_around() -> None:
    said = plain(top(EN, board(row(1, "\u202eא\nB"), row(2, ""))))
    assert "1. \u2068\u202eא B\u2069 — 1 point\n2. \u2068—\u2069 — 1 point" in said


def test_a_tie_too_long_to_be_shown_is_counted() -> None:
    said = plain(top(EN, board(*(row(1, f"P{i}") for i in range(33)))))
    assert "and 3 more with the same result" in said


@pytest.mark.parametrize("tag", ["en", "ru"])
def test_what_a_board_goes_by_is_said(tag: str) -> None:
    t = LANGUAGES[tag]
    bare = plain(top(t, board(row(1, "A"))))
    for more in (
        {"least": 5},
        {"by_time": True},
        {"hidden": True},
        {"unranked": "B"},
        {"since": None, "period": "all"},
    ):
        assert plain(top(t, board(row(1, "A"), **more))) != bare
    assert ", 1:01:05" in plain(top(t, board(row(1, "A", took=3665), by_time=True)))
    assert "{" not in plain(top(t, board(least=5, people=0)))


@pytest.mark.parametrize(("tag", "point", "delimiter"), [("en", ".", ","), ("ru", ",", ";")])
def test_case_77_a_file_has_no_formulas_and_true_numbers(tag: str, point: str, delimiter: str) -> None:
    names = [entry["name"] for entry in json.loads(CASE.read_text())["rows"]]
    assert len(names) == 7
    found = board_file(LANGUAGES[tag], [row(i + 1, name, Fraction(5, 2)) for i, name in enumerate(names)])
    assert found.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in found
    lines = list(csv.reader(io.StringIO(found.decode("utf-8-sig"), newline=""), delimiter=delimiter))
    assert lines[0] == ["rank", "name", "points", "points_exact", "answers", "seconds"]
    assert [unguard(line[1]) for line in lines[1:]] == names
    assert not [line[1] for line in lines[1:] if line[1].lstrip()[:1] in tuple("=+-@＝")]
    assert {(line[2], line[3], line[4]) for line in lines[1:]} == {(f"2{point}5", "5/2", "3")}


def test_a_streak_reads_well_in_both_languages() -> None:
    first = {"days": 5, "best": 9, "today": False, "frozen": None, "city": "Berlin"}
    assert plain(streak(EN, **first)).splitlines() == [  # type: ignore[arg-type]
        "5 days in a row.",
        "Today’s answer is still missing.",
        "Your longest row: 9 days.",
        "One missed day a week does not break the streak.",
        "Days are counted in Berlin time.",
    ]
    second = streak(RU, days=21, best=21, today=True, frozen=date(2026, 12, 1), city="")
    assert plain(second).splitlines() == [
        "21 день подряд.",
        "Один пропуск в неделю прощается; на этой неделе это 1 декабря 2026\u202fг.",
        "Дни считаются по UTC.",
    ]
    assert plain(streak(RU, days=0, best=0, today=False, frozen=None, city="")).startswith("Сейчас серии нет.")


def test_a_code_and_linked_accounts_are_explained() -> None:
    said = plain(link_code(RU, "ABCD-2345", 10))
    assert said.startswith("Ваш код: ABCD-2345\n")
    assert "10 минут" in said
    assert plain(accounts(EN, "Telegram", ["Discord"])).startswith("Linked with Telegram: Discord.")
    assert "/link" in plain(accounts(EN, "Telegram", []))
