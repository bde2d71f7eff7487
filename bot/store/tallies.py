"""What attempts add up to, by place, period and learner: a board costs as much as it has people, not attempts.

Attempts stay the truth; `tallies` repeats them. It changes by one rule: before something changes which attempts count,
what they add up to is taken out, and put in again afterwards. Answers enter when their position is over (revealed,
left, or the session closed): before that nobody may see whether an answer was right.
"""

from __future__ import annotations

from bot.quiz import Phase, Session
from bot.store.connection import Sql
from bot.store.times import maybe_micros

_ADD = """
    INSERT INTO tallies (place, period, learner, grade_d, grade_n, answers, took)
    SELECT s.place, substr(a.on_date, 1, wanted.value), a.learner, a.grade_d, ? * a.grade_n, ?,
        ? * max(0, a.at - coalesce(x.opened_at, a.at))
    FROM {source} JOIN sessions AS s ON s.id = x.session CROSS JOIN json_each('[10, 7, 0]') AS wanted
    WHERE {condition}
        AND NOT EXISTS (
            SELECT 1 FROM attempts AS later
            WHERE later.session = a.session AND later.position = a.position AND later.learner = a.learner
                AND later.revision > a.revision
        )
        AND NOT EXISTS (
            SELECT 1 FROM voids AS v
            WHERE v.item = a.item AND v.since <= a.at AND (v.until IS NULL OR a.at < v.until)
        )
    ON CONFLICT DO UPDATE SET
        grade_n = grade_n + excluded.grade_n, answers = answers + excluded.answers, took = took + excluded.took
"""
_FROM_OVER = "settled AS x CROSS JOIN attempts AS a ON a.session = x.session AND a.position = x.position"
_FROM_LEARNER = "attempts AS a CROSS JOIN settled AS x ON x.session = a.session AND x.position = a.position"

_ADD_POSITION = _ADD.format(source=_FROM_OVER, condition="x.session = ? AND x.position = ?")
_ADD_ITEM = _ADD.format(source=_FROM_OVER, condition="x.item = ?")
_ADD_LEARNER = _ADD.format(source=_FROM_LEARNER, condition="a.learner = ?")


_PUT, _TAKE = (1, 1, 1), (-1, -1, -1)
"""The sign of grades, answers and time: what is put in, and what is taken out."""


def _over(session: Session) -> frozenset[int]:
    """The positions of a session for many whose answers count on boards."""
    passed = min(session.position + (session.phase in (Phase.REVEALED, Phase.CLOSED)), len(session.plan))
    return frozenset(range(passed)) - session.dropped


def settle(sql: Sql, before: Session, after: Session) -> None:
    """Count the positions of a session for many that a step has ended, and no longer those that it has dropped.

    The attempts of the step are stored already.
    """
    was, now = _over(before), _over(after)
    for position in was - now:
        sql.write(_ADD_POSITION, (*_TAKE, after.id, position))
        sql.write("DELETE FROM settled WHERE session = ? AND position = ?", (after.id, position))
    for position in now - was:
        opened_at = (before.opened_at or after.opened_at) if position == before.position else None
        sql.write(
            "INSERT INTO settled (session, position, item, opened_at) VALUES (?, ?, ?, ?)",
            (after.id, position, after.plan[position].item, maybe_micros(opened_at)),
        )
        sql.write(_ADD_POSITION, (*_PUT, after.id, position))


def take_out_item(sql: Sql, item: str) -> None:
    """Before it changes when an item was void: take out what was answered to it."""
    sql.write(_ADD_ITEM, (*_TAKE, item))


def put_in_item(sql: Sql, item: str) -> None:
    """Afterwards: count what was answered to an item again."""
    sql.write(_ADD_ITEM, (*_PUT, item))


def recount(sql: Sql, learner: int) -> None:
    """Count a learner anew from all attempts."""
    sql.write("DELETE FROM tallies WHERE learner = ?", (learner,))
    sql.write(_ADD_LEARNER, (*_PUT, learner))


def move(sql: Sql, source: int, target: int) -> None:
    """What was earned in a place was earned in another."""
    sql.write(
        "INSERT INTO tallies (place, period, learner, grade_d, grade_n, answers, took) "
        "SELECT ?, period, learner, grade_d, grade_n, answers, took FROM tallies WHERE place = ? "
        "ON CONFLICT DO UPDATE SET "
        "grade_n = grade_n + excluded.grade_n, answers = answers + excluded.answers, took = took + excluded.took",
        (target, source),
    )
    sql.write("DELETE FROM tallies WHERE place = ?", (source,))


def settle_closed(sql: Sql, session: str) -> None:
    """Count the present position of a session that was closed without a step, if it is for many."""
    row = sql.one(
        "SELECT position, json_extract(plan, '$[' || position || '][0]'), opened_at FROM sessions AS s WHERE id = ? "
        "AND json_extract(policy, '$.answerers') <> 'host' "
        "AND NOT EXISTS (SELECT 1 FROM json_each(s.dropped) AS dropped WHERE dropped.value = s.position) "
        "AND NOT EXISTS (SELECT 1 FROM settled AS x WHERE x.session = s.id AND x.position = s.position)",
        (session,),
    )
    if row is not None:
        sql.write("INSERT INTO settled (session, position, item, opened_at) VALUES (?, ?, ?, ?)", (session, *row))
        sql.write(_ADD_POSITION, (*_PUT, session, row[0]))
