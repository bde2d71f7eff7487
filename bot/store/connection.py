"""Connections: how the file is opened, and what SQLite's errors mean to a caller."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlite_utils import Database

Reason = Literal["full", "readonly", "corrupt", "locked", "io"]

BUSY_S = 5.0
"""Seconds to wait for a lock that another program holds on the file. Chosen by us."""

_CACHE_KIB = 8192
"""Page cache of one connection. Chosen by us: the pages that 64 busy learners touch fit, and it bounds the memory."""

_CHECKPOINT_PAGES = 4000
"""Pages in the log before they are written into the file: 16 MB. Chosen by us: under load the same pages come again
and again, so four times SQLite's default writes them a quarter as often; reading such a log at a start takes 20 ms."""

_STATEMENTS = 256
"""Prepared statements kept by one connection: more than the store has."""

_REASONS: dict[int, Reason] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "readonly",
    sqlite3.SQLITE_PERM: "readonly",
    sqlite3.SQLITE_CORRUPT: "corrupt",
    sqlite3.SQLITE_NOTADB: "corrupt",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_IOERR: "io",
    sqlite3.SQLITE_CANTOPEN: "io",
    sqlite3.SQLITE_PROTOCOL: "locked",
}

_REMEDIES: dict[Reason, str] = {
    "full": "the disk is full: free some space, the program goes on by itself",
    "readonly": "the file or its folder may not be written: correct the owner or the permissions",
    "corrupt": "the file is damaged: stop the program and restore a backup",
    "locked": "another program has held a lock on the file for too long: close it",
    "io": "the disk did not answer: look at the system's log, and whether the folder is there",
}


class Unavailable(Exception):  # noqa: N818 it reads as what is the case
    """The store could not do its work; nothing of the call was kept, and it may be tried again.

    `__cause__` is the error of SQLite or of the operating system.
    """

    def __init__(self, path: Path, reason: Reason) -> None:
        self.path = path
        self.reason: Reason = reason
        super().__init__(f"{path}: {_REMEDIES[reason]}")


class Corrupt(Exception):  # noqa: N818 it reads as what is the case
    """The file is damaged or is not a data file of this program; nothing was changed in it."""

    def __init__(self, path: Path, what: str) -> None:
        self.path = path
        super().__init__(
            f"{path}: {what}: move the file away and restore a backup (kontrolka data restore), "
            "or name another file in KONTROLKA_DATA"
        )


def reason_of(error: sqlite3.Error) -> Reason | None:
    """Why SQLite refused its service; None if the error is a bug or a broken constraint."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else _REASONS.get(code & 0xFF)


@contextmanager
def opening(path: Path) -> Iterator[None]:
    """Turn what SQLite says while a file is opened or copied into what a person can act on.

    Raises:
        Corrupt: The file is damaged or no SQLite file.
        Unavailable: SQLite could not do its work for another reason.
        sqlite3.Error: Anything else.
    """
    try:
        yield
    except sqlite3.Error as error:
        reason = reason_of(error)
        if reason is None:
            raise
        if reason == "corrupt":
            raise Corrupt(path, "this is no data file, or it is damaged") from error
        raise Unavailable(path, reason) from error


def connect(path: Path, *, readonly: bool = False) -> Database:
    """A connection of the calling thread, with every promise of the store switched on.

    Args:
        path: An existing file; an empty one becomes a new data file.
        readonly: Whether writing is refused.

    Raises:
        sqlite3.Error: The file cannot be opened or is no SQLite file.
        Unavailable: The file system cannot do what a write-ahead log needs.
    """
    mode = "ro" if readonly else "rw"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        cached_statements=_STATEMENTS,
    )
    try:
        db = Database(connection, execute_plugins=False)
        if not readonly:
            if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                raise Unavailable(path, "io")  # a file system without shared memory
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")  # who is forgotten is in no free page either
            connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        connection.execute(f"PRAGMA query_only = {readonly:d}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    except BaseException:
        connection.close()
        raise
    return db


class Sql:
    """Statements of one connection inside a transaction.

    An error that is more than a broken constraint, or that has ended the transaction, condemns what follows: `broken`
    keeps it, and every later statement raises it again, so that nobody can catch it and write on outside a transaction.
    """

    __slots__ = ("_connection", "_execute", "broken")

    def __init__(self, db: Database) -> None:
        self._connection = db.conn
        self._execute = db.execute
        self.broken: sqlite3.Error | None = None

    def control(self, statement: str) -> None:
        """Carry out BEGIN, SAVEPOINT, RELEASE, COMMIT or ROLLBACK."""
        self._execute(statement)

    def write(self, statement: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Carry out a statement that gives no rows.

        Raises:
            sqlite3.Error: As SQLite says.
        """
        if self.broken is not None:
            raise self.broken
        try:
            return self._execute(statement, parameters)
        except sqlite3.Error as error:
            self._judge(error)
            raise

    def one(self, statement: str, parameters: Sequence[Any] = ()) -> Any:
        """The first row, a tuple; None if there is none.

        Raises:
            sqlite3.Error: As SQLite says.
        """
        if self.broken is not None:
            raise self.broken
        try:
            return self._execute(statement, parameters).fetchone()
        except sqlite3.Error as error:
            self._judge(error)
            raise

    def all(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """All rows, tuples.

        Raises:
            sqlite3.Error: As SQLite says.
        """
        if self.broken is not None:
            raise self.broken
        try:
            return self._execute(statement, parameters).fetchall()
        except sqlite3.Error as error:
            self._judge(error)
            raise

    def _judge(self, error: sqlite3.Error) -> None:
        if not isinstance(error, sqlite3.IntegrityError) or not self._connection.in_transaction:
            self.broken = error
