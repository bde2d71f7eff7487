"""Backups: copies of a data file that may be in use, made by SQLite's backup API."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sqlite_utils import Database

from bot.store.connection import Corrupt, Unavailable, connect, opening
from bot.store.info import Info, info
from bot.store.lock import disk, make_room, own, there


def backup(source: Path, target: Path) -> None:
    """Copy a data file, of which another process may be writing right now.

    Args:
        source: The data file.
        target: A new file; it appears when the copy is complete, checked and on disk.

    Raises:
        FileNotFoundError: There is no `source`.
        FileExistsError: There is a `target` already.
        Corrupt: `source` is damaged.
        Unavailable: The disk is full, or one of the files cannot be opened.
    """
    if not there(source):
        raise FileNotFoundError(f"{source}: there is no such data file: look at KONTROLKA_DATA")
    if there(target):
        raise FileExistsError(f"{target}: the file is there already: name another one or remove it")
    with opening(source), closing(connect(source, readonly=True)) as db:
        copy(db, target)


def restore(source: Path, target: Path) -> Info:
    """Put a backup in the place of the data file; the program that uses it must have ended.

    The file that is replaced is kept as `<name>.before-restore.db`. What the backup has as pending, due or waiting
    happens after the next start, even if it had happened after the backup was made: the result says how much.

    Args:
        source: A backup; it stays as it is.
        target: The data file; it need not be there.

    Returns:
        The figures of the restored file, read before it took its place: what fails later has nothing to do with the
        backup.

    Raises:
        FileNotFoundError: There is no `source`.
        InUse: A running program has `target` open.
        TooNew: `source` was written by a newer program.
        Corrupt: `source` is damaged, or of another program; then nothing was changed.
        Unavailable: The disk is full, or one of the files cannot be opened.
    """
    found = info(source)
    if found.damage is not None or not found.version:
        raise Corrupt(source, f"this is no sound backup ({found.damage or 'it is empty'})")
    make_room(target)
    lock = own(target)
    fresh = target.with_name(f"{target.name}.restored")
    try:
        with disk(target):
            with opening(source), closing(connect(source, readonly=True)) as db:
                copy(db, fresh)
            restored = info(fresh)
            if target.stat().st_size:
                _put_aside(target)
            _put_in_place(fresh, target)
    except Unavailable as error:  # the backup could be read just now
        raise Unavailable(target, error.reason) from error
    finally:
        fresh.unlink(missing_ok=True)
        lock.release()
    return replace(restored, path=target)


def _put_aside(target: Path) -> None:
    """Keep the present file under another name."""
    kept = target.with_name(f"{target.stem}.before-restore.db")
    try:
        with closing(connect(target)) as db:
            copy(db, kept)
    except (sqlite3.Error, Corrupt):  # it is damaged: keep it as it is, its log beside it
        _remove_logs(kept)
        log = target.with_name(f"{target.name}-wal")
        if log.exists():
            log.replace(kept.with_name(f"{kept.name}-wal"))
        target.replace(kept)


def copy(db: Database, target: Path) -> None:
    """Copy what a connection sees into one file without a log beside it, and have it on disk.

    Raises:
        Corrupt: The copy is damaged, so the source is.
        sqlite3.Error: The disk refused.
    """
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    _remove_logs(part)
    part.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            db.conn.backup(connection)
            connection.execute("PRAGMA journal_mode = DELETE")
            if (found := connection.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
                raise Corrupt(part, f"the copy is damaged ({found})")
        _put_in_place(part, target)
    finally:
        part.unlink(missing_ok=True)


def _put_in_place(source: Path, target: Path) -> None:
    """Put a file in another's place at once, and have both the file and its name on disk.

    A log that lies beside the name is gone for good before: SQLite would apply it to whatever file has that name.
    """
    _sync(source)
    _remove_logs(target)
    _sync(target.parent)
    source.replace(target)
    _sync(target.parent)


def _remove_logs(path: Path) -> None:
    for part in ("wal", "shm", "journal"):
        path.with_name(f"{path.name}-{part}").unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
