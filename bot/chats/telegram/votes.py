"""Votes in native polls: each becomes an answer of the person who voted, however late we come to it.

A vote says neither where nor when it was given. Where, the post behind the poll knows; while nobody knows the poll, the
vote waits in the inbox, for a day. When: Telegram takes no vote after a poll has closed, so none is later than that.
docs/decisions/polls.md says what was weighed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from bot.bank import clean
from bot.chats.context import Context
from bot.chats.many import Heard, Many, Member, Told
from bot.chats.payload import Tap, read
from bot.chats.posts import prove
from bot.chats.telegram.moderators import NOBODY
from bot.chats.telegram.polls import chosen
from bot.chats.telegram.posting import Posting
from bot.chats.telegram.receiving import PLATFORM, part
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.shared import Committed
from bot.quiz import Response
from bot.store import Tx
from bot.store import Update as Row

log = logging.getLogger(__name__)

KEPT = timedelta(days=1)
"""How long a vote waits for its poll to be known. Source: Bot API server, it keeps votes for us as long."""

MEMBER_FOR = timedelta(hours=1)
"""How long it is remembered that somebody is in a chat. Chosen by us."""

STRANGER_FOR = timedelta(minutes=1)
"""How long it is remembered that somebody is not. Chosen by us: they may have joined meanwhile."""

ASK_AGAIN = timedelta(seconds=30)
"""When Telegram is asked again who is in a chat after it did not say. Chosen by us."""

REMEMBERED = 50_000
"""People of whom it is remembered. Chosen by us: about 10 MB."""


@dataclass(slots=True)
class _Vote:
    """A vote as it arrived."""

    row: Row
    poll: str
    places: tuple[int, ...]
    """Of the options chosen, as shown, from 0; empty takes a vote back."""
    voter: int
    name: str
    not_before: datetime
    """When it is looked at again."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A poll that was seen in a message."""

    chat: int
    message: int
    poll: str


class Votes:
    """Turns votes into answers."""

    def __init__(
        self,
        context: Context,
        sender: Sender,
        many: Many,
        posting: Posting,
        committed: Committed,
        hand_on: Callable[[Row], None],
    ) -> None:
        self._context, self._sender, self._many, self._posting = context, sender, many, posting
        self._committed, self._hand_on = committed, hand_on
        self._waiting: dict[int, _Vote] = {}
        self._members: dict[tuple[int, int], tuple[bool, datetime]] = {}

    async def take(self, row: Row, body: dict[str, Any]) -> None:
        """Carry out a `poll_answer`, as it arrived; one of an unknown poll stays in the inbox."""
        vote = _read(row, body)
        if vote is None:
            await self._drop([row])
            return
        self._waiting[row.update_id] = vote  # before the look-up, so that nothing falls between them
        chat = await self._context.store.run(lambda tx: _chat_of(tx, vote.poll))
        member = await self._is_member(chat, vote.voter) if chat is not None else None
        if member is None:
            now = self._context.now()
            if row.received_at + KEPT <= now:
                log.warning("vote %s is given up: nobody knows whose poll it is, or who is there", row.update_id)
                await self._drop([row])
            elif chat is not None:
                vote.not_before = now + ASK_AGAIN
            return
        so_far = [v for v in self._waiting.values() if (v.poll, v.voter) == (vote.poll, vote.voter)]  # as they arrived
        if not member:
            log.info("a vote of somebody who is not in chat %s does not count", chat)
            await self._drop([v.row for v in so_far])
            return
        told = await self._committed(row, lambda tx: [self._cast(tx, v) for v in so_far])
        for v in so_far:
            self._waiting.pop(v.row.update_id, None)
        for one in told:
            if one is not None and (one.edits or one.posts or one.retired):
                self._posting.say(one)

    async def _drop(self, rows: list[Row]) -> None:
        for row in rows:
            await self._committed(row, lambda tx, row=row: tx.inbox.done(PLATFORM, row.update_id))  # type: ignore[misc]
            self._waiting.pop(row.update_id, None)

    def _cast(self, tx: Tx, vote: _Vote) -> Told | None:
        """Have a vote counted, once.

        Returns:
            What is to be said; None if it changes nothing.
        """
        if not tx.inbox.done(PLATFORM, vote.row.update_id):
            return None
        post = tx.posts.by_poll(vote.poll)
        session = tx.session(post.session) if post is not None and post.session is not None else None
        place = tx.place(post.place) if post is not None else None
        if post is None or session is None or place is None or session.closed or session.position != post.position:
            return None
        options = chosen(session.plan[session.position], vote.places)
        if not options:  # taken back, or not of this poll
            return None
        at = vote.row.received_at
        if session.deadline is not None:
            at = min(at, session.deadline)
        learner = tx.learner_of(PLATFORM, str(vote.voter), vote.row.received_at)
        by = Member(learner, vote.name, moderator=False, t=self._context.languages.negotiate(place.locale))
        heard = Heard(tx, place, by, at, "", f"{PLATFORM}:{vote.row.update_id}")
        return self._many.answer(heard, session, Response(chosen=options))

    # --- who is there

    async def _is_member(self, chat: int, person: int) -> bool | None:
        known, now = self._members.get((chat, person)), self._context.now()
        if known is not None and timedelta(0) <= now - known[1] < (MEMBER_FOR if known[0] else STRANGER_FOR):
            return known[0]
        found = await self._sender.is_member(chat, person)
        if found is not None:
            self._members.pop((chat, person), None)
            self._members[chat, person] = found, now
            if len(self._members) > REMEMBERED:
                del self._members[next(iter(self._members))]
        return found

    # --- polls that become known

    async def seen(self, row: Row, polls: list[Seen], data: str) -> None:
        """A message of ours was seen with its poll: of one whose sending nobody could confirm, these are the ids.

        Args:
            row: The update.
            polls: What was seen in it.
            data: Of the button that was pressed under it; empty if none was.
        """
        tap = read(data)

        def note(tx: Tx) -> None:
            for one in polls:
                if tx.posts.by_poll(one.poll) is not None:
                    continue
                for place in tx.places_at(PLATFORM, str(one.chat)):
                    if isinstance(tap, Tap):
                        prove(tx, place.id, tap.session, tap.position, one.message, row.received_at)
                    post = tx.posts.by_message(place.id, str(one.message))
                    if post is not None and post.poll is None:
                        tx.posts.sent(post.id, str(one.message), row.received_at, one.poll)

        if polls:
            await self._committed(row, note)

    async def tick(self) -> None:
        """Once a second or so: votes whose poll has become known are counted, those that waited too long given up."""
        now = self._context.now()
        due = [vote for vote in self._waiting.values() if vote.not_before <= now]
        if not due:
            return

        def known(tx: Tx) -> set[str]:
            return {poll for poll in {vote.poll for vote in due} if tx.posts.by_poll(poll) is not None}

        polls = await self._context.store.read(known)
        for vote in due:
            if vote.poll in polls or vote.row.received_at + KEPT <= now:
                self._hand_on(vote.row)


def taken_out(update: dict[str, Any]) -> list[Seen]:
    """Take the polls out of the messages of an update, and tell which there were.

    The library cannot read those of an older server, and we need none of what they say.
    """
    found: list[Seen] = []
    for part_of_it in list(update.values()):
        if isinstance(part_of_it, dict):
            found += taken_out(part_of_it)
    poll, chat = update.pop("poll", None), part(update, "chat")
    if isinstance(poll, dict) and "id" in poll and "id" in chat and "message_id" in update:
        found.append(Seen(int(chat["id"]), int(update["message_id"]), str(poll["id"])))
    return found


def _read(row: Row, body: dict[str, Any]) -> _Vote | None:
    """A vote; None for one that can never count: of an anonymous administrator or a channel, or taken back."""
    voter, places, poll = part(body, "user"), body.get("option_ids"), body.get("poll_id")
    number = voter.get("id")
    if part(body, "voter_chat") or not isinstance(number, int) or number in NOBODY or not isinstance(poll, str):
        return None
    if not isinstance(places, list) or not places or not all(type(place) is int for place in places):
        return None
    name = " ".join(str(voter[part_of_it]) for part_of_it in ("first_name", "last_name") if voter.get(part_of_it))
    return _Vote(row, poll, tuple(places), number, clean(name), row.received_at)


def _chat_of(tx: Tx, poll: str) -> int | None:
    """The chat of a known poll."""
    post = tx.posts.by_poll(poll)
    place = tx.place(post.place) if post is not None else None
    return int(place.chat) if place is not None else None
