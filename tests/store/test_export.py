from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.quiz import Response, exam
from bot.store import Tx, export, guard, guarded, unguard
from tests.store.snapshot import fill
from tests.store.world import ITEMS, NOW, attempt, begin, later, use


def play(tx: Tx) -> None:
    session = begin(tx, policy=exam())
    a, b = session.host, tx.learner_of("discord", "=B", NOW)
    tx.add_attempt(attempt(session, a, response=Response(text="-5"), grade=0))
    tx.add_attempt(attempt(session, a, revision=1, grade=Fraction(1, 3), response=Response(("b", "a"))))
    tx.add_attempt(attempt(session, b, 1, response=Response(), grade=0, at=later(days=1)))
    tx.add_void(ITEMS[1], NOW)


def test_every_attempt_is_a_row_with_what_belongs_to_it(path: Path) -> None:
    use(path, play)
    rows = list(export(path))
    assert rows[1] == {
        "attempt": 2,
        "at": "2026-11-30T09:00:00.123456+00:00",
        "date": "2026-11-30",
        "learner": 1,
        "accounts": "telegram:A",
        "platform": "telegram",
        "chat": "A",
        "thread": "",
        "session": "s1",
        "quiz": "seed",
        "position": 0,
        "item": ITEMS[0],
        "chosen": "b a",
        "text": "",
        "skipped": False,
        "grade": 1 / 3,
        "grade_exact": "1/3",
        "revision": 1,
        "counts": True,
    }
    assert [(row["text"], row["skipped"], row["counts"]) for row in rows] == [
        ("-5", False, False),
        ("", False, True),
        ("", True, False),
    ]
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert json.loads(json.dumps(rows)) == rows


def test_an_export_of_everything_has_as_many_rows_as_attempts(path: Path) -> None:
    use(path, fill)
    assert len(list(export(path))) == 9


def test_a_file_without_attempts_and_one_that_is_empty_give_no_rows(path: Path, tmp_path: Path) -> None:
    use(path)
    empty = tmp_path / "empty.db"
    empty.touch()
    assert list(export(path)) == list(export(empty)) == []
    with pytest.raises(FileNotFoundError):
        list(export(tmp_path / "nowhere.db"))


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+79001234567", "'+79001234567"),
        ("-5", "'-5"),
        ("@имя", "'@имя"),
        ("\t=2+2", "'\t=2+2"),
        ("\r=3", "'\r=3"),
        ("= 2 + 3", "'= 2 + 3"),
        ("\u00a0 \u200b\x00=1", "'\u00a0 \u200b\x00=1"),
        ("＝4", "'＝4"),
        ("＋4", "'＋4"),
        ("－4", "'－4"),
        ("＠4", "'＠4"),
        ("'=5", "''=5"),
        ("−3", "−3"),
        ("Иван; Пётр", "Иван; Пётр"),
        ("строка 1\nстрока 2", "строка 1\nстрока 2"),
        ('"кавычки"', '"кавычки"'),
        ("'a'", "'a'"),
        ("5 - 3", "5 - 3"),
        ("", ""),
    ],
)
def test_text_that_a_spreadsheet_would_take_for_a_formula_gets_an_apostrophe(text: str, cell: str) -> None:
    assert guard(text) == cell
    assert unguard(cell) == text


@given(st.text(st.sampled_from(" '\t\r\n=+-@＝abя1\u200b")) | st.text())
def test_every_guarded_text_gives_the_original_back(text: str) -> None:
    assert unguard(guard(text)) == text
    assert unguard(text) in (text, text[1:])


def test_numbers_and_truth_values_are_not_touched_by_the_guard(path: Path) -> None:
    assert guarded({"score": -0.5, "count": -3, "name": "-5", "counts": False, "none": None}) == {
        "score": -0.5,
        "count": -3,
        "name": "'-5",
        "counts": False,
        "none": None,
    }


def test_a_table_made_of_guarded_rows_gives_the_original_words_back(path: Path) -> None:
    use(path, play)
    rows = list(export(path))
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(map(guarded, rows))
    assert ",'-5," in file.getvalue()
    read = list(csv.DictReader(io.StringIO(file.getvalue())))
    assert [unguard(row["text"]) for row in read] == [row["text"] for row in rows]
    assert [float(row["grade"]) for row in read] == [row["grade"] for row in rows]
