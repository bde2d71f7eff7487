"""What is due: the only copy of any deadline, post, reveal or reminder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.store.connection import Sql
from bot.store.times import maybe_moment, micros, moment


@dataclass(frozen=True, slots=True)
class Due:
    """One thing that is due at a moment."""

    id: int
    kind: str
    """What is due."""
    subject: str
    """Whose: a session's id, `place:<id>` or `learner:<id>`, with more after another colon where one is not enough."""
    at: datetime
    """When, UTC."""
    payload: Mapping[str, Any]
    """Only JSON types."""
    claims: int
    """How often it was claimed, this time included; above 1 a former claim was not finished."""
    claimed_until: datetime | None
    """Until when it belongs to whoever claimed it, UTC; None if nobody did."""


_COLUMNS = "id, kind, subject, at, payload, attempts, claimed_until"


def _due(row: tuple[Any, ...]) -> Due:
    number, kind, subject, at, payload, claims, claimed_until = row
    return Due(number, kind, subject, moment(at), json.loads(payload), claims, maybe_moment(claimed_until))


class Agenda:
    """Statements about what is due. Of each kind a subject has at most one."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def schedule(self, kind: str, subject: str, at: datetime, payload: Mapping[str, Any] | None = None) -> None:
        """Have something due; what was due of this kind for this subject before is replaced, claimed or not."""
        self._sql.write(
            "INSERT INTO due (kind, subject, at, attempts, payload) VALUES (?, ?, ?, 0, ?) "
            "ON CONFLICT (kind, subject) DO UPDATE "
            "SET at = excluded.at, claimed_until = NULL, attempts = 0, payload = excluded.payload",
            (kind, subject, micros(at), json.dumps(dict(payload or {}), ensure_ascii=False)),
        )

    def cancel(self, kind: str, subject: str) -> None:
        """Have it due no longer; nothing happens if it is not."""
        self._sql.write("DELETE FROM due WHERE kind = ? AND subject = ?", (kind, subject))

    def of(self, kind: str, subject: str) -> Due | None:
        """What is due of this kind for this subject; None if nothing is."""
        row = self._sql.one(f"SELECT {_COLUMNS} FROM due WHERE kind = ? AND subject = ?", (kind, subject))  # noqa: S608
        return None if row is None else _due(row)

    def claim(self, now: datetime, limit: int, lease: timedelta) -> list[Due]:
        """Take what is due and belongs to nobody, or was claimed and not finished within its lease.

        Returns:
            At most `limit`, the longest due first; each belongs to the caller until `now` + `lease`.
        """
        until = micros(now + lease)
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM due WHERE coalesce(claimed_until, at) <= ? "  # noqa: S608
            "ORDER BY coalesce(claimed_until, at) LIMIT ?",
            (micros(now), limit),
        )
        for row in rows:
            self._sql.write("UPDATE due SET claimed_until = ?, attempts = attempts + 1 WHERE id = ?", (until, row[0]))
        return [_due((*row[:5], row[5] + 1, until)) for row in rows]

    def finish(self, due: Due) -> bool:
        """Have it due no longer, in the commit of what it was for.

        Returns:
            False if it was scheduled anew or claimed again since; then it stays.
        """
        until = None if due.claimed_until is None else micros(due.claimed_until)
        cursor = self._sql.write(
            "DELETE FROM due WHERE id = ? AND at = ? AND claimed_until IS ?", (due.id, micros(due.at), until)
        )
        return cursor.rowcount == 1

    def next_at(self) -> datetime | None:
        """When something can be claimed next, UTC; None if nothing is due."""
        row = self._sql.one("SELECT coalesce(claimed_until, at) FROM due ORDER BY coalesce(claimed_until, at) LIMIT 1")
        return None if row is None else moment(row[0])
