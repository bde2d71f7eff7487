"""Links between accounts: one-time codes, and two learners who turn out to be one person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.store import tallies
from bot.store.connection import Sql
from bot.store.times import maybe_moment, micros


@dataclass(frozen=True, slots=True)
class Account:
    """One of the accounts of a person."""

    platform: str
    account: str
    linked_at: datetime | None
    """When it was linked to the others, UTC; None for the first one, with which the history stays."""


class Links:
    """Statements about codes and accounts."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def accounts(self, learner: int) -> list[Account]:
        """The accounts of a person, the first one first."""
        rows = self._sql.all(
            "SELECT platform, account, linked_at FROM accounts WHERE learner = ? "
            "ORDER BY linked_at IS NOT NULL, linked_at, platform, account",
            (learner,),
        )
        return [Account(platform, account, maybe_moment(linked_at)) for platform, account, linked_at in rows]

    # --- codes

    def keep_code(self, digest: str, learner: int, until: datetime, now: datetime) -> None:
        """Keep the digest of a new code; one that the learner had, and whatever has run out, is valid no longer."""
        self._sql.write("DELETE FROM codes WHERE learner = ?", (learner,))
        self._sql.write("DELETE FROM codes WHERE until <= ?", (micros(now),))
        self._sql.write("INSERT INTO codes (digest, learner, until) VALUES (?, ?, ?)", (digest, learner, micros(until)))

    def code_of(self, digest: str, now: datetime) -> int | None:
        """Whose code it is; None if it is not valid."""
        row = self._sql.one("SELECT learner FROM codes WHERE digest = ? AND until > ?", (digest, micros(now)))
        return None if row is None else int(row[0])

    def drop_code(self, digest: str) -> None:
        """A code is valid no longer."""
        self._sql.write("DELETE FROM codes WHERE digest = ?", (digest,))

    def tries(self, learner: int, since: datetime) -> int:
        """How often a learner has tried a code since a moment; what was before is forgotten."""
        self._sql.write("DELETE FROM tries WHERE at <= ?", (micros(since),))
        return int(self._sql.one("SELECT count(*) FROM tries WHERE learner = ?", (learner,))[0])

    def add_try(self, learner: int, at: datetime) -> None:
        """Remember that a learner has tried a code."""
        self._sql.write("INSERT INTO tries (learner, at) VALUES (?, ?)", (learner, micros(at)))

    # --- people

    def merge(self, source: int, target: int, at: datetime) -> None:
        """Two learners are one person: everything of the source becomes the target's, and the source is no more.

        Where both answered the same question, what was answered first stays. Open sessions stay where they are; where
        both play alone in one place, the target's stays open and the other is closed. What the target chose stands.

        Args:
            source: Who is no more afterwards.
            target: Another one.
            at: Now, UTC.
        """
        self._sql.write(
            "DELETE FROM crowds WHERE session IN (SELECT session FROM participants WHERE learner IN (?, ?))",
            (source, target),
        )
        self._merge_sessions(source, target)
        self._merge_attempts(source, target)
        both = (target, source)
        for table in ("drafts", "names", "participants"):  # where both have a row, the target's stands
            self._sql.write(f"UPDATE OR IGNORE {table} SET learner = ? WHERE learner = ?", both)  # noqa: S608
            self._sql.write(f"DELETE FROM {table} WHERE learner = ?", (source,))  # noqa: S608
        self._sql.write("UPDATE reports SET learner = ? WHERE learner = ?", both)
        self._sql.write("UPDATE dailies SET owner = ? WHERE owner = ?", both)
        self._sql.write("UPDATE places SET private_to = ? WHERE private_to = ?", both)
        for column in ("locale", "zone"):
            self._sql.write(
                f"UPDATE learners SET {column} = coalesce({column}, "  # noqa: S608
                f"(SELECT {column} FROM learners WHERE id = ?)) WHERE id = ?",
                (source, target),
            )
        self._sql.write(
            "UPDATE learners SET hidden = max(hidden, (SELECT hidden FROM learners WHERE id = ?)) WHERE id = ?",
            (source, target),
        )
        self._sql.write(
            "UPDATE accounts SET learner = ?, linked_at = coalesce(linked_at, ?) WHERE learner = ?",
            (target, micros(at), source),
        )
        self._merge_due(source, target)
        for table in ("tallies", "codes", "tries"):
            self._sql.write(f"DELETE FROM {table} WHERE learner = ?", (source,))  # noqa: S608
        self._sql.write("DELETE FROM learners WHERE id = ?", (source,))
        tallies.recount(self._sql, target)

    def _merge_sessions(self, source: int, target: int) -> None:
        slot = (f"solo:{source}", f"solo:{target}")
        self._close(
            "host = ? AND slot = ? AND open = 1 AND EXISTS "
            "(SELECT 1 FROM sessions AS kept WHERE kept.place = sessions.place AND kept.slot = ? AND kept.open = 1)",
            (source, *slot),
        )
        self._sql.write("UPDATE sessions SET slot = ? WHERE host = ? AND slot = ?", (slot[1], source, slot[0]))
        self._sql.write("UPDATE sessions SET host = ? WHERE host = ?", (target, source))
        self._sql.write(
            "UPDATE participants SET left_at = NULL WHERE learner = ? AND EXISTS (SELECT 1 FROM participants AS other "
            "WHERE other.session = participants.session AND other.learner = ? AND other.left_at IS NULL)",
            (target, source),
        )

    def _merge_attempts(self, source: int, target: int) -> None:
        for one, other in ((source, target), (target, source)):
            self._sql.write(
                "DELETE FROM attempts WHERE learner = ? AND EXISTS (SELECT 1 FROM attempts AS first "
                "WHERE first.session = attempts.session AND first.position = attempts.position "
                "AND first.learner = ? AND first.revision = 0 AND first.id < (SELECT own.id FROM attempts AS own "
                "WHERE own.session = attempts.session AND own.position = attempts.position "
                "AND own.learner = attempts.learner AND own.revision = 0))",
                (one, other),
            )
        self._sql.write("UPDATE attempts SET learner = ? WHERE learner = ?", (target, source))

    def _merge_due(self, source: int, target: int) -> None:
        subject = f"learner:{source}"
        rows = self._sql.all(
            "SELECT id, subject FROM due WHERE subject = ? OR (subject > ? AND subject < ?)",
            (subject, f"{subject}:", f"{subject};"),
        )
        for number, found in rows:
            renamed = f"learner:{target}{found.removeprefix(subject)}"
            self._sql.write("UPDATE OR IGNORE due SET subject = ? WHERE id = ?", (renamed, number))
        self._sql.write(
            "DELETE FROM due WHERE subject = ? OR (subject > ? AND subject < ?)",
            (subject, f"{subject}:", f"{subject};"),
        )

    def split(self, platform: str, account: str, at: datetime) -> int:
        """Make an account stand for somebody new again; everything that was answered stays with the others.

        Its private chat becomes the new learner's; a session that is open there is closed, because it is not theirs.

        Args:
            platform: The platform's name.
            account: A known one.
            at: Now, UTC.

        Returns:
            The new learner.
        """
        row = self._sql.one("SELECT learner FROM accounts WHERE platform = ? AND account = ?", (platform, account))
        learner = int(row[0])
        new = self._sql.write("INSERT INTO learners (created_at) VALUES (?)", (micros(at),)).lastrowid
        assert new is not None
        self._sql.write(
            "UPDATE learners SET (locale, zone, hidden) = (SELECT locale, zone, hidden FROM learners WHERE id = ?) "
            "WHERE id = ?",
            (learner, new),
        )
        self._sql.write(
            "UPDATE accounts SET learner = ?, linked_at = NULL WHERE platform = ? AND account = ?",
            (new, platform, account),
        )
        alone = self._sql.one("SELECT 1 FROM accounts WHERE learner = ? AND platform = ?", (learner, platform)) is None
        for place, chat in self._sql.all(
            "SELECT id, chat FROM places WHERE private_to = ? AND platform = ?", (learner, platform)
        ):
            if alone or chat.rpartition(":")[2] == account:
                self._close("place = ? AND host = ? AND open = 1", (place, learner))
                self._sql.write("UPDATE places SET private_to = ? WHERE id = ?", (new, place))
        return new

    def _close(self, condition: str, parameters: Sequence[Any]) -> None:
        """Close sessions of one person each."""
        self._sql.write(
            "UPDATE sessions SET open = 0, phase = 'closed', ending = 'stopped', deadline = NULL, paused_at = NULL "  # noqa: S608
            f"WHERE {condition}",
            parameters,
        )
