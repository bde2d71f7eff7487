"""A data file of any released version becomes one of the present version and loses nothing."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.store import Tx, info
from bot.store.migrations import names
from tests.store.snapshot import SCHEMAS, dump, fill
from tests.store.world import answer, use

VERSIONS = sorted(int(path.stem[1:]) for path in SCHEMAS.glob("v*.sql"))
OLDER = [number for number in VERSIONS if number < len(names())]


def restored(path: Path, number: int) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.executescript((SCHEMAS / f"v{number}.sql").read_text(encoding="utf-8"))
    return path


def rows(path: Path, table: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(f"SELECT * FROM {table}")]


def schema(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as db:
        found = db.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE '%sqlite%'"
        ).fetchall()
    return {" ".join(re.sub(r"--.*", "", sql).split()) for (sql,) in found}


def test_every_version_has_its_snapshot() -> None:
    assert list(range(1, len(names()) + 1)) == VERSIONS


@pytest.mark.parametrize("number", VERSIONS)
def test_a_file_of_any_version_keeps_every_row(path: Path, number: int) -> None:
    restored(path, number)
    with closing(sqlite3.connect(path)) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    before = {table: rows(path, table) for table in tables if not table.startswith("_")}
    assert len(before["attempts"]) == (7 if number < 5 else 9)
    use(path)
    for table, kept in before.items():
        found = [{column: row[column] for column in old} for old, row in zip(kept, rows(path, table), strict=True)]
        assert sorted(found, key=repr) == sorted(kept, key=repr), table
    assert info(path).version == len(names())
    assert info(path).damage is None


@pytest.mark.parametrize("number", VERSIONS)
def test_a_file_of_any_version_can_be_played_on(path: Path, number: int) -> None:
    restored(path, number)

    def go_on(tx: Tx) -> tuple[int, list[str], int]:
        learner = tx.learner_of("telegram", "А", tx.attempts_of("solo")[0].at)
        before = tx.progress_of(learner).mistakes
        return learner, before, answer(tx, "solo", learner)

    assert use(path, go_on) == [(1, ["shards-of-seven-billion", "optimizer-state-missing"], 3)]


@pytest.mark.parametrize("number", VERSIONS)
def test_a_migrated_file_has_the_schema_of_a_new_one(tmp_path: Path, number: int) -> None:
    migrated, fresh = restored(tmp_path / "old.db", number), tmp_path / "new.db"
    use(migrated)
    use(fresh)
    assert schema(migrated) == schema(fresh)


ENDED = {
    # name: policy, position of 3, ends at, dropped, answered; what is said of it
    "all answered": ("host", 2, None, "[]", (0, 1, 2), "finished"),
    "all answered in time": ("host", 2, 9, "[]", (0, 1, 2), "finished"),
    "the last one withdrawn": ("host", 1, None, "[2]", (0, 1), "finished"),
    "stopped": ("host", 1, None, "[]", (0,), "stopped"),
    "stopped at the last": ("host", 2, None, "[]", (0, 1), "stopped"),
    "out of time": ("host", 2, 9, "[]", (0,), "time_up"),
    "group": ("everyone", 2, None, "[]", (), "finished"),
    "group, stopped": ("everyone", 1, None, "[]", (0,), "stopped"),
}


def test_sessions_of_older_versions_are_told_how_they_ended(path: Path) -> None:
    restored(path, 6)
    plan = '[["item-1","a","b"],["item-2","a","b"],["item-3","a","b"]]'
    with closing(sqlite3.connect(path)) as db, db:
        for name, (answerers, position, ends_at, dropped, answered, _) in ENDED.items():
            db.execute(
                "INSERT INTO sessions (id, place, slot, host, quiz, created_at, open, position, phase, ends_at, "
                "dropped, policy, locales, plan) VALUES (?, 1, 'x', 1, '', 0, 0, ?, 'closed', ?, ?, ?, '[]', ?)",
                (name, position, ends_at, dropped, f'{{"answerers": "{answerers}"}}', plan),
            )
            db.executemany(
                "INSERT INTO attempts (session, position, item, learner, revision, response, grade_n, grade_d, at, "
                "on_date) VALUES (?, ?, '', 1, 0, '{}', 1, 1, 0, '2026-11-30')",
                [(name, at) for at in answered],
            )
    use(path)
    found = {row["id"]: row["ending"] for row in rows(path, "sessions")}
    assert {name: found[name] for name in ENDED} == {name: kind for name, (*_, kind) in ENDED.items()}
    assert (found["solo"], found["many"]) == (None, None)


def test_an_open_question_of_a_deleted_daily_is_in_nobodys_way(path: Path) -> None:
    restored(path, 6)
    slot = "daily:1:2026-12-01"
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM runs")
        db.execute("UPDATE sessions SET slot = ? WHERE id = 'many'", (slot,))
        db.commit()

    def look(tx: Tx) -> tuple[bool, bool]:
        session = tx.session("many")
        assert session is not None
        return session.closed, tx.open_session(session.place, slot) is None

    assert use(path, look) == [(False, True)]


def test_the_newest_snapshot_is_what_the_program_writes(tmp_path: Path) -> None:
    fresh = tmp_path / "new.db"
    use(fresh, fill)
    assert dump(fresh) == (SCHEMAS / f"v{len(names())}.sql").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", OLDER)
def test_before_a_file_is_changed_it_is_copied(path: Path, number: int) -> None:
    restored(path, number)
    before = dump(path)
    use(path)
    copy = path.with_name(f"kontrolka.before-{number + 1}.db")
    assert info(copy).version == number
    assert dump(copy) == before


def test_a_new_file_and_one_that_is_up_to_date_are_not_copied(path: Path) -> None:
    use(path)
    use(path)
    assert list(path.parent.glob("*before*")) == []
