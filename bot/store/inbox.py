"""The inbox: what a platform delivered, kept before it is confirmed and deleted in the commit of its effect.

A platform delivers again what it does not know to be confirmed, such as the last updates before the program was
killed. So the numbers of updates that have had their effect are kept for a while.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.store.connection import Sql
from bot.store.times import micros, moment


@dataclass(frozen=True, slots=True)
class Update:
    """One delivery of a platform."""

    platform: str
    update_id: int
    key: str
    """Updates with the same key are processed in their order. In a private chat it is the person's account, so that
    forgetting the person finds it; elsewhere anything that is no account."""
    body: str
    """As it arrived."""
    received_at: datetime
    """UTC."""


def _update(row: tuple[Any, ...]) -> Update:
    return Update(row[0], row[1], row[2], row[3], moment(row[4]))


class Inbox:
    """Statements about the inbox."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def put(self, updates: Iterable[Update]) -> list[Update]:
        """Keep updates.

        Returns:
            Those that are new, in the given order; one that waits, is in quarantine or has had its effect already is
            passed over.
        """
        return [update for update in updates if self._add(update)]

    def _add(self, update: Update) -> bool:
        cursor = self._sql.write(
            "INSERT INTO inbox (platform, update_id, key, body, received_at, state) "
            "SELECT ?, ?, ?, ?, ?, 'waiting' "
            "WHERE NOT EXISTS (SELECT 1 FROM handled WHERE platform = ? AND update_id = ?) "
            "ON CONFLICT DO NOTHING",
            (
                update.platform,
                update.update_id,
                update.key,
                update.body,
                micros(update.received_at),
                update.platform,
                update.update_id,
            ),
        )
        return cursor.rowcount == 1

    def waiting(self, platform: str) -> list[Update]:
        """What has had no effect yet, in the order of arrival; at start, to take up the work again."""
        rows = self._sql.all(
            "SELECT platform, update_id, key, body, received_at FROM inbox "
            "WHERE state = 'waiting' AND platform = ? ORDER BY id",
            (platform,),
        )
        return [_update(row) for row in rows]

    def done(self, platform: str, update_id: int) -> bool:
        """The update has its effect, in this very commit.

        Returns:
            False if it does not wait: it had its effect already, so this time it must have none.
        """
        handled = self._sql.write(
            "INSERT INTO handled (platform, update_id, received_at) SELECT platform, update_id, received_at FROM inbox "
            "WHERE platform = ? AND update_id = ? AND state = 'waiting' ON CONFLICT DO NOTHING",
            (platform, update_id),
        )
        if handled.rowcount == 1:
            self._sql.write("DELETE FROM inbox WHERE platform = ? AND update_id = ?", (platform, update_id))
        return handled.rowcount == 1

    def quarantine(self, platform: str, update_id: int, problem: str) -> None:
        """Put an update aside that cannot be processed, with the reason, so that it holds up nobody."""
        self._sql.write(
            "UPDATE inbox SET state = 'quarantined', problem = ? WHERE platform = ? AND update_id = ?",
            (problem, platform, update_id),
        )

    def quarantined(self) -> list[tuple[Update, str]]:
        """What was put aside, with the reasons, in the order of arrival."""
        rows = self._sql.all(
            "SELECT platform, update_id, key, body, received_at, problem FROM inbox "
            "WHERE state = 'quarantined' ORDER BY id"
        )
        return [(_update(row), row[5]) for row in rows]
