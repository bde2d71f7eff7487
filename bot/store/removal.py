"""Removal: forgetting a learner, and what is kept only for a while. Both work in slices, so that nobody waits long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.store.connection import Sql
from bot.store.times import micros

NOBODY = 0
"""The learner who stands as host of a session for many whose host was forgotten."""

KEPT = timedelta(days=30)
"""How long a post that was sent or failed, and a quarantined update, are kept. Chosen by us."""

HANDLED = timedelta(days=7)
"""How long the number of an update that has had its effect is kept. Chosen by us: Telegram delivers again what is not
older than 24 hours (Bot API 10.0, getUpdates)."""

SLICE = 500
"""Rows removed in one call, at most, give or take the parts of one session. Chosen by us: less than 50 ms."""

_OF_LEARNER = {
    "tallies": "DELETE FROM tallies WHERE (place, period, learner, grade_d) IN "
    "(SELECT place, period, learner, grade_d FROM tallies WHERE learner = ? LIMIT ?)",
    "drafts": "DELETE FROM drafts WHERE (session, position, learner) IN "
    "(SELECT session, position, learner FROM drafts WHERE learner = ? LIMIT ?)",
    "reports": "DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE learner = ? LIMIT ?)",
    "attempts": "DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE learner = ? LIMIT ?)",
    "names": "DELETE FROM names WHERE (place, learner) IN (SELECT place, learner FROM names WHERE learner = ? LIMIT ?)",
    "participants": "DELETE FROM participants WHERE (session, learner) IN "
    "(SELECT session, learner FROM participants WHERE learner = ? LIMIT ?)",
    "codes": "DELETE FROM codes WHERE digest IN (SELECT digest FROM codes WHERE learner = ? LIMIT ?)",
    "tries": "DELETE FROM tries WHERE id IN (SELECT id FROM tries WHERE learner = ? LIMIT ?)",
}

_CROWDS_OF_LEARNER = "DELETE FROM crowds WHERE session IN (SELECT session FROM participants WHERE learner = ?)"
"""What is counted on is counted anew when a part of it is gone."""

_OF_SESSION = {
    "drafts": "DELETE FROM drafts WHERE session = ?",
    "posts": "DELETE FROM posts WHERE session = ?",
    "due": "DELETE FROM due WHERE subject = ?",
    "settled": "DELETE FROM settled WHERE session = ?",
    "sessions": "DELETE FROM sessions WHERE id = ?",
}


class Removal:
    """Statements that remove."""

    _sql: Sql

    def forget_some(self, learner: int, limit: int = SLICE) -> dict[str, int]:
        """Remove a part of all that is known of a learner.

        The learner is on no board from the first call on. The learner's attempts, drafts, reports, names and accounts
        are deleted; so are the sessions the learner hosted and the private chat with their posts. A session for many
        that others took part in stays, hosted by nobody.
        Call it until nothing is left to remove; the learner is known until the last call.

        Returns:
            Rows removed by table; empty if the learner is not known, so everything is removed.
        """
        self._sql.write("UPDATE learners SET hidden = 1 WHERE id = ?", (learner,))
        removed: Counter[str] = Counter()
        self._sql.write(_CROWDS_OF_LEARNER, (learner,))
        for table, statement in _OF_LEARNER.items():
            removed[table] += self._count(statement, (learner, limit))
            if removed.total() >= limit:
                return dict(+removed)
        hosted = self._sql.all("SELECT id FROM sessions WHERE host = ? LIMIT ?", (learner, limit // 10 + 1))
        if hosted:
            for (session,) in hosted:
                removed.update(self._forget_session(session))
            return dict(+removed) or self.forget_some(learner, limit)  # all of them stay, hosted by nobody
        removed.update(self._forget_person(learner))
        return dict(+removed)

    def _forget_session(self, session: str) -> dict[str, int]:
        others = self._sql.one(
            "SELECT EXISTS (SELECT 1 FROM attempts WHERE session = ?) "
            "OR EXISTS (SELECT 1 FROM participants WHERE session = ?)",
            (session, session),
        )
        if others[0]:
            self._make_nobody()
            self._sql.write("UPDATE sessions SET host = ? WHERE id = ?", (NOBODY, session))
            return {}
        self._sql.write("UPDATE runs SET session = NULL WHERE session = ?", (session,))
        return {table: self._count(statement, (session,)) for table, statement in _OF_SESSION.items()}

    def _make_nobody(self) -> None:
        self._sql.write("INSERT INTO learners (id, created_at) VALUES (?, 0) ON CONFLICT DO NOTHING", (NOBODY,))

    def _forget_person(self, learner: int) -> Counter[str]:
        """The last part: what bears the person's name. A daily question without its moderator stands still."""
        removed: Counter[str] = Counter()
        if self._sql.one("SELECT EXISTS (SELECT 1 FROM dailies WHERE owner = ?)", (learner,))[0]:
            self._make_nobody()
            self._sql.write("UPDATE dailies SET owner = ?, paused = 1 WHERE owner = ?", (NOBODY, learner))
        for (place,) in self._sql.all("SELECT id FROM places WHERE private_to = ?", (learner,)):
            removed["posts"] += self._count("DELETE FROM posts WHERE place = ? AND session IS NULL", (place,))
            removed["due"] += self._forget_due(f"place:{place}")
            if self._sql.one("SELECT EXISTS (SELECT 1 FROM sessions WHERE place = ?)", (place,))[0]:
                self._sql.write("UPDATE places SET private_to = NULL WHERE id = ?", (place,))
            else:
                removed["places"] += self._count("DELETE FROM places WHERE id = ?", (place,))
        removed["due"] += self._forget_due(f"learner:{learner}")
        for platform, account in self._sql.all("SELECT platform, account FROM accounts WHERE learner = ?", (learner,)):
            removed["inbox"] += self._count("DELETE FROM inbox WHERE platform = ? AND key = ?", (platform, account))
        removed["accounts"] += self._count("DELETE FROM accounts WHERE learner = ?", (learner,))
        removed["learners"] += self._count("DELETE FROM learners WHERE id = ?", (learner,))
        return removed

    def _forget_due(self, subject: str) -> int:
        """What is due for a subject, and for it with more after a colon (`;` follows `:`)."""
        return self._count(
            "DELETE FROM due WHERE subject = ? OR (subject > ? AND subject < ?)",
            (subject, f"{subject}:", f"{subject};"),
        )

    def prune_some(self, now: datetime, limit: int = SLICE) -> dict[str, int]:
        """Remove a part of what has been kept long enough.

        Posts sent or failed and updates in quarantine are kept for `KEPT`, numbers of other updates for `HANDLED`. A
        post of an open session stays. Call it until nothing is left to remove.

        Returns:
            Rows removed by table; empty if nothing is old enough.
        """
        before = micros(now - KEPT)
        removed = {
            "posts": sum(self._prune_posts(state, before, limit) for state in ("sent", "failed")),
            "inbox": self._count(
                "DELETE FROM inbox WHERE id IN "
                "(SELECT id FROM inbox WHERE state = 'quarantined' AND received_at < ? LIMIT ?)",
                (before, limit),
            ),
            "handled": self._count(
                "DELETE FROM handled WHERE (platform, update_id) IN "
                "(SELECT platform, update_id FROM handled WHERE received_at < ? LIMIT ?)",
                (micros(now - HANDLED), limit),
            ),
        }
        return {table: count for table, count in removed.items() if count}

    def _prune_posts(self, state: str, before: int, limit: int) -> int:
        return self._count(
            "DELETE FROM posts WHERE id IN (SELECT p.id FROM posts AS p LEFT JOIN sessions AS s ON s.id = p.session "
            "WHERE p.state = ? AND p.created_at < ? AND coalesce(s.open, 0) = 0 LIMIT ?)",
            (state, before, limit),
        )

    def _count(self, statement: str, parameters: Sequence[Any]) -> int:
        return self._sql.write(statement, parameters).rowcount
