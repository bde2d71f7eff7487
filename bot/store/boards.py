"""Boards and streaks: who earned how much in a place, and on which days somebody answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from math import lcm
from typing import Any

from bot.store.connection import Sql
from bot.store.people import Place


@dataclass(frozen=True, slots=True)
class Tally:
    """What one learner earned in a place and some periods."""

    learner: int
    score: Fraction
    """Sum of grades, exact."""
    answers: int
    """How many attempts count; at least 1."""
    took: timedelta
    """From when the questions were sent to when they were answered, added up; what is not known counts as nothing."""


def _sums(rows: Iterable[tuple[int, int, int, int, int]]) -> list[Tally]:
    """Rows by learner and denominator, as one tally by learner."""
    found: dict[int, list[int]] = {}
    rows = list(rows)
    common = lcm(*{row[1] for row in rows})
    for learner, d, n, answers, took in rows:
        sums = found.setdefault(learner, [0, 0, 0])
        sums[0] += n * (common // d)
        sums[1] += answers
        sums[2] += took
    return [
        Tally(learner, Fraction(score, common), answers, timedelta(microseconds=took))
        for learner, (score, answers, took) in found.items()
        if answers
    ]


class Boards:
    """Statements about what people earned and when they answered."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def tallies(self, place: Place, periods: Sequence[str]) -> list[Tally]:
        """What everybody earned in a place; who wants to be hidden is missing.

        Args:
            place: A whole chat stands for its threads as well.
            periods: Disjoint: local dates (`2026-11-30`), months (`2026-11`), or one empty text for all time.

        Returns:
            One per learner with an attempt that counts, in no order.
        """
        rows = self._sql.all(
            "SELECT t.learner, t.grade_d, sum(t.grade_n), sum(t.answers), sum(t.took) "
            "FROM places AS p CROSS JOIN json_each(?) AS wanted "
            "CROSS JOIN tallies AS t ON t.place = p.id AND t.period = wanted.value "
            "JOIN learners AS l ON l.id = t.learner "
            "WHERE p.platform = ? AND p.chat = ? AND (? = '' OR p.thread = ?) AND l.hidden = 0 "
            "GROUP BY t.learner, t.grade_d",
            (json.dumps(list(periods)), place.platform, place.chat, place.thread, place.thread),
        )
        return _sums(rows)

    def names(self, place: Place, learners: Iterable[int]) -> Mapping[int, str]:
        """Learner id to the last name known in a place, else elsewhere in its chat; who is unknown there is missing."""
        rows = self._sql.all(
            "SELECT n.learner, n.name FROM json_each(?) AS wanted CROSS JOIN names AS n ON n.learner = wanted.value "
            "JOIN places AS p ON p.id = n.place WHERE p.platform = ? AND p.chat = ? ORDER BY p.id = ?, p.id",
            (json.dumps(sorted(set(learners))), place.platform, place.chat, place.id),
        )
        return dict(rows)

    def days(self, learner: int, place: Place | None = None) -> list[date]:
        """The local dates on which a learner answered something, right or wrong; a skip is no answer.

        Args:
            learner: Whose.
            place: Only there, its threads included; None is anywhere.

        Returns:
            Ascending, each once, as they were stored with the attempts.
        """
        statement = "SELECT DISTINCT a.on_date FROM attempts AS a {} WHERE a.learner = ? AND a.response <> ? {}"
        parameters: list[Any] = [learner, '{"chosen":[]}']
        if place is None:
            statement = statement.format("", "")
        else:
            statement = statement.format(
                "JOIN sessions AS s ON s.id = a.session JOIN places AS p ON p.id = s.place",
                "AND p.platform = ? AND p.chat = ? AND (? = '' OR p.thread = ?)",
            )
            parameters += [place.platform, place.chat, place.thread, place.thread]
        return sorted(date.fromisoformat(row[0]) for row in self._sql.all(statement, parameters))
