"""Backups: copies of a data file that may be in use, made by SQLite's backup API."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from sqlite_utils import Database

from bot.store.connection import Corrupt, connect, opening


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
    if not source.exists():
        raise FileNotFoundError(f"{source}: there is no such data file: look at KONTROLKA_DATA")
    if target.exists():
        raise FileExistsError(f"{target}: the file is there already: name another one or remove it")
    with opening(source):
        db = connect(source, readonly=True)
        try:
            copy(db, target)
        finally:
            db.close()


def copy(db: Database, target: Path) -> None:
    """Copy what a connection sees into one file without a log beside it, and have it on disk.

    Raises:
        Corrupt: The copy is damaged, so the source is.
        sqlite3.Error: The disk refused.
    """
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    connection = sqlite3.connect(part, isolation_level=None)
    try:
        db.conn.backup(connection)
        connection.execute("PRAGMA journal_mode = DELETE")
        if (found := connection.execute("PRAGMA integrity_check(1)").fetchone()[0]) != "ok":
            raise Corrupt(part, f"the copy is damaged ({found})")
    finally:
        connection.close()
    replace(part, target)


def replace(source: Path, target: Path) -> None:
    """Put a file in another's place at once, and have both the file and its name on disk."""
    _sync(source)
    source.replace(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
