"""`kontrolka data` as an operator meets it, in both languages."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from bot.quiz import Response
from bot.store import Tx, Update, unguard
from tests.data.conftest import Kontrolka
from tests.program import ROOT, stored
from tests.store.test_backup import killed
from tests.store.world import NOW, attempt, begin

LONG_AGO = NOW - timedelta(days=700)


def two_people(tx: Tx) -> None:
    """A has two answers in an open quiz, Б one."""
    a, b = begin(tx, "s1", "A"), begin(tx, "s2", "Б")
    tx.add_attempt(attempt(a, a.host, 0))
    tx.add_attempt(attempt(a, a.host, 1, grade=Fraction(1, 3)))
    tx.add_attempt(attempt(b, b.host, 0, grade=0))


def answered(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM attempts").fetchone()[0])


@contextmanager
def running(path: Path) -> Iterator[None]:
    """A running program that has the data file open."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.store.writer", str(path), "0", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert "open\n" in iter(process.stdout.readline, "")
    try:
        yield
    finally:
        process.communicate("")


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(
    "arguments", [("backup",), ("export", "a.csv"), ("forget", "telegram", "A"), ("info",), ("restore", "no.db")]
)
def test_without_a_data_file_it_is_said_and_none_is_made(
    kontrolka: Kontrolka, path: Path, lang: str, arguments: tuple[str, ...]
) -> None:
    ran = kontrolka("data", *arguments, lang=lang)
    assert (ran.code, ran.out) == (1, "")
    assert {"en": "There is no", "ru": "нет"}[lang] in ran.err
    assert not path.exists()


def test_a_backup_of_a_file_in_use_is_a_whole_data_file(kontrolka: Kontrolka, path: Path, tmp_path: Path) -> None:
    stored(path, two_people)
    copy = tmp_path / "copy.db"
    with running(path):
        ran = kontrolka("data", "backup", str(copy))
    assert (ran.code, ran.err) == (0, "")
    assert f"The backup is in {copy}" in ran.out
    assert answered(copy) == 3
    assert copy.stat().st_mode & 0o077 == 0


def test_a_backup_without_a_name_lies_beside_the_data_file(kontrolka: Kontrolka, path: Path) -> None:
    stored(path, two_people)
    assert kontrolka("data", "backup", lang="ru").out.startswith("Резервная копия: ")
    (copy,) = path.parent.glob("kontrolka.2*Z.db")
    assert answered(copy) == 3


@pytest.mark.parametrize("command", ["backup", "export"])
def test_nothing_is_overwritten(kontrolka: Kontrolka, path: Path, tmp_path: Path, command: str) -> None:
    stored(path, two_people)
    target = tmp_path / "mine.csv"
    target.write_text("mine")
    ran = kontrolka("data", command, str(target))
    assert ran.code == 1
    assert "is there already" in ran.err
    assert target.read_text() == "mine"


@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_place_that_cannot_be_written_is_named_with_a_remedy(
    kontrolka: Kontrolka, path: Path, tmp_path: Path, command: str
) -> None:
    stored(path, two_people)
    ran = kontrolka("data", command, str(tmp_path / "no" / "such" / "folder.csv"))
    assert ran.code == 1
    assert "could not be written. Check that its folder exists" in ran.err


def test_restoring_brings_back_what_was_and_keeps_what_is_replaced(
    kontrolka: Kontrolka, path: Path, tmp_path: Path
) -> None:
    stored(path, two_people)
    copy = tmp_path / "copy.db"
    kontrolka("data", "backup", str(copy))
    stored(path, lambda tx: begin(tx, "s3", "C"))
    ran = kontrolka("data", "restore", str(copy))
    assert ran.code == 0
    assert stored(path, lambda tx: tx.known_learner("telegram", "C")) is None
    kept = path.with_name("kontrolka.before-restore.db")
    assert f"The replaced file is kept as {kept}" in ran.out
    assert stored(kept, lambda tx: tx.known_learner("telegram", "C")) is not None


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_restoring_says_what_will_happen_again(kontrolka: Kontrolka, path: Path, tmp_path: Path, lang: str) -> None:
    def leave_work(tx: Tx) -> None:
        session = begin(tx)
        for position in range(3):
            tx.posts.demand(session.place, "question", NOW, session=session.id, position=position)
        tx.posts.sending(1)
        tx.due.schedule("expire", session.id, LONG_AGO)
        tx.due.schedule("daily", "place:1", LONG_AGO)
        tx.due.schedule("daily", "place:2", NOW + timedelta(days=36500))
        tx.inbox.put([Update("telegram", number, "A", "{}", NOW) for number in range(5)])

    stored(path, leave_work)
    copy = tmp_path / "copy.db"
    kontrolka("data", "backup", str(copy))
    out = kontrolka("data", "restore", str(copy), lang=lang).out
    wanted = {
        "en": ("2 messages wait in it to be sent", "Of 1 message nobody", "5 messages from people", "2 deadlines"),
        "ru": ("ждут отправки 2 сообщения", "ли 1 сообщение", "ждут ответа 5 сообщений", "Срок 2 событий"),
    }
    for words in wanted[lang]:
        assert words in out


def test_restoring_under_a_running_program_is_refused(kontrolka: Kontrolka, path: Path, tmp_path: Path) -> None:
    stored(path, two_people)
    copy = tmp_path / "copy.db"
    kontrolka("data", "backup", str(copy))
    stored(path, lambda tx: begin(tx, "s3", "C"))
    with running(path):
        ran = kontrolka("data", "restore", str(copy))
    assert ran.code == 2
    assert "is in use by another Kontrolka. Stop that one first" in ran.err
    assert stored(path, lambda tx: tx.known_learner("telegram", "C")) is not None


@pytest.mark.parametrize("content", [b"", b"this is a letter, not a backup. " * 400])
def test_what_is_no_backup_is_refused_and_changes_nothing(
    kontrolka: Kontrolka, path: Path, tmp_path: Path, content: bytes
) -> None:
    stored(path, two_people)
    letter = tmp_path / "letter.db"
    letter.write_bytes(content)
    ran = kontrolka("data", "restore", str(letter))
    assert ran.code == 1
    assert "is not a usable backup" in ran.err
    assert answered(path) == 3


@pytest.mark.parametrize(("lang", "words"), [("en", "cannot be read"), ("ru", "не удаётся прочитать")])
def test_a_backup_that_cannot_be_read_is_named_and_the_data_file_is_not_blamed(
    kontrolka: Kontrolka, path: Path, tmp_path: Path, lang: str, words: str
) -> None:
    stored(path, two_people)
    unreadable = tmp_path / ("x" * 300)  # permissions do not stop whoever runs the tests as root
    ran = kontrolka("data", "restore", str(unreadable), lang=lang)
    assert ran.code == 1
    assert words in ran.err
    assert str(unreadable) in ran.err
    assert str(path) not in ran.err


def test_restoring_after_a_crash_and_moving_the_damaged_file_away_as_advised_gives_the_backup(
    kontrolka: Kontrolka, path: Path, tmp_path: Path
) -> None:
    stored(path, two_people)
    copy = tmp_path / "copy.db"
    kontrolka("data", "backup", str(copy))
    killed(path, 40)
    path.rename(tmp_path / "damaged.db")
    ran = kontrolka("data", "restore", str(copy))
    assert (ran.code, ran.err) == (0, "")
    assert answered(path) == 3
    assert kontrolka("check").out.count(f"✓ data file: {path}\n") == 1


def test_a_data_file_that_cannot_be_kept_aside_is_not_told_as_an_unusable_backup(
    kontrolka: Kontrolka, path: Path, tmp_path: Path
) -> None:
    stored(path, two_people)
    copy, folder = tmp_path / "copy.db", tmp_path / "kontrolka.before-restore.db"
    kontrolka("data", "backup", str(copy))
    folder.mkdir()  # so the present file cannot be kept
    ran = kontrolka("data", "restore", str(copy))
    assert (ran.code, ran.out) == (2, "")
    assert f"The data file {path} " in ran.err
    assert "usable backup" not in ran.err
    assert answered(path) == 3


def test_the_data_file_cannot_be_restored_from_itself(kontrolka: Kontrolka, path: Path) -> None:
    stored(path, two_people)
    for source in (path, path.with_name("kontrolka.before-restore.db")):
        source.touch()
        ran = kontrolka("data", "restore", str(source))
        assert ran.code == 1
        assert "would be overwritten while it is read" in ran.err
    assert answered(path) == 3


def test_a_damaged_data_file_can_be_replaced_by_a_backup(kontrolka: Kontrolka, path: Path, tmp_path: Path) -> None:
    stored(path, two_people)
    copy = tmp_path / "copy.db"
    kontrolka("data", "backup", str(copy))
    path.write_bytes(b"\xde\xad" * 40000)
    assert kontrolka("data", "info").code == 2
    assert kontrolka("data", "restore", str(copy)).code == 0
    assert kontrolka("data", "info").code == 0
    assert answered(path) == 3


WORDS = ("=1+1", "-5", "@имя", "\t=2+2", "\r=3", "＝4", "'=5", "Б; В", "строка 1\nстрока 2", '"кавычки"')


@pytest.fixture
def with_words(path: Path) -> Path:
    """A file in which somebody typed what a spreadsheet takes for formulas: case 77."""

    def answer(tx: Tx) -> None:
        session = begin(tx)
        for revision, text in enumerate(WORDS):
            given = attempt(
                session, session.host, grade=Fraction(1, 2), revision=revision, response=Response(text=text)
            )
            tx.add_attempt(given)

    stored(path, answer)
    return path


@pytest.mark.parametrize(("lang", "delimiter", "half"), [("en", ",", "0.5"), ("ru", ";", "0,5")])
def test_csv_is_for_the_spreadsheet_of_its_language_and_holds_no_formula(
    kontrolka: Kontrolka, with_words: Path, tmp_path: Path, lang: str, delimiter: str, half: str
) -> None:
    target = tmp_path / "attempts.csv"
    assert kontrolka("data", "export", str(target), lang=lang).code == 0
    data = target.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\r\n") == len(WORDS) + 1
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))
    assert len(rows) == len(WORDS)
    assert {row["grade"] for row in rows} == {half}
    assert [row["counts"] for row in rows] == ["0"] * (len(WORDS) - 1) + ["1"]
    for row in rows:
        for cell in row.values():
            assert not cell.lstrip("\t\r\n ").startswith(("=", "+", "-", "@", "＝"))
    assert tuple(unguard(row["text"]) for row in rows) == WORDS
    assert target.stat().st_mode & 0o077 == 0


def test_json_has_every_text_as_it_was_typed_and_grades_exactly(
    kontrolka: Kontrolka, with_words: Path, tmp_path: Path
) -> None:
    target = tmp_path / "attempts.json"
    assert kontrolka("data", "export", str(target)).code == 0
    rows = json.loads(target.read_text(encoding="utf-8"))
    assert tuple(row["text"] for row in rows) == WORDS
    assert {row["grade_exact"] for row in rows} == {"1/2"}


def test_an_export_of_another_kind_is_refused(kontrolka: Kontrolka, with_words: Path, tmp_path: Path) -> None:
    ran = kontrolka("data", "export", str(tmp_path / "attempts.xlsx"))
    assert ran.code == 1
    assert "must end in .csv or .json" in ran.err


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_forgetting_removes_one_person_and_says_what_and_where_copies_are(
    kontrolka: Kontrolka, path: Path, lang: str
) -> None:
    stored(path, two_people)
    kontrolka("data", "backup")
    ran = kontrolka("data", "forget", "telegram", "A", lang=lang)
    assert ran.code == 0
    assert {"en": "attempts: 2 rows", "ru": "attempts: 2 строки"}[lang] in ran.out
    assert {"en": "Backups still contain what was removed", "ru": "В резервных копиях"}[lang] in ran.out
    (copy,) = path.parent.glob("kontrolka.2*Z.db")
    assert str(copy) in ran.out
    assert stored(path, lambda tx: (tx.known_learner("telegram", "A"), tx.known_learner("telegram", "Б"))) == (None, 2)
    assert answered(path) == 1


def test_forgetting_somebody_unknown_changes_nothing(kontrolka: Kontrolka, path: Path) -> None:
    stored(path, two_people)
    ran = kontrolka("data", "forget", "telegram", "C")
    assert ran.code == 1
    assert "Nobody is known as C on telegram" in ran.err
    assert answered(path) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("telegram",), "ACCOUNT is missing: the person's number on telegram."),
        (("slack", "1"), "PLATFORM must be one of: telegram, discord, terminal."),
        (("terminal", "1"), "The terminal has one person, without a number: leave 1 out."),
    ],
)
def test_forgetting_nobody_in_particular_is_told_for_what_it_is(
    kontrolka: Kontrolka, path: Path, arguments: tuple[str, ...], words: str
) -> None:
    stored(path, two_people)
    ran = kontrolka("data", "forget", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == words
    assert answered(path) == 3


def test_forgetting_the_one_at_the_terminal_who_never_played(kontrolka: Kontrolka, path: Path) -> None:
    stored(path, two_people)
    ran = kontrolka("data", "forget", "terminal")
    assert (ran.code, ran.err) == (1, "Nobody has played in the terminal with this data file.\n")


@pytest.mark.parametrize(("lang", "words"), [("en", "Open quizzes: 2"), ("ru", "Незаконченных тестов: 2")])
def test_info_of_a_file_in_use_gives_its_figures(kontrolka: Kontrolka, path: Path, lang: str, words: str) -> None:
    stored(path, two_people)
    with running(path):
        ran = kontrolka("data", "info", lang=lang)
    assert (ran.code, ran.err) == (0, "")
    assert words in ran.out
    assert "  attempts: 3" in ran.out
