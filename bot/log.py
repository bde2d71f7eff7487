"""Logs: one line per event, for people or for programs; no secrets, no content of answers, no names.

A leaf: it knows no other part of the program. What is logged by name is for the caller to choose well: ids of
sessions, places and learners, never words. What this module adds: tokens are blotted out wherever they stand, and
of an error's own words only those outside quotation marks are kept, because what is quoted came from somebody.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TextIO

Format = Literal["text", "json"]

FRAMES = 12
"""Places of a traceback that are kept, the innermost ones. Chosen by us: a line stays readable."""

_BLOT = "[secret]"

_TOKENS = re.compile(
    r"\d{6,}(?::|%3A)[A-Za-z0-9_-]{30,}"  # source: Telegram Bot API, "Authorizing your bot"
    r"|[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}"  # source: Discord developer reference, "Authentication"
)

_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")

_PACKAGE = Path(__file__).parent


def set_up(
    form: Format = "text",
    *,
    secrets: Iterable[str | None] = (),
    level: int = logging.INFO,
    stream: TextIO | None = None,
) -> None:
    """Log to a stream from now on, instead of whatever was set up before.

    Libraries are heard from warnings upwards: httpx, for one, logs addresses that contain the token.

    Args:
        form: `text` for people, `json` for programs.
        secrets: Tokens in use; None and empty ones are passed over.
        level: From which level on our own events are logged.
        stream: Standard error unless given.
    """
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    known = [secret for secret in secrets if secret]
    handler.setFormatter(_Json(known) if form == "json" else _Text(known))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(__package__).setLevel(level)
    logging.captureWarnings(True)


def incident(log: logging.Logger, error: BaseException, new_id: Callable[[], str], during: str) -> str:
    """Log a bug with its traceback.

    Args:
        log: The logger of the module that caught it.
        error: What was raised.
        new_id: Gives a fresh id of 64 random bits in base 36.
        during: What was going on, without names and words of people.

    Returns:
        Six letters and digits for the person's message; the log's line has the same.
    """
    name = new_id()[-6:].rjust(6, "0")
    log.error("incident %s during %s", name, during, exc_info=error, extra={"incident": name})
    return name


class _Line(logging.Formatter):
    """A formatter that gives exactly one line, without secrets."""

    def __init__(self, secrets: list[str]) -> None:
        super().__init__()
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        return self._without_secrets(self._line(record))

    def _line(self, record: logging.LogRecord) -> str:
        raise NotImplementedError

    def _without_secrets(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, _BLOT).replace(secret.replace(":", "%3A"), _BLOT)
        return _TOKENS.sub(_BLOT, text)


class _Text(_Line):
    def _line(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
        words = f"{at} {record.levelname:<7} {record.name}: {record.getMessage()}"
        if record.exc_info and record.exc_info[1]:
            errors = [f"{error['error']} at {' > '.join(error['at'])}" for error in _errors(record.exc_info[1])]
            words += " | " + " | after ".join(errors)
        return "".join(character if character.isprintable() else repr(character)[1:-1] for character in words)


class _Json(_Line):
    def _line(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if name := getattr(record, "incident", None):
            event["incident"] = name
        if record.exc_info and record.exc_info[1]:
            event["errors"] = list(_errors(record.exc_info[1]))
        return json.dumps(event, ensure_ascii=False)


def _errors(error: BaseException | None) -> Iterator[dict[str, Any]]:
    """An error and what it came from: type, unquoted words and places, the outermost place first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        words = _QUOTED.sub("'…'", str(error).partition("\n")[0])
        frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
        yield {
            "error": f"{type(error).__qualname__}: {words}" if words else type(error).__qualname__,
            "at": [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames],
        }
        if isinstance(error, BaseExceptionGroup):
            for part in error.exceptions:
                yield from _errors(part)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _short(filename: str) -> str:
    """A file of ours from the package on, another one with its folder: a home folder bears a person's name."""
    path = Path(filename)
    if path.is_relative_to(_PACKAGE):
        return str(Path(_PACKAGE.name) / path.relative_to(_PACKAGE))
    return "/".join(path.parts[-2:])
