"""The lock: one process owns a data file."""

from __future__ import annotations

from errno import ENOSPC, EROFS
from pathlib import Path

from filelock import FileLock, Timeout

from bot.store.connection import Unavailable


class InUse(Exception):  # noqa: N818 it reads as what is the case
    """Another process owns the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path}: another running kontrolka uses this file: stop it first, or set KONTROLKA_DATA to another file"
        )


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
    except PermissionError as error:
        raise Unavailable(path, "readonly") from error
    except OSError as error:
        raise Unavailable(
            path, "readonly" if error.errno == EROFS else "full" if error.errno == ENOSPC else "io"
        ) from error
    return lock
