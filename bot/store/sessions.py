"""Sessions, who takes part in them, and what is ticked but not sent."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from functools import lru_cache
from operator import attrgetter, ne
from typing import Any

from bot.quiz import Ending, Phase, Plan, Policy, Session, policy_from_json, policy_to_json
from bot.store.connection import Sql
from bot.store.tallies import settle
from bot.store.times import maybe_micros, maybe_moment, micros

_PHASES = {phase.value: phase for phase in Phase}
_ENDINGS: dict[str | None, Ending | None] = {None: None} | {ending.value: ending for ending in Ending}

_NO_POSITIONS: frozenset[int] = frozenset()


class SlotTaken(Exception):  # noqa: N818 it reads as what is the case
    """The slot has an open session already."""

    def __init__(self, session: str) -> None:
        self.session = session
        super().__init__(f"session {session} is open in this slot")


class Changed(Exception):  # noqa: N818 it reads as what is the case
    """The session is not as it was when it was read; nothing was written."""

    def __init__(self, session: str) -> None:
        self.session = session
        super().__init__(f"session {session} has changed since it was read: read it again in the same transaction")


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# The first half of a session never changes, so its text stands for its value.


@lru_cache(maxsize=256)
def _policy_text(policy: Policy) -> str:
    return _dumps(policy_to_json(policy))


@lru_cache(maxsize=256)
def _policy(text: str) -> Policy:
    return policy_from_json(json.loads(text))


@lru_cache(maxsize=256)
def _locales(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


@lru_cache(maxsize=1024)
def _plan(text: str) -> Plan:
    return Plan.from_json(json.loads(text))


def _dropped(text: str) -> frozenset[int]:
    return _NO_POSITIONS if text == "[]" else frozenset(json.loads(text))


_COLUMNS = (
    "id, place, slot, host, quiz, policy, locales, plan, "
    "position, phase, opened_at, deadline, ends_at, paused_at, dropped, ending"
)


def _session(row: tuple[Any, ...]) -> Session:
    return Session(
        row[0],
        row[1],
        row[2],
        row[3],
        row[4],
        _policy(row[5]),
        _locales(row[6]),
        _plan(row[7]),
        row[8],
        _PHASES[row[9]],
        maybe_moment(row[10]),
        maybe_moment(row[11]),
        maybe_moment(row[12]),
        maybe_moment(row[13]),
        _dropped(row[14]),
        _ENDINGS[row[15]],
    )


_CHANGING = ("position", "phase", "opened_at", "deadline", "ends_at", "paused_at", "dropped", "ending")
_changing = attrgetter(*_CHANGING)


def _stored(value: Any) -> int | str | None:
    """A value of the changing half as its column has it."""
    if value is None or type(value) is int:
        return value
    if isinstance(value, Phase | Ending):
        return value.value
    if isinstance(value, datetime):
        return micros(value)
    return _dumps(sorted(value))


@lru_cache(maxsize=256)
def _update(differs: tuple[bool, ...], closes: bool | None) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """How to write what differs, if the session is still as it was read.

    Returns:
        The statement, which of the changing values it sets, and which of the former ones it compares.
    """
    written = tuple(place for place, differ in enumerate(differs) if differ)
    compared = tuple(sorted({0, 1, *written}))  # position and phase always
    sets = [f"{_CHANGING[place]} = ?" for place in written]
    if closes is not None:
        sets.append(f"open = {not closes:d}")
    checks = [f"{_CHANGING[place]} IS ?" for place in compared]
    return f"UPDATE sessions SET {', '.join(sets)} WHERE id = ? AND {' AND '.join(checks)}", written, compared  # noqa: S608


class Sessions:
    """Statements about sessions."""

    _sql: Sql

    def session(self, session: str) -> Session | None:
        """The session with this id, open or closed; None if there is none."""
        row = self._sql.one(f"SELECT {_COLUMNS} FROM sessions WHERE id = ?", (session,))  # noqa: S608
        return None if row is None else _session(row)

    def open_session(self, place: int, slot: str) -> Session | None:
        """The open session of a slot; None if the slot is free."""
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM sessions WHERE place = ? AND slot = ? AND open = 1",  # noqa: S608
            (place, slot),
        )
        return None if row is None else _session(row)

    def open_sessions(self, place: int) -> list[Session]:
        """All open sessions of a place, the oldest first."""
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM sessions WHERE place = ? AND open = 1 ORDER BY rowid",  # noqa: S608
            (place,),
        )
        return [_session(row) for row in rows]

    def session_by_origin(self, origin: str) -> Session | None:
        """The session that this very update started, open or closed; None if it started none."""
        row = self._sql.one(f"SELECT {_COLUMNS} FROM sessions WHERE origin = ?", (origin,))  # noqa: S608
        return None if row is None else _session(row)

    def asked_in(self, place: int) -> dict[str, int]:
        """Item id to a number that grows with the time it was last asked of everybody in a place."""
        rows = self._sql.all(
            "SELECT x.item, max(coalesce(x.opened_at, 0)) FROM sessions AS s JOIN settled AS x ON x.session = s.id "
            "WHERE s.place = ? GROUP BY x.item",
            (place,),
        )
        return dict(rows)

    def add_session(self, session: Session, at: datetime, origin: str | None = None) -> None:
        """Keep a new session.

        Args:
            session: In any phase; its id is new.
            at: When it was started, UTC.
            origin: The id of the update that started it; no other session has it.

        Raises:
            SlotTaken: Its place and slot have an open session; nothing was written.
            sqlite3.IntegrityError: Id or origin are not new, or place or host are not known.
        """
        try:
            self._sql.write(
                "INSERT INTO sessions (id, place, slot, host, quiz, origin, created_at, open, position, phase, "
                "opened_at, deadline, ends_at, paused_at, dropped, ending, policy, locales, plan) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    session.id,
                    session.place,
                    session.slot,
                    session.host,
                    session.quiz,
                    origin,
                    micros(at),
                    int(not session.closed),
                    session.position,
                    session.phase.value,
                    maybe_micros(session.opened_at),
                    maybe_micros(session.deadline),
                    maybe_micros(session.ends_at),
                    maybe_micros(session.paused_at),
                    _dumps(sorted(session.dropped)),
                    _stored(session.ending),
                    _policy_text(session.policy),
                    _dumps(session.locales),
                    _dumps(session.plan.to_json()),
                ),
            )
        except sqlite3.IntegrityError as error:
            taken = None if session.closed else self.open_session(session.place, session.slot)
            if taken is None or taken.id == session.id:
                raise
            raise SlotTaken(taken.id) from error

    def save_session(self, before: Session, after: Session) -> None:
        """Write what a step changed, if the session still is what the step began with.

        The attempt of the step is stored already: with a position that is over, what was answered enters the boards.

        Args:
            before: As it was read.
            after: The same session one step later; equal to `before` if nothing changed, and then nothing is written.

        Raises:
            Changed: Somebody else has written the session since; nothing was written.
        """
        old, new = _changing(before), _changing(after)
        differs = tuple(map(ne, old, new))
        if True not in differs:
            return
        closes = after.closed if after.closed != before.closed else None
        statement, written, compared = _update(differs, closes)
        parameters = [_stored(new[place]) for place in written]
        parameters.append(before.id)
        parameters.extend([_stored(old[place]) for place in compared])
        if self._sql.write(statement, parameters).rowcount != 1:
            raise Changed(before.id)
        if not before.policy.solo:
            settle(self._sql, before, after)

    # --- who takes part

    def join(self, session: str, learner: int, at: datetime) -> None:
        """A learner takes part from now on; nothing changes for one who does already."""
        self._sql.write(
            "INSERT INTO participants (session, learner, joined_at) VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET joined_at = excluded.joined_at, left_at = NULL WHERE left_at IS NOT NULL",
            (session, learner, micros(at)),
        )

    def leave(self, session: str, learner: int, at: datetime) -> None:
        """A learner takes part no longer; nothing changes for one who does not."""
        self._sql.write(
            "UPDATE participants SET left_at = ? WHERE session = ? AND learner = ? AND left_at IS NULL",
            (micros(at), session, learner),
        )

    def is_joined(self, session: str, learner: int) -> bool:
        """Whether a learner takes part now."""
        row = self._sql.one(
            "SELECT 1 FROM participants WHERE session = ? AND learner = ? AND left_at IS NULL", (session, learner)
        )
        return row is not None

    def joined(self, session: str) -> list[int]:
        """Who takes part now, by id."""
        rows = self._sql.all(
            "SELECT learner FROM participants WHERE session = ? AND left_at IS NULL ORDER BY learner", (session,)
        )
        return [row[0] for row in rows]

    # --- what is ticked

    def draft(self, session: str, position: int, learner: int) -> tuple[str, ...]:
        """The option ids a learner has ticked and not sent; empty if nothing is."""
        row = self._sql.one(
            "SELECT chosen FROM drafts WHERE session = ? AND position = ? AND learner = ?", (session, position, learner)
        )
        return () if row is None else tuple(json.loads(row[0]))

    def set_draft(self, session: str, position: int, learner: int, chosen: tuple[str, ...]) -> None:
        """Keep what a learner has ticked."""
        self._sql.write(
            "INSERT INTO drafts (session, position, learner, chosen) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET chosen = excluded.chosen",
            (session, position, learner, _dumps(chosen)),
        )

    def clear_drafts(self, session: str) -> None:
        """Forget all that is ticked in a session."""
        self._sql.write("DELETE FROM drafts WHERE session = ?", (session,))
