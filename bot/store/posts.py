"""Posts: every message that carries or will carry a question, a reveal or a daily question, and what became of it.

`pending` is written in the commit that demands the message, `sending` is committed before the request leaves. So a
post that is `sending` when the program starts may have been sent or not: it becomes `uncertain` and is not repeated
by itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from bot.store.connection import Sql
from bot.store.times import maybe_moment, micros, moment


class PostState(StrEnum):
    """What became of a post."""

    PENDING = "pending"
    """Demanded; no request has left."""
    SENDING = "sending"
    """A request is leaving or has left; no answer is known."""
    SENT = "sent"
    FAILED = "failed"
    """The platform refused it, or it surely did not leave."""
    UNCERTAIN = "uncertain"
    """The program ended, or the line broke, while it was sending."""


@dataclass(frozen=True, slots=True)
class Post:
    """One message."""

    id: int
    place: int
    kind: str
    session: str | None
    position: int | None
    state: PostState
    message: str | None
    """The platform's id of the message; None while it is not known."""
    poll: str | None
    """The platform's id of the poll in it; None if there is none."""
    nonce: str | None
    """What lets the platform recognise a repeated request; None if it cannot."""
    payload: Mapping[str, Any]
    """Only JSON types."""
    created_at: datetime
    """When it was demanded, UTC."""
    sent_at: datetime | None


_COLUMNS = "id, place, kind, session, position, state, message, poll, nonce, payload, created_at, sent_at"


def _post(row: tuple[Any, ...]) -> Post:
    number, place, kind, session, position, state, message, poll, nonce, payload, created_at, sent_at = row
    return Post(
        number,
        place,
        kind,
        session,
        position,
        PostState(state),
        message,
        poll,
        nonce,
        json.loads(payload),
        moment(created_at),
        maybe_moment(sent_at),
    )


class Posts:
    """Statements about posts."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def demand(
        self,
        place: int,
        kind: str,
        at: datetime,
        *,
        session: str | None = None,
        position: int | None = None,
        payload: Mapping[str, Any] | None = None,
        nonce: str | None = None,
    ) -> Post:
        """Have a message sent: a new post, pending."""
        text = json.dumps(dict(payload or {}), ensure_ascii=False)
        cursor = self._sql.write(
            "INSERT INTO posts (place, kind, session, position, state, nonce, payload, created_at) "
            "VALUES (?, ?, ?, ?, 'pending', ?, ?, ?)",
            (place, kind, session, position, nonce, text, micros(at)),
        )
        row = (cursor.lastrowid, place, kind, session, position, "pending", None, None, nonce, text, micros(at), None)
        return _post(row)

    def post(self, post: int) -> Post | None:
        """The post with this id; None if there is none."""
        return self._first("id = ?", post)

    def sending(self, post: int) -> bool:
        """The request is about to leave; to be committed before it does.

        Returns:
            False if the post is not pending: somebody else sends it or has sent it.
        """
        return self._move(post, "'sending'", "'pending'")

    def sent(self, post: int, message: str | None, at: datetime, poll: str | None = None) -> bool:
        """The platform has taken the message, or a tap on it proves that it did.

        Args:
            post: The post's id.
            message: The platform's id of the message; None if the proof does not name it.
            at: When it was sent, as well as is known, UTC.
            poll: The platform's id of the poll in it.

        Returns:
            False if it was known to be sent already; then nothing changes but a poll that was not known.
        """
        cursor = self._sql.write(
            "UPDATE posts SET state = 'sent', message = coalesce(?, message), poll = coalesce(?, poll), sent_at = ? "
            "WHERE id = ? AND state <> 'sent'",
            (message, poll, micros(at), post),
        )
        if cursor.rowcount == 0 and poll is not None:
            self._sql.write("UPDATE posts SET poll = ? WHERE id = ? AND poll IS NULL", (poll, post))
        return cursor.rowcount == 1

    def failed(self, post: int) -> bool:
        """The message surely was not sent.

        Returns:
            False if the post is not on its way; then nothing changes.
        """
        return self._move(post, "'failed'", "'pending', 'sending', 'uncertain'")

    def uncertain(self, post: int) -> bool:
        """Nobody knows whether the message was sent.

        Returns:
            False if the post is not sending; then nothing changes.
        """
        return self._move(post, "'uncertain'", "'sending'")

    def again(self, post: int) -> bool:
        """Somebody wants the message sent again.

        Returns:
            False if it neither failed nor is uncertain; then nothing changes.
        """
        return self._move(post, "'pending'", "'failed', 'uncertain'")

    def sweep(self, platform: str | None = None) -> list[Post]:
        """At the start of a platform: every post of it that was sending is uncertain now.

        Args:
            platform: Whose places are meant; None means all, if no other platform runs.

        Returns:
            Those posts, oldest first.
        """
        condition, of = "state = 'sending'", () if platform is None else (platform,)
        if of:
            condition += " AND place IN (SELECT id FROM places WHERE platform = ?)"
        swept = self._all(f"{condition} ORDER BY created_at, id", *of)
        self._sql.write(f"UPDATE posts SET state = 'uncertain' WHERE {condition}", of)  # noqa: S608
        return [self._known(post.id) for post in swept]

    def in_state(self, state: PostState) -> list[Post]:
        """All posts in a state, oldest first. Meant for the states that do not last."""
        return self._all("state = ? ORDER BY created_at, id", state.value)

    def waiting(self, platform: str, before: datetime, limit: int, *, shared: bool) -> list[Post]:
        """Posts of a platform that are pending and were demanded before a moment, oldest first.

        Args:
            platform: Whose places are meant.
            before: UTC, included.
            limit: At most so many.
            shared: Whether those in groups and channels are meant, or those in private chats.
        """
        return self._all(
            "state = 'pending' AND created_at <= ? AND EXISTS (SELECT 1 FROM places WHERE places.id = posts.place "
            "AND platform = ? AND (private_to IS NULL) = ?) ORDER BY created_at, id LIMIT ?",
            micros(before),
            platform,
            int(shared),
            limit,
        )

    def sent_since(self, platform: str, since: datetime) -> list[Post]:
        """Posts of sessions in groups and channels of a platform that were demanded since a moment and sent.

        Args:
            platform: Whose places are meant.
            since: UTC, included.
        """
        return self._all(
            "state = 'sent' AND created_at >= ? AND session IS NOT NULL AND EXISTS (SELECT 1 FROM places "
            "WHERE places.id = posts.place AND platform = ? AND private_to IS NULL) ORDER BY created_at, id",
            micros(since),
            platform,
        )

    def numbered_anew(self, place: int) -> None:
        """The platform numbers the messages of a place anew: the numbers known so far name nothing any longer."""
        self._sql.write("UPDATE posts SET message = NULL WHERE place = ?", (place,))

    def by_message(self, place: int, message: str) -> Post | None:
        """The post behind a message; None if it is not ours. Where a chat numbers anew, the latest."""
        return self._first("place = ? AND message = ? ORDER BY id DESC", place, message)

    def by_poll(self, poll: str) -> Post | None:
        """The post behind a poll; None if it is not ours."""
        return self._first("poll = ?", poll)

    def of_session(self, session: str, position: int | None = None) -> list[Post]:
        """The posts of a session, of one position or of all, oldest first."""
        if position is None:
            return self._all("session = ? ORDER BY id", session)
        return self._all("session = ? AND position = ? ORDER BY id", session, position)

    def _first(self, condition: str, *parameters: int | str) -> Post | None:
        row = self._sql.one(f"SELECT {_COLUMNS} FROM posts WHERE {condition} LIMIT 1", parameters)  # noqa: S608
        return None if row is None else _post(row)

    def _known(self, post: int) -> Post:
        found = self.post(post)
        assert found is not None
        return found

    def _all(self, condition: str, *parameters: int | str | None) -> list[Post]:
        rows = self._sql.all(f"SELECT {_COLUMNS} FROM posts WHERE {condition}", parameters)  # noqa: S608
        return [_post(row) for row in rows]

    def _move(self, post: int, to: str, states: str) -> bool:
        cursor = self._sql.write(f"UPDATE posts SET state = {to} WHERE id = ? AND state IN ({states})", (post,))  # noqa: S608
        return cursor.rowcount == 1
