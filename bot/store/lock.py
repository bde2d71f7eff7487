"""The data file as a file: one process owns it, and only its owner may read it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, ENOSPC, EPERM, EROFS
from pathlib import Path

from filelock import FileLock, Timeout

from bot.store.connection import Reason, Unavailable


class InUse(Exception):  # noqa: N818 it reads as what is the case
    """Another process owns the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{path}: another running kontrolka uses this file: stop it first, or set KONTROLKA_DATA to another file"
        )


@contextmanager
def disk(path: Path) -> Iterator[None]:
    """Turn what the operating system says about a file into what a person can act on.

    Raises:
        Unavailable: It may not be touched, the disk is full, or its folder cannot be.
    """
    try:
        yield
    except OSError as error:
        raise Unavailable(path, _reason(error)) from error


def there(path: Path) -> bool:
    """Whether there is such a file or folder.

    Raises:
        Unavailable: One may not look, or no file can have that name.
    """
    with disk(path):
        return path.exists()


def make_room(path: Path) -> None:
    """Make sure that there is a file, readable by its owner alone.

    Raises:
        Unavailable: It cannot be made.
    """
    with disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    if path.is_dir():
        raise Unavailable(path, "io")


def room_for(path: Path) -> None:
    """Look whether a file that is not there can be made: nothing stays behind.

    Raises:
        Unavailable: It cannot be made, as `make_room` would say.
    """
    nearest = next(folder for folder in path.absolute().parents if there(folder))
    with disk(path), tempfile.TemporaryDirectory(prefix=".kontrolka-", dir=nearest):
        pass


def own(path: Path) -> FileLock:
    """Take the lock of a data file; the system gives it back when the process ends, however it ends.

    Returns:
        The held lock, `<file>.lock` beside the file.

    Raises:
        InUse: It is held.
        Unavailable: The folder may not be written, or the disk refused.
    """
    lock = FileLock(f"{path}.lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise InUse(path) from error
    except OSError as error:
        raise Unavailable(path, _reason(error)) from error
    return lock


def _reason(error: OSError) -> Reason:
    if error.errno in (EACCES, EPERM, EROFS):
        return "readonly"
    return "full" if error.errno == ENOSPC else "io"
