"""`kontrolka check`: it looks, and changes nothing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.app import Heartbeat, now
from bot.store import Tx
from tests.data.conftest import Kontrolka
from tests.data.test_data_commands import running
from tests.program import stored
from tests.store.world import begin


def nothing(tx: Tx) -> None:
    pass


def test_a_data_file_in_use_is_in_order(kontrolka: Kontrolka, path: Path) -> None:
    stored(path, begin)
    with running(path):
        assert f"✓ data file: {path}\n" in kontrolka("check").out


def test_looking_does_not_bring_an_old_file_up_to_date(kontrolka: Kontrolka, path: Path) -> None:
    stored(path, nothing)
    with closing(sqlite3.connect(path)) as db:
        last = db.execute("SELECT name FROM _sqlite_migrations ORDER BY name DESC LIMIT 1").fetchone()
        db.execute("DELETE FROM _sqlite_migrations WHERE name = ?", last)
        db.commit()
    assert "will be brought up to date at the next start, after a backup" in kontrolka("check").out
    assert list(path.parent.glob("*before*")) == []


def test_a_damaged_file_is_told_with_a_remedy(kontrolka: Kontrolka, path: Path) -> None:
    path.write_bytes(b"no database at all " * 500)
    ran = kontrolka("check", lang="ru")
    assert ran.code == 1
    assert "✗ файл данных" in ran.out
    assert "Восстановите" in ran.out or "восстановите" in ran.out


def test_a_program_that_does_not_run_is_not_alive(kontrolka: Kontrolka) -> None:
    ran = kontrolka("check", "--alive")
    assert ran.code == 1
    assert "no sign of life for 60 seconds" in ran.err


@pytest.mark.parametrize(("age_s", "code"), [(0, 0), (50, 0), (70, 1), (3600, 1), (-3600, 1)])
def test_a_heartbeat_counts_while_it_is_younger_than_a_minute(
    kontrolka: Kontrolka, path: Path, age_s: int, code: int
) -> None:
    Heartbeat(path).beat(0)
    at = now().timestamp() - age_s
    os.utime(f"{path}.alive", (at, at))
    assert kontrolka("check", "--alive", lang="ru").code == code


def test_a_program_that_has_ended_well_is_not_alive(kontrolka: Kontrolka, path: Path) -> None:
    heartbeat = Heartbeat(path)
    heartbeat.beat(0)
    assert kontrolka("check", "--alive").code == 0
    heartbeat.end()
    assert kontrolka("check", "--alive").code == 1


def test_what_nobody_foresaw_gives_a_number_to_report_and_no_traceback(
    kontrolka: Kontrolka, path: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stored(path, nothing)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE attempts")
    ran = kontrolka("data", "export", str(tmp_path / "attempts.csv"))
    assert ran.code == 3
    assert "Traceback" not in ran.err
    (record,) = caplog.records
    assert f"Report number {record.incident} " in ran.err
    assert list(tmp_path.glob("attempts*")) == []
