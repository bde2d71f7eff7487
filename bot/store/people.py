"""Learners, their accounts, and the places where they meet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.store import tallies
from bot.store.connection import Sql
from bot.store.times import maybe_micros, maybe_moment, micros, moment


@dataclass(frozen=True, slots=True)
class Learner:
    """A person across platforms."""

    id: int
    locale: str | None
    """What the person chose; None if nothing was chosen."""
    zone: str | None
    """IANA name, as chosen; None if nothing was chosen."""
    created_at: datetime
    hidden: bool = False
    """Whether the person wants to stand on no board and in no list of names."""


@dataclass(frozen=True, slots=True)
class Place:
    """A private chat, group, topic, channel or thread on one platform."""

    id: int
    platform: str
    chat: str
    thread: str
    """Empty if the place is the whole chat."""
    locale: str | None
    zone: str | None
    """IANA name."""
    settings: Mapping[str, Any]
    """Only JSON types."""
    unreachable_at: datetime | None
    """Since when nothing can be sent here, UTC; None while it can."""
    private_to: int | None
    """The learner whose private chat it is; None if others may read."""


_PLACE = "id, platform, chat, thread, locale, zone, settings, unreachable_at, private_to"


def _place(row: tuple[Any, ...]) -> Place:
    number, platform, chat, thread, locale, zone, settings, unreachable_at, private_to = row
    chosen = {} if settings == "{}" else json.loads(settings)
    return Place(number, platform, chat, thread, locale, zone, chosen, maybe_moment(unreachable_at), private_to)


class People:
    """Statements about learners and places."""

    _sql: Sql

    def learner_of(self, platform: str, account: str, at: datetime) -> int:
        """The id of the person behind an account, who is made known at `at` if nobody has seen the account before."""
        known = self.known_learner(platform, account)
        if known is not None:
            return known
        learner = self._sql.write("INSERT INTO learners (created_at) VALUES (?)", (micros(at),)).lastrowid
        assert learner is not None
        self._sql.write(
            "INSERT INTO accounts (platform, account, learner) VALUES (?, ?, ?)", (platform, account, learner)
        )
        return learner

    def known_learner(self, platform: str, account: str) -> int | None:
        """The id of the person behind an account; None if nobody has seen the account."""
        row = self._sql.one("SELECT learner FROM accounts WHERE platform = ? AND account = ?", (platform, account))
        return None if row is None else int(row[0])

    def learner(self, learner: int) -> Learner | None:
        """Everything known of a person; None if the person was forgotten."""
        row = self._sql.one("SELECT id, locale, zone, created_at, hidden FROM learners WHERE id = ?", (learner,))
        return None if row is None else Learner(row[0], row[1], row[2], moment(row[3]), bool(row[4]))

    def accounts_of(self, learner: int) -> list[tuple[str, str]]:
        """Platform and account of a person, in order of platform and account."""
        return self._sql.all(
            "SELECT platform, account FROM accounts WHERE learner = ? ORDER BY platform, account", (learner,)
        )

    def set_learner_locale(self, learner: int, locale: str | None) -> None:
        """Keep the language a person chose; None forgets the choice."""
        self._sql.write("UPDATE learners SET locale = ? WHERE id = ?", (locale, learner))

    def set_learner_zone(self, learner: int, zone: str | None) -> None:
        """Keep the zone a person chose; None forgets the choice."""
        self._sql.write("UPDATE learners SET zone = ? WHERE id = ?", (zone, learner))

    def set_hidden(self, learner: int, hidden: bool) -> None:
        """Keep whether a person wants to stand on no board and in no list of names."""
        self._sql.write("UPDATE learners SET hidden = ? WHERE id = ?", (hidden, learner))

    def hidden_among(self, learners: Iterable[int]) -> set[int]:
        """Who of some learners wants to stand on no board."""
        rows = self._sql.all(
            "SELECT l.id FROM json_each(?) AS wanted JOIN learners AS l ON l.id = wanted.value WHERE l.hidden = 1",
            (json.dumps(sorted(set(learners))),),
        )
        return {row[0] for row in rows}

    def place_of(
        self, platform: str, chat: str, thread: str = "", *, at: datetime, private_to: int | None = None
    ) -> Place:
        """The place with this address, which is made known at `at` if it is new.

        Args:
            platform: The platform's name.
            chat: The platform's id of the chat or channel.
            thread: The platform's id of a topic or thread; empty for the whole chat.
            at: UTC.
            private_to: The learner whose private chat it is; kept with the place, so that forgetting the learner
                removes it.
        """
        address = (platform, chat, thread)
        row = self._sql.one(f"SELECT {_PLACE} FROM places WHERE platform = ? AND chat = ? AND thread = ?", address)  # noqa: S608
        if row is not None and (private_to is None or row[-1] == private_to):
            return _place(row)
        if row is not None:
            self._sql.write("UPDATE places SET private_to = ? WHERE id = ?", (private_to, row[0]))
        else:
            self._sql.write(
                "INSERT INTO places (platform, chat, thread, private_to, settings, created_at) "
                "VALUES (?, ?, ?, ?, '{}', ?)",
                (*address, private_to, micros(at)),
            )
        return self.place_of(platform, chat, thread, at=at)

    def place(self, place: int) -> Place | None:
        """The place with this id; None if there is none."""
        row = self._sql.one(f"SELECT {_PLACE} FROM places WHERE id = ?", (place,))  # noqa: S608
        return None if row is None else _place(row)

    def private_place(self, learner: int, platform: str) -> int | None:
        """The private chat of a person on a platform; None if there is none, or nothing can be sent there."""
        row = self._sql.one(
            "SELECT id FROM places WHERE private_to = ? AND platform = ? AND unreachable_at IS NULL LIMIT 1",
            (learner, platform),
        )
        return None if row is None else int(row[0])

    def zone_of(self, place: int) -> str | None:
        """The zone of a place, an IANA name; None if nobody chose one, or it is not known.

        In a private chat it is the learner's, in a thread that has none it is the chat's.
        """
        row = self._sql.one(
            "SELECT coalesce(l.zone, p.zone, chat.zone) FROM places AS p "
            "LEFT JOIN learners AS l ON l.id = p.private_to "
            "LEFT JOIN places AS chat ON p.thread <> '' "
            "AND chat.platform = p.platform AND chat.chat = p.chat AND chat.thread = '' "
            "WHERE p.id = ?",
            (place,),
        )
        return None if row is None else row[0]

    def chat_of(self, place: Place) -> Place:
        """The whole chat a thread belongs to; the place itself if it is one, or nobody has seen the chat."""
        row = self._sql.one(
            f"SELECT {_PLACE} FROM places WHERE platform = ? AND chat = ? AND thread = ''",  # noqa: S608
            (place.platform, place.chat),
        )
        return place if row is None else _place(row)

    def places_at(self, platform: str, chat: str) -> list[Place]:
        """The known places of a chat: itself and its threads, by id; empty if nobody has seen it."""
        rows = self._sql.all(
            f"SELECT {_PLACE} FROM places WHERE platform = ? AND chat = ? ORDER BY id",  # noqa: S608
            (platform, chat),
        )
        return [_place(row) for row in rows]

    def set_place(self, place: Place) -> None:
        """Keep locale, zone, settings and reachability as they stand in `place`; the address is not looked at."""
        self._sql.write(
            "UPDATE places SET locale = ?, zone = ?, settings = ?, unreachable_at = ? WHERE id = ?",
            (
                place.locale,
                place.zone,
                json.dumps(dict(place.settings), ensure_ascii=False),
                maybe_micros(place.unreachable_at),
                place.id,
            ),
        )

    def move_place(self, place: int, chat: str, thread: str = "") -> None:
        """Give a place its new address: the platform has moved the chat.

        If the new address is known already, that place is merged into this one. Where both have an open session in
        the same slot, the one of the moved place stays open and the other is closed.
        """
        other = self._sql.one(
            "SELECT new.id FROM places AS new JOIN places AS old ON new.platform = old.platform "
            "WHERE old.id = ? AND new.chat = ? AND new.thread = ?",
            (place, chat, thread),
        )
        if other is not None and other[0] != place:
            self._merge(other[0], place)
        self._sql.write("UPDATE places SET chat = ?, thread = ? WHERE id = ?", (chat, thread, place))

    def _merge(self, source: int, target: int) -> None:
        closed = self._sql.all(
            "SELECT id FROM sessions WHERE place = ? AND open = 1 "
            "AND slot IN (SELECT slot FROM sessions AS kept WHERE kept.place = ? AND kept.open = 1)",
            (source, target),
        )
        for (session,) in closed:
            self._sql.write(
                "UPDATE sessions SET open = 0, phase = 'closed', ending = 'stopped', deadline = NULL, "
                "paused_at = NULL WHERE id = ?",
                (session,),
            )
            tallies.settle_closed(self._sql, session)
        tallies.move(self._sql, source, target)
        self._sql.write("UPDATE sessions SET place = ? WHERE place = ?", (target, source))
        self._sql.write("UPDATE posts SET place = ? WHERE place = ?", (target, source))
        self._sql.write("UPDATE dailies SET place = ? WHERE place = ?", (target, source))
        self._sql.write("UPDATE OR REPLACE names SET place = ? WHERE place = ?", (target, source))
        self._sql.write(  # `;` follows `:`
            "UPDATE OR REPLACE due SET subject = ? || substr(subject, ?) WHERE subject > ? AND subject < ?",
            (f"place:{target}", len(f"place:{source}") + 1, f"place:{source}:", f"place:{source};"),
        )
        self._sql.write("DELETE FROM places WHERE id = ?", (source,))
