"""Attempts and what follows from them. An attempt is only ever added; figures are computed from attempts and voids."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

from bot.quiz import Attempt, Response, Void
from bot.store import tallies
from bot.store.connection import Sql
from bot.store.times import maybe_moment, micros, moment


@dataclass(frozen=True, slots=True)
class ItemProgress:
    """How one item stands for one learner."""

    answered: int
    """How many attempts count, one per session; at least 1. A skip is one of them."""
    grade: Fraction
    """Of the last of them, 0 to 1."""
    at: datetime
    """When the last of them was made, UTC."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one learner has come."""

    answered: int
    """How many attempts count."""
    right: int
    """How many of them have full marks."""
    days: tuple[date, ...]
    """The local dates with an attempt that counts, ascending, each once."""
    items: Mapping[str, ItemProgress]
    """By item id, only items with an attempt that counts, in the order of their last attempts."""

    @property
    def mistakes(self) -> list[str]:
        """The items whose last attempt has less than full marks, the one answered longest ago first."""
        return [item for item, known in self.items.items() if known.grade < 1]


@dataclass(frozen=True, slots=True)
class Report:
    """What a learner says is wrong with an item."""

    id: int
    item: str
    locale: str
    """The language the learner read it in."""
    learner: int
    text: str
    at: datetime
    """UTC."""


_COLUMNS = "session, position, item, learner, response, grade_n, grade_d, revision, at, on_date"

_COUNTING = """
    SELECT a.item, a.grade_n, a.grade_d, a.at, a.on_date
    FROM attempts AS a JOIN sessions AS s ON s.id = a.session
    WHERE a.learner = ?
        AND (s.open = 0 OR json_extract(s.policy, '$.feedback') = 'at_once')
        AND NOT EXISTS (
            SELECT 1 FROM attempts AS later
            WHERE later.session = a.session AND later.position = a.position AND later.learner = a.learner
                AND later.revision > a.revision
        )
        AND NOT EXISTS (
            SELECT 1 FROM voids AS v
            WHERE v.item = a.item AND v.since <= a.at AND (v.until IS NULL OR a.at < v.until)
        )
        AND NOT EXISTS (SELECT 1 FROM json_each(s.dropped) AS dropped WHERE dropped.value = a.position)
    ORDER BY a.id
"""


@lru_cache(maxsize=1024)
def _chosen_text(chosen: tuple[str, ...]) -> str:
    return json.dumps({"chosen": chosen}, separators=(",", ":"))


def _response_text(response: Response) -> str:
    if not response.text:
        return _chosen_text(response.chosen)
    return json.dumps({"chosen": response.chosen, "text": response.text}, ensure_ascii=False, separators=(",", ":"))


def response_of(text: str) -> Response:
    """The response that a column has."""
    data = json.loads(text)
    return Response(tuple(data["chosen"]), data.get("text", ""))


@lru_cache(maxsize=256)
def _grade(n: int, d: int) -> Fraction:
    return Fraction(n, d)


def _attempt(row: tuple[Any, ...]) -> Attempt:
    session, position, item, learner, response, n, d, revision, at, on = row
    return Attempt(
        session,
        position,
        item,
        learner,
        response_of(response),
        _grade(n, d),
        revision,
        moment(at),
        date.fromisoformat(on),
    )


class Attempts:
    """Statements about attempts and about what is known of items."""

    _sql: Sql

    def add_attempt(self, attempt: Attempt) -> None:
        """Keep an attempt for ever.

        Raises:
            sqlite3.IntegrityError: This revision is there already, or session or learner are not.
        """
        self._sql.write(
            f"INSERT INTO attempts ({_COLUMNS}) "  # noqa: S608
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                attempt.session,
                attempt.position,
                attempt.item,
                attempt.learner,
                _response_text(attempt.response),
                attempt.grade.numerator,
                attempt.grade.denominator,
                attempt.revision,
                micros(attempt.at),
                attempt.on.isoformat(),
            ),
        )

    def last_attempt(self, session: str, position: int, learner: int) -> Attempt | None:
        """The attempt that counts; None if there is none."""
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM attempts WHERE session = ? AND position = ? AND learner = ? "  # noqa: S608
            "ORDER BY revision DESC LIMIT 1",
            (session, position, learner),
        )
        return None if row is None else _attempt(row)

    def attempts_of(self, session: str, learner: int | None = None) -> list[Attempt]:
        """Every attempt of a session with all revisions, of one learner or of all, in the order they were made."""
        if learner is None:
            rows = self._sql.all(f"SELECT {_COLUMNS} FROM attempts WHERE session = ? ORDER BY id", (session,))  # noqa: S608
        else:
            rows = self._sql.all(
                f"SELECT {_COLUMNS} FROM attempts WHERE session = ? AND learner = ? ORDER BY id",  # noqa: S608
                (session, learner),
            )
        return [_attempt(row) for row in rows]

    def counting_attempts(self, session: str) -> list[Attempt]:
        """The last revision of each learner at each position, in the order of position and learner.

        Voids and dropped positions are not looked at.
        """
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM attempts WHERE session = ? ORDER BY position, learner, revision",  # noqa: S608
            (session,),
        )
        last = {(row[1], row[3]): row for row in rows}
        return [_attempt(row) for row in last.values()]

    def progress_of(self, learner: int) -> Progress:
        """The figures of a learner.

        What was revised, is void or was dropped does not count, nor does a session that is still open and has not
        told what is right.
        """
        right = 0
        days: set[str] = set()
        items: dict[str, ItemProgress] = {}
        rows = self._sql.all(_COUNTING, (learner,))
        for item, n, d, at, on in rows:
            earlier = items.pop(item, None)
            items[item] = ItemProgress((earlier.answered if earlier else 0) + 1, _grade(n, d), moment(at))
            right += n == d
            days.add(on)
        return Progress(len(rows), right, tuple(map(date.fromisoformat, sorted(days))), items)

    # --- what is known of items

    def voids(self) -> tuple[Void, ...]:
        """Every statement that an item was bad, by item and time."""
        rows = self._sql.all("SELECT item, since, until FROM voids ORDER BY item, since")
        return tuple(Void(item, moment(since), maybe_moment(until)) for item, since, until in rows)

    def add_void(self, item: str, since: datetime) -> bool:
        """Declare an item void from a moment on; one that is void from a later moment on is so from this one.

        What is void at that moment by a void that has ended stays as it was declared: the new one begins at its end.

        Returns:
            False if it is void without end from then on already; then nothing changes.
        """
        begin = micros(since)
        while until := self._sql.one(
            "SELECT until FROM voids WHERE item = ? AND since <= ? AND until > ?", (item, begin, begin)
        ):
            begin = until[0]
        if self._sql.one("SELECT 1 FROM voids WHERE item = ? AND until IS NULL AND since <= ?", (item, begin)):
            return False
        tallies.take_out_item(self._sql, item)
        self._sql.write("DELETE FROM voids WHERE item = ? AND until IS NULL", (item,))
        self._sql.write("INSERT INTO voids (item, since) VALUES (?, ?)", (item, begin))
        tallies.put_in_item(self._sql, item)
        return True

    def undo_void(self, item: str) -> Void | None:
        """Have it as if the last void of an item had never been declared.

        Returns:
            That void: the one without end, else the one that ended last; None if there is none.
        """
        row = self._sql.one(
            "SELECT since, until FROM voids WHERE item = ? ORDER BY until IS NOT NULL, until DESC LIMIT 1", (item,)
        )
        if row is None:
            return None
        tallies.take_out_item(self._sql, item)
        self._sql.write("DELETE FROM voids WHERE item = ? AND since = ?", (item, row[0]))
        tallies.put_in_item(self._sql, item)
        return Void(item, moment(row[0]), maybe_moment(row[1]))

    def close_void(self, item: str, until: datetime) -> bool:
        """Declare an item good again from a moment on, which is later than the void began.

        Returns:
            False if it is not void; then nothing changes.
        """
        tallies.take_out_item(self._sql, item)
        cursor = self._sql.write("UPDATE voids SET until = ? WHERE item = ? AND until IS NULL", (micros(until), item))
        tallies.put_in_item(self._sql, item)
        return cursor.rowcount == 1

    def fingerprints(self) -> dict[str, str]:
        """Item id to the fingerprint under which it was first seen."""
        return dict(self._sql.all("SELECT id, fingerprint FROM items"))

    def add_fingerprints(self, fingerprints: Mapping[str, str], at: datetime) -> None:
        """Remember items that are new; what is known of the others stays."""
        seen = micros(at)
        for item, fingerprint in fingerprints.items():
            self._sql.write(
                "INSERT INTO items (id, fingerprint, first_seen) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (item, fingerprint, seen),
            )

    def add_report(self, item: str, locale: str, learner: int, text: str, at: datetime) -> int:
        """Keep what a learner says is wrong with an item; gives the report's id."""
        cursor = self._sql.write(
            "INSERT INTO reports (item, locale, learner, text, at) VALUES (?, ?, ?, ?, ?)",
            (item, locale, learner, text, micros(at)),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def reports(self) -> list[Report]:
        """Every report, oldest first."""
        rows = self._sql.all("SELECT id, item, locale, learner, text, at FROM reports ORDER BY id")
        return [Report(row[0], row[1], row[2], row[3], row[4], moment(row[5])) for row in rows]
