"""Crowds: how many take part in a session for many, and how many of them have answered its present question.

Both are counted on with each answer, because counting thousands anew would make an answer cost more the more people
there are. The facts stay the truth: a row that is missing, or is about another position, is counted from them, and
whatever changes facts behind the session's back takes the row out.
"""

from __future__ import annotations

from bot.store.connection import Sql


class Crowds:
    """Statements about crowds."""

    _sql: Sql

    def crowd(self, session: str, position: int) -> tuple[int, int]:
        """How many take part now, and how many of them have an attempt at this position."""
        row = self._sql.one(
            "SELECT joined, answered FROM crowds WHERE session = ? AND position = ?", (session, position)
        )
        return (
            (row[0], row[1])
            if row is not None
            else (self.joined_count(session), self.answered_count(session, position))
        )

    def set_crowd(self, session: str, position: int, joined: int, answered: int) -> None:
        """Keep both numbers as they are after a step."""
        self._sql.write(
            "INSERT INTO crowds (session, position, joined, answered) VALUES (?, ?, ?, ?) ON CONFLICT (session) "
            "DO UPDATE SET position = excluded.position, joined = excluded.joined, answered = excluded.answered",
            (session, position, joined, answered),
        )

    def joined_count(self, session: str) -> int:
        """How many take part now, counted from the facts."""
        row = self._sql.one("SELECT count(*) FROM participants WHERE session = ? AND left_at IS NULL", (session,))
        return int(row[0])

    def answered_count(self, session: str, position: int) -> int:
        """How many of those who take part now have an attempt at this position, counted from the facts."""
        row = self._sql.one(
            "SELECT (SELECT count(*) FROM attempts WHERE session = ? AND position = ? AND revision = 0) - "
            "(SELECT count(*) FROM participants AS p WHERE p.session = ? AND p.left_at IS NOT NULL AND EXISTS "
            "(SELECT 1 FROM attempts AS a WHERE a.session = p.session AND a.position = ? AND a.learner = p.learner))",
            (session, position, session, position),
        )
        return int(row[0])
