"""Posting in channels, threads and forum posts: posts leave at most once each, in order per place; edits follow.

What the clock asks of many places at once leaves a few places at a time, oldest first; whoever presses a button is
answered by other calls and waits for none of it. Whoever is killed in the middle goes on: posts that have not left are
pending. Edits are computed anew from what is stored and may be repeated.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord.utils import format_dt

from bot.chats.context import Context
from bot.chats.discord.channels import WHY, Channels, How, Trouble, channel_of
from bot.chats.discord.delivery import AGAIN_AFTER, repeatable
from bot.chats.discord.layout import Page, of_menu, of_message, of_words
from bot.chats.discord.sending import Lost, Sender
from bot.chats.discord.tallies import Tallies
from bot.chats.discord.who import PLATFORM, host_of
from bot.chats.many import GROUP, Many, Told
from bot.chats.menus import Menu, said
from bot.chats.payload import Pick
from bot.chats.posts import arrived, messages_of
from bot.chats.public import PAGE, answerable, keep_pinned, pinned, set_out, to_show_again, told_again, told_of
from bot.chats.standing import stand_still
from bot.i18n import Language
from bot.log import incident
from bot.present import Message, line, question
from bot.quiz import Session, Step
from bot.store import Place, Post, Tx, Unavailable
from bot.tutor import QUESTION, REVEAL, SUMMARY
from bot.tutor.daily import NOTICE

log = logging.getLogger(__name__)

RESEND = "resend"
"""Menu of the button that has a post sent again which may not have arrived; its value is the post's id."""

AT_ONCE = 8
"""Places that are served at the same time. Chosen by us: at a fifth of a second per call, most of the fifty calls a
second that Discord allows."""


@dataclass(frozen=True, slots=True)
class _Leaving:
    """A post with what it says."""

    place: Place
    pages: list[Page]
    how: How
    pin: bool = False


class Posting:
    """Everything that is shown to a whole place."""

    def __init__(self, context: Context, channels: Channels, sender: Sender, many: Many) -> None:
        self._context, self._channels, self._sender, self._many = context, channels, sender, many
        self._tallies = Tallies(context.now)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._draining: asyncio.Task[None] | None = None
        self._reveals: deque[str] = deque()
        self._not_before: dict[int, datetime] = {}
        """Posts that could not leave, and when they are tried again."""
        self._offers: dict[int, tuple[Post, datetime]] = {}
        """Posts that may have arrived, of which nobody could be told yet, and when that is tried again."""

    # --- order

    def _lock(self, place: int) -> asyncio.Lock:
        """What holds whoever changes something in a place; it is handed on in order."""
        lock = self._locks.get(place)
        if lock is None:
            lock = self._locks[place] = asyncio.Lock()
        return lock

    def _spawn(self, job: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _in_order(self, place: int, job: Callable[[], Awaitable[None]]) -> None:
        """Do something in a place after everything that was begun there before; what fails stops nothing else."""
        try:
            async with self._lock(place):
                await job()
        except (Unavailable, discord.DiscordException) as error:
            log.warning("not everything could be said in place %s: %s", place, error)
        except Exception as error:  # noqa: BLE001 what follows in this place must be said all the same
            incident(log, error, self._context.new_id, f"saying something in place {place}")

    async def drain(self, timeout_s: float) -> None:
        """Let what is at work finish, for so long at most; the rest is given up: what is pending leaves later."""
        if self._tasks:
            _, late = await asyncio.wait(set(self._tasks), timeout=timeout_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # --- what a transaction left

    def say(self, told: Told, first: Sequence[Page] = ()) -> None:
        """Show what a transaction left: edits, notices, posts.

        Args:
            told: What it left.
            first: Said before everything else.
        """
        self._spawn(self._in_order(told.place.id, lambda: self._say(told, first)))

    def show(self, place: Place, pages: Sequence[Page]) -> None:
        """Show a place something that is no post."""
        self._spawn(self._in_order(place.id, lambda: self._simply(place, pages)))

    async def _say(self, told: Told, first: Sequence[Page]) -> None:
        if first:
            await self._simply(told.place, first)
        await self._edit(told)
        for notice in told.notices:
            await self._simply(told.place, of_words((line(notice),)))
        for post in told.posts:
            await self._post(post)

    async def _simply(self, place: Place, pages: Sequence[Page]) -> None:
        """Say something that is no post; if it is lost it is lost."""
        sent = await self._channels.send(channel_of(place), pages)
        if isinstance(sent, Trouble) and sent in WHY:
            await self._stand_still(place, sent)

    async def _stand_still(self, place: Place, trouble: Trouble) -> None:
        at = self._context.now()
        await self._context.store.run(lambda tx: stand_still(tx, self._context.bank, place.id, WHY[trouble], at))

    # --- edits

    async def _edit(self, told: Told) -> None:
        session = told.session
        for number, message in told.edits:
            if session is not None and message.position == session.position and answerable(session):
                self._tallies.changed(told.place.id, session.id, message.position)
                continue
            await self._show(told.place, session, int(number), message)
        for number, _ in told.retired:
            await self._channels.retire(channel_of(told.place), int(number))

    async def _show(self, place: Place, session: Session | None, number: int, message: Message) -> None:
        """Have a question show its answer, in one edit; if that cannot be, the answer comes in a reply, once."""
        pages = self._pages(message, session, place)
        trouble = None
        if len(pages) == 1:
            trouble = await self._channels.edit(channel_of(place), number, pages[0])
            if trouble is None:
                return
        if trouble in WHY and trouble is not Trouble.ARCHIVED:  # to write in an archived thread opens it
            await self._stand_still(place, trouble)
        else:
            await self._in_a_reply(place, session, message.position)

    async def _in_a_reply(self, place: Place, session: Session | None, position: int) -> None:
        if session is None:
            return
        at = self._context.now()

        def demand(tx: Tx) -> Post | None:
            posts = tx.posts.of_session(session.id, position)
            if any(post.kind == REVEAL for post in posts):
                return None
            return tx.posts.demand(place.id, REVEAL, at, session=session.id, position=position)

        post = await self._context.store.run(demand)
        if post is None:
            return
        await self._post(post)
        for number in await self._context.store.run(lambda tx: messages_of(tx, session, position)):
            await self._channels.retire(channel_of(place), number)

    def _pages(self, message: Message, session: Session | None, place: Place) -> list[Page]:
        """A message as it leaves; an open question says when it closes, in the zone and language of its reader."""
        t = self.public(place)
        tail = "" if session is None else self._closing(session, message)
        return of_message(message, t, self._context.bank.root, tail=tail)

    def public(self, place: Place) -> Language:
        """The language of a place."""
        return self._context.languages.negotiate(place.locale)

    def _closing(self, session: Session, message: Message) -> str:
        limit = session.policy.item_limit_s
        if limit is None or not answerable(session) or message.position != session.position:
            return ""
        closes = session.deadline or self._context.now() + timedelta(seconds=limit)
        when = format_dt(closes, "R")
        languages = self._many.languages(session)
        return " / ".join(dict.fromkeys(t.gettext("Closes {when}", when=when) for t in languages))

    # --- tallies

    async def _tally(self, place: int, session: str, position: int) -> None:
        """Have a question show how many have answered, unless it shows something final."""

        def look(tx: Tx) -> tuple[Place, Session, Message, list[Post]] | None:
            known, where = tx.session(session), tx.place(place)
            if known is None or where is None or known.position != position or not answerable(known):
                return None
            if known.paused_at is not None or known.item not in self._context.bank.entries:
                return None
            answered = tx.answered_count(session, position)
            languages = self._many.languages(known)
            message = question(known, position, self._context.bank, languages, answered=answered, replaces=True)
            posts = [p for p in tx.posts.of_session(session, position) if p.kind == QUESTION and p.message]
            return where, known, message, posts

        found = await self._context.store.read(look)
        if found is None:
            self._tallies.drop(session, position)
            return
        where, known, message, posts = found
        page = self._pages(message, known, where)[-1]
        sent_at = min((post.sent_at for post in posts if post.sent_at is not None), default=None)
        self._tallies.shown(session, position, sent_at)
        for post in posts:
            if await self._channels.edit(channel_of(where), int(post.message or 0), page) is Trouble.AGED:
                self._tallies.rest(session, position)

    # --- posts

    async def _post(self, post: Post) -> None:
        """Send a post that is pending; one that somebody else sends, or that is out of date, is left alone."""
        store, now = self._context.store, self._context.now
        leaving = await store.run(lambda tx: self._begin(tx, post))
        if leaving is None:
            return
        sent = await self._channels.send(channel_of(leaving.place), leaving.pages, leaving.how)
        at = now()
        if not isinstance(sent, Trouble):
            self._not_before.pop(post.id, None)
            await store.run(lambda tx: arrived(tx, self._context.bank, post, sent, at))
            if leaving.pin:
                await self._pin(leaving.place, sent)
            return
        again = await store.run(lambda tx: self._lost(tx, post, sent, at))
        if again:
            self._not_before[post.id] = at + AGAIN_AFTER
            return
        self._not_before.pop(post.id, None)
        if sent is Trouble.UNCERTAIN:
            await self.offer_again(post)

    def _begin(self, tx: Tx, post: Post) -> _Leaving | None:
        """The post is sending from now on; None if it is not to be sent."""
        out = set_out(tx, post, PLATFORM)
        if out is None:
            return None
        place, session = out.place, out.session
        message = None if post.kind == NOTICE else self._many.says(tx, post, self._context.now())
        if message is None or session is None or out.broken:
            tx.posts.failed(post.id)
            return None
        asked = messages_of(tx, session, post.position) if post.position is not None else ()
        return _Leaving(
            place,
            self._pages(message, session if post.kind == QUESTION else None, place),
            How(
                nonce=f"k{post.id}",
                silent=out.silent,
                reply_to=asked[-1] if asked and post.kind == REVEAL else None,
            ),
            pin=out.pins(post),
        )

    def _lost(self, tx: Tx, post: Post, trouble: Trouble, at: datetime) -> bool:
        """Keep what became of a post.

        Returns:
            Whether it is pending again.
        """
        if trouble is Trouble.UNCERTAIN:
            tx.posts.uncertain(post.id)
            return repeatable(post, at) and tx.posts.again(post.id)
        tx.posts.failed(post.id)
        if trouble is Trouble.NOT_NOW:
            return tx.posts.again(post.id)  # it surely did not leave, so it may leave later
        if trouble in WHY:
            stand_still(tx, self._context.bank, post.place, WHY[trouble], at)
        return False

    async def _pin(self, place: Place, message: int) -> None:
        """Pin a daily question instead of the former one; without the right to, it is not pinned."""
        former = await self._context.store.read(lambda tx: pinned(tx, place.id))
        if await self._channels.pin(channel_of(place), message, instead_of=former):
            await self._context.store.run(lambda tx: keep_pinned(tx, place.id, message))

    async def offer_again(self, post: Post) -> None:
        """Tell whoever answers for a post that it may not have arrived, with one button to have it sent again."""
        if post.kind not in (QUESTION, SUMMARY, REVEAL):
            return
        found = await self._context.store.run(lambda tx: self._answerable_for(tx, post))
        if found is None:
            return
        place, to = found
        t = to.t if to is not None else self.public(place)
        pages = of_menu(unsure(place, post, t), t)
        self._offers.pop(post.id, None)
        if to is not None and not isinstance(await self._sender.send(to.chat, pages), Lost):
            return
        if await self._channels.send(channel_of(place), pages) in (Trouble.UNCERTAIN, Trouble.NOT_NOW):
            self._offers[post.id] = post, self._context.now() + AGAIN_AFTER

    def _answerable_for(self, tx: Tx, post: Post) -> tuple[Place, Any] | None:
        place = tx.place(post.place)
        session = tx.session(post.session) if post.session is not None else None
        if place is None or session is None:
            return None
        daily = tx.dailies.of_session(session.id)
        private = tx.private_place(daily.moderator, PLATFORM) if daily is not None else None
        return place, host_of(tx, self._context, private) if private is not None else None

    # --- the clock

    async def deliver(self, step: Step) -> None:
        """Say what the clock, or a moderator's panel, has done in a session for many."""
        session = step.session
        if session.slot == GROUP:
            left = await self._context.store.run(lambda tx: told_of(tx, self._many, step, PLATFORM))
            if left is not None:
                self.say(left)
            return
        if session.closed:
            self._reveals.append(session.id)
        self.tick()

    def _again(self, session: str, tx: Tx) -> Told | None:
        return told_again(tx, self._many, session, PLATFORM)

    def tick(self) -> None:
        """Once a second or so: what is pending leaves, tallies are shown."""
        for place, session, position in self._tallies.due():
            job = lambda s=session, p=position, at=place: self._tally(at, s, p)  # noqa: E731
            self._spawn(self._in_order(place, job))
        now = self._context.now()
        for post in [post for post, at in self._offers.values() if at <= now]:
            del self._offers[post.id]
            self._spawn(self._in_order(post.place, lambda post=post: self.offer_again(post)))  # type: ignore[misc]
        if self._draining is None or self._draining.done():
            self._draining = self._spawn(self._drain())

    async def take_up(self, stale: Sequence[Post]) -> None:
        """At the start: of what may have arrived whoever answers for it is told, and what was revealed is shown.

        Args:
            stale: Posts that may have arrived and cannot be repeated any more.
        """
        for post in stale:
            self._spawn(self._in_order(post.place, lambda post=post: self.offer_again(post)))  # type: ignore[misc]
        now = self._context.now()

        self._reveals += await self._context.store.read(lambda tx: to_show_again(tx, PLATFORM, now))
        self.tick()

    async def _drain(self) -> None:
        """Show what closed and send what waits, oldest first."""
        free = asyncio.Semaphore(AT_ONCE)

        async def at_work(place: int, job: Callable[[], Awaitable[None]]) -> None:
            async with free:
                await self._in_order(place, job)

        try:
            while self._reveals:
                sessions = [self._reveals.popleft() for _ in range(min(PAGE, len(self._reveals)))]
                found = [await self._context.store.run(partial(self._again, session)) for session in sessions]
                jobs = [(t.place.id, lambda t=t: self._edit(t)) for t in found if t is not None]
                await asyncio.gather(*(at_work(place, job) for place, job in jobs))
            tried: set[int] = set()
            while posts := [post for post in await self._waiting() if post.id not in tried]:
                tried |= {post.id for post in posts}
                await asyncio.gather(*(at_work(p.place, lambda p=p: self._post(p)) for p in posts))  # type: ignore[misc]
        except Unavailable as error:
            log.warning("nothing can be posted now: %s", error)

    async def _waiting(self) -> list[Post]:
        now = self._context.now()
        found = await self._context.store.read(lambda tx: tx.posts.waiting(PLATFORM, now, PAGE, shared=True))
        return [post for post in found if self._not_before.get(post.id, now) <= now]


def unsure(place: Place, post: Post, t: Language) -> Menu:
    """That a post may not have arrived, with one button to have it sent again."""
    title = place.settings.get("title") or t.gettext("your channel")
    words = t.gettext(
        "The connection broke, and I do not know whether my last message arrived in {place}.", place=title
    )
    return said(words, (t.gettext("Send again"), Pick(RESEND, (str(post.id),))))
