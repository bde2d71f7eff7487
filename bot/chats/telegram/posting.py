"""Posting in groups, topics and channels: posts leave at most once each, in order per place; edits show what is so.

What the clock asks of thousands of places at once leaves through a few workers, in order and at the permitted rate,
behind whatever a person waits for. Who is killed in the middle goes on: posts that have not left are pending.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import TelegramError

from bot.chats.context import Context
from bot.chats.dailies import news_of
from bot.chats.many import GROUP, Many, Told
from bot.chats.posts import arrived, messages_of
from bot.chats.public import LATELY, PAGE, answerable, keep_pinned, pinned, set_out, to_show_again, told_again, told_of
from bot.chats.standing import stand_still
from bot.chats.telegram.doubts import doubt, resend
from bot.chats.telegram.keyboard import keyboard
from bot.chats.telegram.lanes import Lanes
from bot.chats.telegram.limiter import Urgency
from bot.chats.telegram.outcomes import Lost, Moved, Polled
from bot.chats.telegram.photos import send_photos
from bot.chats.telegram.places import WHY, Address, kind_of, move, public
from bot.chats.telegram.polls import CHANNEL, Poll, plan_rendering
from bot.chats.telegram.private import WHY_LINK
from bot.chats.telegram.receiving import PLATFORM
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.tallies import Tallies
from bot.chats.telegram.text import Text, texts
from bot.log import incident
from bot.present import Message, Verb, reveal, spoken
from bot.quiz import Feedback, Phase, Session, Step
from bot.store import Place, Post, PostState, Tx, Unavailable
from bot.tutor import QUESTION, REVEAL
from bot.tutor.daily import NOTICE

log = logging.getLogger(__name__)

WORKERS = 16
"""Who send to many places. Chosen by us: enough to use the rate of 30 a second at half a second per call."""


@dataclass(frozen=True, slots=True)
class _Leaving:
    """A post with what it says."""

    message: Message
    at: Address
    silent: bool = False
    reply_to: int | None = None
    pin: bool = False
    why: str = ""
    """The label of the button that explains in private; empty for none."""
    buttons: InlineKeyboardMarkup | None = None
    """Instead of those of the message."""
    poll: Poll | None = None
    """What it is sent as, if Telegram takes it."""


class Posting:
    """Everything that is shown to a whole place."""

    def __init__(
        self,
        context: Context,
        sender: Sender,
        lanes: Lanes,
        many: Many,
        sleep: Callable[[float], Awaitable[None]],
        *,
        polls: bool = True,
    ) -> None:
        """Prepare; nothing is sent before `run`.

        Args:
            context: The tutor's means.
            sender: Sends.
            lanes: Keep the order of each place.
            many: Says what is said.
            sleep: Waits for some seconds.
            polls: Whether groups that have not chosen are asked by native polls.
        """
        self._polls = polls
        self._context, self._sender, self._lanes, self._many = context, sender, lanes, many
        self._tallies = Tallies(sender, sleep)
        self._reveals: deque[str] = deque()
        self._posts: deque[Post] = deque()
        self._taken: set[int] = set()
        self._busy: set[int] = set()
        self._news = asyncio.Event()

    # --- what a transaction left

    def say(self, told: Told) -> None:
        """Show what a transaction left, in the order of its place: edits, notices, posts."""
        self._in_order(told.place.id, lambda: self._say(told))

    def _in_order(self, place: int, job: Callable[[], Awaitable[None]]) -> None:
        async def carry_out() -> None:
            try:
                await job()
            except (Unavailable, TelegramError) as error:
                log.warning("not everything could be said in place %s: %s", place, error)
            except Exception as error:  # noqa: BLE001 what follows in this place must be said all the same
                incident(log, error, self._context.new_id, f"saying something in place {place}")

        self._lanes.put(f"place {place}", carry_out)

    async def _say(self, told: Told) -> None:
        await self._edit(told, Urgency.QUESTION)
        at = Address.of(told.place)
        for number, position in told.retired:
            if number in told.polls:
                continue
            self._tallies.drop(at.chat, int(number))
            await self._sender.retire(at.chat, int(number), self._left(told, position))
        for notice in told.notices:
            await self._sender.send(at.chat, Text(notice), thread=at.thread, urgency=Urgency.QUESTION)
        for post in told.posts:
            await self.post(post, Urgency.QUESTION)

    async def _edit(self, told: Told, urgency: Urgency) -> None:
        chat, session = Address.of(told.place).chat, told.session
        for number, position in told.retired:
            if number in told.polls:
                await self._sender.stop_poll(chat, int(number), self._left(told, position), urgency=urgency)
        for number, message in told.edits:
            counting = session is not None and message.position == session.position and answerable(session)
            first, *more = texts(message, pictures=False)  # the photo stands above
            buttons = self._buttons(message, self._why(session))
            if counting:
                self._tallies.show(chat, int(number), (first, buttons))
                continue
            self._tallies.drop(chat, int(number))
            await self._sender.edit(chat, int(number), first, None if more else buttons, urgency=urgency)
            await self._pages(Address.of(told.place), more, buttons, reply_to=int(number), urgency=urgency)

    def _left(self, told: Told, position: int) -> InlineKeyboardMarkup | None:
        """What stays below a question that is over: it is explained in private."""
        session = told.session
        if session is None or not (session.closed or position < session.position):
            return None
        return InlineKeyboardMarkup([[self._link(self._explain(session), session.id, position)]])

    def _explain(self, session: Session) -> str:
        return spoken(self._many.languages(session), lambda t: t.gettext("Why? (in private)"))

    def _link(self, words: str, session: str, position: int) -> InlineKeyboardButton:
        url = f"https://t.me/{self._sender.name}?start={WHY_LINK}_{session}_{position}"
        return InlineKeyboardButton(words, url=url)

    def _why(self, session: Session | None) -> str:
        """The label of the button that explains in private what one person has answered, where that is known."""
        if session is None or (session.policy.feedback is not Feedback.AT_ONCE and answerable(session)):
            return ""
        return self._explain(session)

    def _buttons(self, message: Message, why: str) -> InlineKeyboardMarkup | None:
        buttons = keyboard(message)
        if not why or not message.session or not (message.choices or message.typed or message.head):
            return buttons
        rows = list(buttons.inline_keyboard) if buttons is not None else []
        return InlineKeyboardMarkup([*rows, [self._link(why, message.session, message.position)]])

    # --- posts

    async def post(self, post: Post, urgency: Urgency) -> None:
        """Send a post that is pending; one that somebody else sends, or that is out of date, is left alone."""
        store, now = self._context.store, self._context.now
        leaving = await store.run(lambda tx: self._begin(tx, post))
        if leaving is None:
            return
        sent = await self._send(leaving, urgency)
        at = now()
        if isinstance(sent, int):
            await store.run(lambda tx: arrived(tx, self._context.bank, post, sent, at))
            if leaving.pin:
                await self._pin(post.place, leaving.at.chat, sent)
        elif isinstance(sent, Polled):
            if await store.run(lambda tx: self._polled(tx, post, sent, at)):
                await self._sender.stop_poll(leaving.at.chat, sent.message, urgency=urgency)
                self._news.set()
            elif leaving.pin:
                await self._pin(post.place, leaving.at.chat, sent.message)
        elif sent is Lost.UNCERTAIN:
            await store.run(lambda tx: self._in_doubt(tx, post))
            self._news.set()
        elif isinstance(sent, Moved):
            await store.run(lambda tx: self._moved(tx, post, leaving.at.chat, sent))
            self._news.set()
        else:
            await store.run(lambda tx: self._lost(tx, post, sent))

    async def _send(self, leaving: _Leaving, urgency: Urgency) -> int | Polled | Lost | Moved:
        if leaving.poll is not None:
            steering = tuple(action for action in leaving.message.actions if action.verb is not Verb.SUBMIT)
            bare = replace(leaving.message, choices=(), actions=steering)
            polled = await self._sender.send_poll(
                leaving.at.chat,
                leaving.poll,
                self._buttons(bare, "" if leaving.poll.anonymous else leaving.why),
                now=self._context.now,
                thread=leaving.at.thread,
                silent=leaving.silent,
                urgency=urgency,
            )
            if polled not in (Lost.REFUSED, Lost.NO_RIGHTS):
                return polled
            log.info("chat %s takes no poll; the question is asked with buttons", leaving.at.chat)
        photos = await send_photos(
            self._sender,
            leaving.at.chat,
            leaving.message,
            self._context.bank.root,
            thread=leaving.at.thread,
            silent=leaving.silent,
        )
        pages = texts(leaving.message, pictures=not photos)
        buttons = leaving.buttons or self._buttons(leaving.message, leaving.why)
        return await self._pages(
            leaving.at, pages, buttons, reply_to=leaving.reply_to, silent=leaving.silent, urgency=urgency
        )

    def _polled(self, tx: Tx, post: Post, sent: Polled, at: datetime) -> bool:
        """A poll was sent: its clock starts.

        Returns:
            Whether it is to be closed at once, because its question was over before it arrived.
        """
        tx.posts.sent(post.id, str(sent.message), at, sent.poll)
        arrived(tx, self._context.bank, post, sent.message, at)
        session = tx.session(post.session) if post.session is not None else None
        if session is None or post.position is None or _asks(session, post.position):
            return False
        revealed = session.position == post.position and session.phase is Phase.REVEALED
        if revealed and not any(p.kind == REVEAL for p in tx.posts.of_session(session.id, post.position)):
            tx.posts.demand(post.place, REVEAL, at, session=session.id, position=post.position)
        return True

    def wants_polls(self, place: Place) -> bool:
        """Whether questions leave as native polls where they fit: groups may say no, channels yes."""
        return bool(place.settings.get("polls", self._polls and kind_of(place) != CHANNEL))

    def _as_poll(self, session: Session, position: int, place: Place) -> Poll | None:
        """The native poll that a question leaves as; None if it leaves with buttons."""
        entry = self._context.bank.entries.get(session.plan[position].item)
        if entry is None:
            return None
        wanted, languages = self.wants_polls(place), self._many.languages(session)
        now = self._context.now()
        return plan_rendering(session, position, entry, languages, chat=kind_of(place), wanted=wanted, at=now)

    def _begin(self, tx: Tx, post: Post) -> _Leaving | None:
        """The post is sending from now on; None if it is not to be sent."""
        out = set_out(tx, post, PLATFORM)
        if out is None:
            return None
        place, session = out.place, out.session
        message = self._says(tx, post, place)
        if message is None or out.broken:
            tx.posts.failed(post.id)
            return None
        asked = messages_of(tx, session, post.position) if session is not None and post.position is not None else ()
        return _Leaving(
            message,
            Address.of(place),
            silent=out.silent,
            reply_to=asked[-1] if asked and post.kind == REVEAL else None,
            pin=out.pins(post),
            why=self._why(session) if post.kind in (QUESTION, REVEAL) else "",
            buttons=resend(post, public(self._context.languages, place)),
            poll=self._as_poll(session, session.position, place)
            if session is not None and post.kind == QUESTION
            else None,
        )

    def _says(self, tx: Tx, post: Post, place: Place) -> Message | None:
        if post.kind == NOTICE:
            return news_of(tx, post, public(self._context.languages, place))
        if post.kind == REVEAL and kind_of(place) == CHANNEL and post.session is not None and post.position is not None:
            session, position = tx.session(post.session), post.position
            if session is not None and any(p.poll is not None for p in tx.posts.of_session(session.id, position)):
                bank, languages = self._context.bank, self._many.languages(session)
                return replace(reveal(session, position, None, bank, languages, None, last=True), replaces=False)
        return self._many.says(tx, post, self._context.now())

    def _in_doubt(self, tx: Tx, post: Post) -> None:
        if tx.posts.uncertain(post.id):
            doubt(tx, post, self._context.now())

    def _moved(self, tx: Tx, post: Post, old: int, moved: Moved) -> None:
        """Everything of the chat moves, and what it did not take leaves for the new one; a question only once."""
        tx.posts.failed(post.id)
        move(tx, old, moved.chat, self._context.now())
        others = tx.posts.of_session(post.session, post.position) if post.session is not None else []
        if post.kind != QUESTION or not any(p.state is PostState.PENDING for p in others):
            tx.posts.again(post.id)

    def _lost(self, tx: Tx, post: Post, lost: Lost) -> None:
        tx.posts.failed(post.id)
        if lost is Lost.NOT_SENT:
            tx.posts.again(post.id)  # it surely did not leave, so it may leave later
        elif why := WHY.get(lost):
            stand_still(tx, self._context.bank, post.place, why, self._context.now())

    async def _pages(
        self,
        at: Address,
        pages: Sequence[Text],
        buttons: InlineKeyboardMarkup | None,
        *,
        reply_to: int | None = None,
        silent: bool = False,
        urgency: Urgency,
    ) -> int | Lost | Moved:
        """Send texts one after the other, the buttons under the last."""
        sent: int | Lost | Moved = Lost.REFUSED
        for i, page in enumerate(pages):
            last = buttons if i == len(pages) - 1 else None
            for text in (page, Text(page.characters)):  # the same words once more, without any style
                sent = await self._sender.send(
                    at.chat, text, last, thread=at.thread, reply_to=reply_to, silent=silent, urgency=urgency
                )
                if sent is not Lost.REFUSED:
                    break
            if not isinstance(sent, int):
                break
        return sent

    async def _pin(self, place: int, chat: int, message: int) -> None:
        """Pin a daily question instead of the former one; without the right to, it is not pinned."""
        former = await self._context.store.read(lambda tx: pinned(tx, place))
        lost = await self._sender.pin(chat, message, instead_of=former)
        if lost is not None:
            log.info("a question could not be pinned in chat %s: %s", chat, lost)
            return
        await self._context.store.run(lambda tx: keep_pinned(tx, place, message))

    # --- many places at once

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
        self._news.set()

    def tick(self) -> None:
        """Once a second or so: what is pending leaves."""
        self._news.set()

    async def take_up(self) -> None:
        """At the start: what was revealed is shown, and what is pending leaves."""
        now = self._context.now()

        def forgotten(tx: Tx) -> list[tuple[int, int, int]]:
            return [
                (post.place, Address.of(place).chat, int(post.message))
                for post in tx.posts.sent_since(PLATFORM, now - LATELY)
                if post.poll is not None and post.message is not None and _still_open(tx, post)
                if (place := tx.place(post.place)) is not None
            ]

        for place, chat, message in await self._context.store.read(forgotten):
            self._in_order(place, lambda chat=chat, message=message: self._forgotten(chat, message))  # type: ignore[misc]
        self._reveals += await self._context.store.read(lambda tx: to_show_again(tx, PLATFORM, now))
        self._news.set()

    async def _forgotten(self, chat: int, message: int) -> None:
        await self._sender.stop_poll(chat, message, urgency=Urgency.BULK)

    async def run(self) -> None:
        """Send what waits, for ever."""
        workers = [asyncio.create_task(self._work(), name=f"worker {i}") for i in range(WORKERS)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            await self._tallies.stop()

    async def _work(self) -> None:
        while True:
            try:
                await self._one()
            except (Unavailable, TelegramError) as error:
                log.warning("something could not be posted now: %s", error)
                self._news.clear()
                await self._news.wait()  # the next tick at the latest
            except Exception as error:  # noqa: BLE001 one place must not stop the others
                incident(log, error, self._context.new_id, "posting")

    async def _one(self) -> None:
        """One edit or post; waits if there is nothing to do."""
        if self._reveals:
            session = self._reveals.popleft()
            again = await self._context.store.run(lambda tx: told_again(tx, self._many, session, PLATFORM))
            if again is not None:
                await self._edit(again, Urgency.BULK)
            return
        if not self._posts:
            await self._look()
        post = self._next()
        if post is None:
            self._news.clear()
            await self._news.wait()
            return
        try:
            await self.post(post, Urgency.BULK)
        finally:
            self._taken.discard(post.id)
            self._busy.discard(post.place)

    async def _look(self) -> None:
        now = self._context.now()
        waiting = await self._context.store.read(lambda tx: tx.posts.waiting(PLATFORM, now, PAGE, shared=True))
        known = self._taken | {post.id for post in self._posts}  # another worker may have looked meanwhile
        self._posts += (post for post in waiting if post.id not in known)

    def _next(self) -> Post | None:
        """The first post whose place is free."""
        for i, post in enumerate(self._posts):
            if post.place not in self._busy:
                del self._posts[i]
                self._taken.add(post.id)
                self._busy.add(post.place)
                return post
        return None


def _asks(session: Session, position: int) -> bool:
    return session.position == position and answerable(session) and session.paused_at is None


def _still_open(tx: Tx, post: Post) -> bool:
    """Whether a poll may be open though its question is over: no answer was revealed, and nothing was asked since."""
    session = tx.session(post.session) if post.session is not None else None
    if session is None or post.position is None or _asks(session, post.position):
        return False
    since = [p for p in tx.posts.of_session(session.id) if p.id > post.id]
    return not any(p.kind == QUESTION or (p.kind == REVEAL and p.position == post.position) for p in since)
