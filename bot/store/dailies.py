"""Daily questions: who asked for which, when each happened, and the names people have in a place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from bot.store.connection import Sql
from bot.store.times import micros, moment


@dataclass(frozen=True, slots=True)
class Daily:
    """A place's wish for a question on some days."""

    id: int
    """0 until it is kept."""
    place: int
    moderator: int
    """The learner who answers for it; kept as `owner`."""
    at: time
    """Local time, hours and minutes."""
    zone: str
    """IANA name."""
    weekdays: frozenset[int]
    """0 is Monday; at least one."""
    quiz: str
    """The quiz or module the items are drawn from."""
    locales: tuple[str, ...]
    """One or two, the first first."""
    open_s: int
    """Seconds a question stays open."""
    reply: bool = False
    """Whether the answer is revealed in a reply instead of in the post itself."""
    silent: bool = False
    pin: bool = False
    names: bool = True
    """Whether the reveal names who was right."""
    quiet: tuple[time, time] | None = None
    """Hours in which nothing late is sent."""
    paused: bool = False
    """By a moderator."""
    broken: str = ""
    """Why it cannot be posted; empty while it can."""
    next_item: str = ""
    """The item a moderator chose for the next run; empty draws one."""
    skip: date | None = None
    """A local date that a moderator wants left out."""


@dataclass(frozen=True, slots=True)
class Run:
    """What happened on one local date."""

    daily: int
    on: date
    state: str
    """`begun`, `missed`, `skipped` or `empty`."""
    session: str | None
    """Only if it was begun."""
    item: str | None
    at: datetime
    """When it was recorded, UTC."""


_DAILY = (
    "id, place, owner, at, zone, weekdays, quiz, locales, open_s, reply, silent, pin, names, quiet, paused, broken, "
    "next_item, skip"
)
_RUN = "daily, on_date, state, session, item, at"


def _daily(row: tuple[Any, ...]) -> Daily:
    quiet = tuple(map(time.fromisoformat, json.loads(row[13]))) if row[13] else None
    return Daily(
        id=row[0],
        place=row[1],
        moderator=row[2],
        at=time.fromisoformat(row[3]),
        zone=row[4],
        weekdays=frozenset(json.loads(row[5])),
        quiz=row[6],
        locales=tuple(json.loads(row[7])),
        open_s=row[8],
        reply=bool(row[9]),
        silent=bool(row[10]),
        pin=bool(row[11]),
        names=bool(row[12]),
        quiet=None if quiet is None else (quiet[0], quiet[1]),
        paused=bool(row[14]),
        broken=row[15],
        next_item=row[16],
        skip=date.fromisoformat(row[17]) if row[17] else None,
    )


def _columns(daily: Daily) -> tuple[Any, ...]:
    return (
        daily.place,
        daily.moderator,
        daily.at.isoformat("minutes"),
        daily.zone,
        json.dumps(sorted(daily.weekdays)),
        daily.quiz,
        json.dumps(daily.locales),
        daily.open_s,
        daily.reply,
        daily.silent,
        daily.pin,
        daily.names,
        json.dumps([t.isoformat("minutes") for t in daily.quiet]) if daily.quiet else None,
        daily.paused,
        daily.broken,
        daily.next_item,
        daily.skip.isoformat() if daily.skip else None,
    )


def _run(row: tuple[Any, ...]) -> Run:
    return Run(row[0], date.fromisoformat(row[1]), row[2], row[3], row[4], moment(row[5]))


class Dailies:
    """Statements about daily questions."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, daily: Daily) -> int:
        """Keep a new one; gives its id."""
        marks = ", ".join("?" * 17)
        cursor = self._sql.write(
            f"INSERT INTO dailies ({_DAILY.removeprefix('id, ')}) VALUES ({marks})",  # noqa: S608
            _columns(daily),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def save(self, daily: Daily) -> None:
        """Keep everything as it stands in `daily`, by its id."""
        names = _DAILY.removeprefix("id, ").split(", ")
        sets = ", ".join(f"{name} = ?" for name in names)
        self._sql.write(f"UPDATE dailies SET {sets} WHERE id = ?", (*_columns(daily), daily.id))  # noqa: S608

    def remove(self, daily: int) -> None:
        """Take one out of every list. The row stays: its id is never given to another one, and a question that is open
        ends as it was set up.
        """
        self._sql.write("UPDATE dailies SET removed = 1, broken = '' WHERE id = ?", (daily,))

    def get(self, daily: int) -> Daily | None:
        """The one with this id; None if there is none, or it was removed."""
        row = self._sql.one(f"SELECT {_DAILY} FROM dailies WHERE id = ? AND removed = 0", (daily,))  # noqa: S608
        return None if row is None else _daily(row)

    def of_place(self, place: int) -> list[Daily]:
        """Those of a place, oldest first."""
        rows = self._sql.all(f"SELECT {_DAILY} FROM dailies WHERE place = ? AND removed = 0 ORDER BY id", (place,))  # noqa: S608
        return [_daily(row) for row in rows]

    def of_moderator(self, learner: int) -> list[Daily]:
        """Those a learner answers for as a moderator, oldest first."""
        rows = self._sql.all(f"SELECT {_DAILY} FROM dailies WHERE owner = ? AND removed = 0 ORDER BY id", (learner,))  # noqa: S608
        return [_daily(row) for row in rows]

    def of_session(self, session: str) -> Daily | None:
        """The one that began a session, also if it was removed since; None if the session is no daily one."""
        names = ", ".join(f"d.{name}" for name in _DAILY.split(", "))
        row = self._sql.one(
            f"SELECT {names} FROM runs AS r JOIN dailies AS d ON d.id = r.daily WHERE r.session = ?",  # noqa: S608
            (session,),
        )
        return None if row is None else _daily(row)

    def record(self, run: Run) -> bool:
        """Keep what happens on a local date, before anything is sent.

        Returns:
            False if something is recorded for that date already; then nothing changes, unless this one was begun and
            the other was not.
        """
        cursor = self._sql.write(
            f"INSERT INTO runs ({_RUN}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (daily, on_date) DO UPDATE "  # noqa: S608
            "SET state = excluded.state, session = excluded.session, item = excluded.item, at = excluded.at "
            "WHERE excluded.state = 'begun' AND state <> 'begun'",
            (run.daily, run.on.isoformat(), run.state, run.session, run.item, micros(run.at)),
        )
        return cursor.rowcount == 1

    def run(self, daily: int, on: date) -> Run | None:
        """What is recorded for a local date; None if nothing is."""
        row = self._sql.one(f"SELECT {_RUN} FROM runs WHERE daily = ? AND on_date = ?", (daily, on.isoformat()))  # noqa: S608
        return None if row is None else _run(row)

    def runs(self, daily: int, limit: int) -> list[Run]:
        """The latest runs, the newest first."""
        rows = self._sql.all(
            f"SELECT {_RUN} FROM runs WHERE daily = ? ORDER BY on_date DESC LIMIT ?",  # noqa: S608
            (daily, limit),
        )
        return [_run(row) for row in rows]

    def asked(self, place: int) -> dict[str, int]:
        """Item id to a number that grows with the date it was last a daily question of a place."""
        rows = self._sql.all(
            "SELECT r.item, max(r.at) FROM dailies AS d JOIN runs AS r ON r.daily = d.id "
            "WHERE d.place = ? AND r.item IS NOT NULL GROUP BY r.item",
            (place,),
        )
        return dict(rows)


class Names:
    """Statements about the names people have in a place."""

    _sql: Sql

    def set_name(self, place: int, learner: int, name: str) -> None:
        """Keep the name a person has in a place now; written only when it differs."""
        self._sql.write(
            "INSERT INTO names (place, learner, name) VALUES (?, ?, ?) "
            "ON CONFLICT (place, learner) DO UPDATE SET name = excluded.name WHERE name <> excluded.name",
            (place, learner, name),
        )

    def names_of(self, place: int, learners: Iterable[int]) -> Mapping[int, str]:
        """Learner id to the last name known in a place.

        Who is unknown there, was forgotten or wants to be hidden is missing.
        """
        wanted = json.dumps(sorted(set(learners)))
        return dict(
            self._sql.all(
                "SELECT n.learner, n.name FROM json_each(?) AS wanted "
                "JOIN names AS n ON n.place = ? AND n.learner = wanted.value "
                "JOIN learners AS l ON l.id = n.learner AND l.hidden = 0",
                (wanted, place),
            )
        )
