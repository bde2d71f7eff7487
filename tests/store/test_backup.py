from __future__ import annotations

import asyncio
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import Corrupt, InUse, Store, TooNew, Tx, Unavailable, backup, info, overdue, restore
from bot.store.migrations import names
from tests.store.snapshot import SCHEMAS, dump, fill
from tests.store.world import NOW, answer, begin, later, new_session, open_store, use

ROOT = Path(__file__).parents[2]


def test_a_backup_has_everything_in_one_file(path: Path, tmp_path: Path) -> None:
    use(path, fill)
    target = tmp_path / "backup.db"
    backup(path, target)
    assert dump(target) == dump(path)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert {file.name for file in tmp_path.iterdir()} == {"kontrolka.db", "kontrolka.db.lock", "backup.db"}


def test_a_backup_made_under_load_is_one_state_and_can_be_played_on(path: Path, tmp_path: Path) -> None:
    callers, answers = 16, 60
    items = tuple(f"item-{position}" for position in range(answers + 1))
    targets = [tmp_path / f"backup-{number}.db" for number in range(8)]

    def start(tx: Tx) -> None:
        learner, place = tx.learner_of("telegram", "A", NOW), tx.place_of("telegram", "A", at=NOW)
        for number in range(callers):
            tx.add_session(new_session(f"s{number}", place.id, learner, slot=f"solo:{number}", items=items), NOW)

    async def play(store: Store, number: int) -> None:
        for _ in range(answers):
            await store.run(lambda tx: answer(tx, f"s{number}", 1))

    async def back_up() -> None:
        for target in targets:
            await asyncio.to_thread(backup, path, target)

    async def main() -> None:
        async with open_store(path) as store:
            await store.run(start)
            await asyncio.gather(back_up(), *[play(store, number) for number in range(callers)])

    asyncio.run(main())
    for target in targets:
        with closing(sqlite3.connect(target)) as db:
            stands = dict(db.execute("SELECT id, position FROM sessions"))
            made = dict(db.execute("SELECT session, count(*) FROM attempts GROUP BY session"))
        assert len(stands) == callers
        assert {name: made.get(name, 0) for name in stands} == stands
    use(targets[0], lambda tx: answer(tx, "s0", 1))


def test_a_backup_does_not_overwrite_a_file(path: Path, tmp_path: Path) -> None:
    use(path, begin)
    target = tmp_path / "backup.db"
    target.write_text("something of value")
    with pytest.raises(FileExistsError, match="the file is there already: name another one"):
        backup(path, target)
    assert target.read_text() == "something of value"


def test_what_is_not_there_cannot_be_backed_up_or_restored(path: Path, tmp_path: Path) -> None:
    for action in (backup, restore):
        with pytest.raises(FileNotFoundError, match="there is no such data file: look at KONTROLKA_DATA"):
            action(path, tmp_path / "other.db")
    assert list(tmp_path.iterdir()) == []


def test_a_restored_file_is_as_the_backup_and_the_replaced_one_is_kept(path: Path, tmp_path: Path) -> None:
    saved = tmp_path / "backup.db"
    use(path, fill)
    backup(path, saved)
    use(path, lambda tx: answer(tx, "solo", 1))
    replaced = dump(path)

    found = restore(saved, path)

    assert dump(path) == dump(saved)
    assert dump(path.with_name("kontrolka.before-restore.db")) == replaced
    assert (found.path, found.pending_posts, found.uncertain_posts, found.waiting_updates) == (path, 1, 2, 1)
    assert found.next_due is not None
    use(path, lambda tx: answer(tx, "solo", 1))


def test_the_log_of_the_replaced_file_is_not_applied_to_the_restored_one(path: Path, tmp_path: Path) -> None:
    saved = tmp_path / "backup.db"
    use(path, fill)
    backup(path, saved)
    with closing(sqlite3.connect(path)) as other:  # a second program keeps the log from being cleared away
        other.execute("UPDATE learners SET locale = 'xx'")
        other.commit()
        assert path.with_name(f"{path.name}-wal").stat().st_size > 0
        restore(saved, path)
        assert dump(path) == dump(saved)
    with closing(sqlite3.connect(tmp_path / "kontrolka.before-restore.db")) as db:
        assert ("xx",) in db.execute("SELECT locale FROM learners").fetchall()


def killed(path: Path, answers: int) -> None:
    """A program that was killed when it had kept some answers: they are in the log beside the file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.store.writer", str(path), "1", str(answers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert "done\n" in iter(process.stdout.readline, "")
    process.kill()
    process.communicate()
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


@pytest.mark.parametrize("left", ["nothing", "an empty file"])
def test_the_log_of_a_killed_program_whose_file_was_moved_away_is_not_applied_to_the_restored_file(
    path: Path, tmp_path: Path, left: str
) -> None:
    saved = tmp_path / "backup.db"
    use(path, fill)
    backup(path, saved)
    killed(path, 40)
    path.rename(tmp_path / "damaged.db")
    if left == "an empty file":
        path.touch()

    restore(saved, path)

    assert dump(path) == dump(saved)
    use(path, lambda tx: answer(tx, "solo", 1))


def test_a_log_that_lies_where_the_replaced_file_is_kept_is_not_applied_to_it(path: Path, tmp_path: Path) -> None:
    saved, kept = tmp_path / "backup.db", path.with_name("kontrolka.before-restore.db")
    use(path, fill)
    backup(path, saved)
    use(path, lambda tx: answer(tx, "solo", 1))
    replaced = dump(path)
    killed(kept, 40)
    kept.unlink()
    restore(saved, path)
    assert dump(kept) == replaced


def test_a_log_that_lies_where_a_backup_is_made_is_not_applied_to_it(path: Path, tmp_path: Path) -> None:
    use(path, fill)
    other = tmp_path / "other.db"
    killed(other, 40)
    other.unlink()
    backup(path, other)
    assert dump(other) == dump(path)


def test_what_is_no_sound_backup_leaves_the_log_of_the_file_where_it_is(path: Path, tmp_path: Path) -> None:
    killed(path, 40)
    noise = tmp_path / "noise.db"
    noise.write_bytes(b"nothing but noise " * 1000)
    with pytest.raises(Corrupt):
        restore(noise, path)
    assert use(path, lambda tx: len(tx.attempts_of("s0"))) == [40]


def test_a_folder_is_not_put_aside_for_a_backup(path: Path, tmp_path: Path) -> None:
    use(path, fill)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "mine").touch()
    with pytest.raises(Unavailable):
        restore(path, folder)
    assert [file.name for file in folder.iterdir()] == ["mine"]


def test_a_restore_that_fails_half_way_leaves_no_copies_behind(path: Path, tmp_path: Path) -> None:
    saved = tmp_path / "backup.db"
    use(path, fill)
    backup(path, saved)
    path.with_name("kontrolka.before-restore.db").mkdir()
    with pytest.raises(Unavailable) as caught:
        restore(saved, path)
    assert caught.value.path == path
    assert not [*tmp_path.glob("*.part"), *tmp_path.glob("*.restored")]
    assert dump(path) == dump(saved)


def test_a_backup_can_be_restored_where_no_file_is(path: Path, tmp_path: Path) -> None:
    saved, target = tmp_path / "backup.db", tmp_path / "elsewhere" / "kontrolka.db"
    use(path, fill)
    backup(path, saved)
    restore(saved, target)
    assert dump(target) == dump(saved)
    assert list(target.parent.glob("*before*")) == []


def test_a_damaged_file_can_be_replaced_by_a_backup_and_is_kept_as_it_is(path: Path, tmp_path: Path) -> None:
    saved = tmp_path / "backup.db"
    use(path, fill)
    backup(path, saved)
    path.write_bytes(b"nothing but noise " * 1000)
    restore(saved, path)
    assert dump(path) == dump(saved)
    assert path.with_name("kontrolka.before-restore.db").read_bytes() == b"nothing but noise " * 1000


async def test_a_running_program_is_not_restored_under_its_feet(path: Path, tmp_path: Path) -> None:
    saved = tmp_path / "backup.db"
    async with open_store(path) as store:
        session = await store.run(begin)
        await asyncio.to_thread(backup, path, saved)
        await store.run(lambda tx: answer(tx, "s1", session.host))
        with pytest.raises(InUse, match="stop it first"):
            restore(saved, path)
        assert len(await store.run(lambda tx: tx.attempts_of("s1"))) == 1


def test_what_is_no_sound_backup_is_not_restored(path: Path, tmp_path: Path) -> None:
    use(path, fill)
    before = dump(path)
    noise, empty, newer = tmp_path / "noise.db", tmp_path / "empty.db", tmp_path / "newer.db"
    noise.write_bytes(b"nothing but noise " * 1000)
    empty.touch()
    backup(path, newer)
    with closing(sqlite3.connect(newer)) as db:
        db.execute("INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('kontrolka', 'm9999_telepathy')")
        db.commit()
    for source, error in ((noise, Corrupt), (empty, Corrupt), (newer, TooNew)):
        with pytest.raises(error):
            restore(source, path)
    assert dump(path) == before


@pytest.mark.parametrize("number", range(1, len(names()) + 1))
def test_a_backup_of_any_version_can_be_looked_at_and_restored(path: Path, tmp_path: Path, number: int) -> None:
    old = tmp_path / "old.db"
    with closing(sqlite3.connect(old)) as db:
        db.executescript((SCHEMAS / f"v{number}.sql").read_text(encoding="utf-8"))
    found = info(old)
    assert (found.version, found.known_version, found.damage) == (number, len(names()), None)
    assert found.rows["attempts"] == (7 if number < 5 else 9)
    assert overdue(old, NOW) == 0
    restore(old, path)
    use(path, lambda tx: answer(tx, "solo", 1))


def test_the_figures_of_a_file_are_counted(path: Path) -> None:
    use(path, fill)
    found = info(path)
    assert (found.open_sessions, found.quarantined_updates) == (2, 1)
    assert found.rows["learners"] == 3
    assert found.rows["posts"] == 5
    assert found.bytes == path.stat().st_size
    assert found.next_due is not None


def test_what_was_due_before_a_moment_is_counted(path: Path) -> None:
    use(path, lambda tx: [tx.due.schedule("expire", f"s{minute}", later(minutes=minute)) for minute in (1, 2, 3)])
    assert [overdue(path, later(minutes=minute)) for minute in (1, 3, 9)] == [0, 2, 3]


async def test_the_figures_of_a_file_in_use_include_what_is_still_in_its_log(path: Path) -> None:
    async with open_store(path) as store:
        await store.run(fill)
        found = await asyncio.to_thread(info, path)
    assert found.rows["attempts"] == 9
    assert found.log_bytes > 0


def test_a_new_file_has_nothing_in_it(path: Path) -> None:
    use(path)
    found = info(path)
    assert set(found.rows.values()) == {0}
    assert found.next_due is None
