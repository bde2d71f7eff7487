"""Opening a data file: what is made, what is refused, and what the person is told."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import stat
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.store import Corrupt, InUse, Store, TooNew, Tx, Unavailable, info
from tests.store.world import NOW, attempt, begin, clock, open_store, use

ROOT = Path(__file__).parents[2]


def test_a_missing_file_is_made_with_its_folders_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "kontrolka.db"
    use(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_empty_file_becomes_a_data_file(path: Path) -> None:
    path.touch()
    assert use(path, lambda tx: tx.learner_of("telegram", "A", NOW)) == [1]


def test_what_was_written_is_there_after_a_restart(path: Path) -> None:
    (session,) = use(path, begin)
    assert use(path, lambda tx: tx.session("s1")) == [session]


def test_a_second_process_is_refused_and_the_first_goes_on(path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-m", "tests.store.writer", str(path), "1", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert first.stdout is not None
    try:
        assert "open\n" in iter(first.stdout.readline, "")
        with pytest.raises(InUse, match=r"another running kontrolka uses this file: stop it first"):
            open_store(path)
    finally:
        assert first.stdin is not None
        first.stdin.close()
        out = first.stdout.read()  # what was read ahead with the first line is in its buffer
        first.stdout.close()
        first.wait()
    assert "done" in out
    use(path)


def test_a_file_of_a_killed_process_can_be_opened_at_once(path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-m", "tests.store.writer", str(path), "1", "1"], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert first.stdout is not None
    assert "open\n" in iter(first.stdout.readline, "")
    first.kill()
    first.communicate()
    use(path)


def test_a_file_of_a_newer_program_is_refused_and_left_alone(path: Path) -> None:
    use(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) "
            "VALUES ('kontrolka', 'm9999_telepathy', '2030-01-01')"
        )
        db.commit()
    before = path.read_bytes()
    with pytest.raises(TooNew, match=r"written by a newer kontrolka \(it has m9999_telepathy\): install that version"):
        open_store(path)
    assert path.read_bytes() == before
    with pytest.raises(TooNew):
        info(path)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"this is a letter to A, not a database. " * 200, "this is no data file, or it is damaged"),
        (b"SQLite format 3\x00" + b"\x00" * 4080, "this is no data file, or it is damaged"),
    ],
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes, what: str) -> None:
    path.write_bytes(content)
    with pytest.raises(Corrupt, match=what) as caught:
        open_store(path)
    assert "restore a backup" in str(caught.value)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_gets_no_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (id INTEGER PRIMARY KEY)")
    with pytest.raises(Corrupt, match="this is a data file of another program"):
        open_store(path)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


def test_damage_inside_the_file_is_told_to_whoever_meets_it(path: Path) -> None:
    use(path, answer_twice)
    with closing(sqlite3.connect(path)) as db:
        page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'attempts'").fetchone()[0]
        size = db.execute("PRAGMA page_size").fetchone()[0]
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xde\xad" * (size // 2))
    assert info_or_corrupt(path)
    with pytest.raises((Corrupt, Unavailable), match=r"damaged.*restore a backup"):
        use(path, lambda tx: tx.attempts_of("s1"))


def answer_twice(tx: Tx) -> None:
    session = begin(tx)
    tx.add_attempt(attempt(session, session.host, 0))
    tx.add_attempt(attempt(session, session.host, 1))


def info_or_corrupt(path: Path) -> bool:
    try:
        return info(path).damage is not None
    except Corrupt:
        return True


READ_ONLY = """
import os, sys
from datetime import datetime, UTC
from pathlib import Path
from bot.store import Store, Unavailable
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    Store.open(Path(sys.argv[1]), clock=lambda: datetime(2026, 11, 30, tzinfo=UTC))
except Unavailable as error:
    print(error.reason, error)
"""


@pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o444, 0o777), (0o444, 0o555), (0o000, 0o777)])
def test_a_file_that_may_not_be_written_is_refused_with_a_remedy(file_mode: int, folder_mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "kontrolka.db")
        use(path)
        Path(f"{path}.lock").unlink(missing_ok=True)  # it belongs to us, and the child is somebody else
        path.chmod(file_mode)
        path.parent.chmod(folder_mode)
        child = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(path)], capture_output=True, text=True, cwd=ROOT, check=True
        )
        path.parent.chmod(0o700)
    assert child.stdout.startswith("readonly ")
    assert "may not be written: correct the owner or the permissions" in child.stdout


def test_a_clock_that_was_set_back_is_told_at_the_start(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    use(path, answer_twice)
    with caplog.at_level(logging.WARNING):
        use(path)
        assert caplog.messages == []
        asyncio.run(Store.open(path, clock=lambda: NOW - timedelta(hours=3)).close())
    assert len(caplog.messages) == 1
    assert "the clock is 3:00:00 behind the newest attempt" in caplog.messages[0]


def test_a_store_that_could_not_be_opened_lets_the_file_go(path: Path) -> None:
    path.write_bytes(b"no database at all " * 500)
    for _ in range(2):
        with pytest.raises(Corrupt):
            Store.open(path, clock=clock)
    path.unlink()
    use(path)
