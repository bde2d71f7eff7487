"""Delivery: posts leave, each at most once, and what became of each is on disk.

A post is `sending` in a commit of its own before the request leaves. What may have arrived is `uncertain`: it is never
repeated by itself, the person gets one button to have it sent again.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

from telegram import ForceReply, InlineKeyboardMarkup
from telegram.error import TelegramError

from bot.chats.context import Context
from bot.chats.payload import Pick
from bot.chats.posts import arrived, says, unreachable
from bot.chats.telegram.doubts import doubt, is_doubt, resend
from bot.chats.telegram.keyboard import keyboard, menu
from bot.chats.telegram.lanes import Lanes
from bot.chats.telegram.limiter import Urgency
from bot.chats.telegram.outcomes import Lost, Moved
from bot.chats.telegram.photos import send_photos
from bot.chats.telegram.receiving import PLATFORM
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.text import Text, texts
from bot.chats.telegram.who import host_of
from bot.chats.who import Who
from bot.present import Message
from bot.store import Post, Tx, Unavailable
from bot.tutor import QUESTION, SUMMARY
from bot.tutor.daily import NOTICE

log = logging.getLogger(__name__)

AGAIN_AFTER = timedelta(seconds=30)
"""When a post that could not leave is tried once more. Chosen by us."""


AT_ONCE = 1000
"""Pending posts taken up at once. Chosen by us."""


class Delivery:
    """Sends posts and messages to private chats."""

    def __init__(self, context: Context, sender: Sender, lanes: Lanes) -> None:
        self._context, self._sender, self._lanes = context, sender, lanes
        self._taken: set[int] = set()

    async def post(self, to: Who, post: Post, message: Message | None = None) -> None:
        """Send a post that is pending; one that somebody else sends, or that is out of date, is left alone.

        Args:
            to: Whose private chat it goes to.
            post: The post.
            message: What it says, if that is known; otherwise it is looked up.
        """
        store, now = self._context.store, self._context.now

        def begin(tx: Tx) -> Message | None:
            if not tx.posts.sending(post.id):
                return None
            said = message or says(tx, self._context.bank, post, to.t, now())
            if said is None:
                tx.posts.failed(post.id)
            return said

        said = await store.run(begin)
        if said is None:
            return
        sent = await self._send(to, said, buttons=resend(post, to.t))
        at = now()
        if isinstance(sent, int):
            await store.run(lambda tx: arrived(tx, self._context.bank, post, sent, at))
        elif sent is Lost.UNCERTAIN:
            await store.run(lambda tx: tx.posts.uncertain(post.id))
            await self.offer_again(to, post)
        else:
            await store.run(lambda tx: self._lost(tx, to, post, sent, at))

    async def prompt(self, to: Who, post: Post, text: Text, reply: ForceReply) -> None:
        """Send a post that asks for a typed reply; whether it arrives does not matter."""
        if not await self._context.store.run(lambda tx: tx.posts.sending(post.id)):
            return
        sent, at = await self._sender.send(to.chat, text, reply), self._context.now()
        if isinstance(sent, int):
            await self._context.store.run(lambda tx: tx.posts.sent(post.id, str(sent), at))
        else:
            await self._context.store.run(lambda tx: tx.posts.uncertain(post.id))

    async def say(self, to: Who, message: Message, *, reply_to: int | None = None) -> int | Lost | Moved:
        """Send a message that is no post; if it is lost it is lost, the next command shows the state again."""
        sent = await self._send(to, message, reply_to)
        if sent is Lost.UNREACHABLE or isinstance(sent, Moved):
            await self._context.store.run(lambda tx: unreachable(tx, to.place, self._context.now()))
        return sent

    async def _send(
        self, to: Who, message: Message, reply_to: int | None = None, buttons: InlineKeyboardMarkup | None = None
    ) -> int | Lost | Moved:
        shown = await send_photos(self._sender, to.chat, message, self._context.bank.root)
        return await self.pages(to, texts(message, pictures=not shown), buttons or keyboard(message), reply_to)

    async def pages(
        self, to: Who, pages: Sequence[Text], buttons: InlineKeyboardMarkup | None, reply_to: int | None = None
    ) -> int | Lost | Moved:
        """Send texts one after the other, the buttons under the last.

        Returns:
            The id of the last page, or why there is none.
        """
        sent: int | Lost | Moved = Lost.REFUSED
        for i, page in enumerate(pages):
            last = i == len(pages) - 1
            sent = await self._sender.send(
                to.chat, page, buttons if last else None, reply_to=reply_to, urgency=Urgency.QUESTION
            )
            if sent is Lost.REFUSED:  # the same words once more, without any style
                plain = Text(page.characters)
                sent = await self._sender.send(to.chat, plain, buttons if last else None, urgency=Urgency.QUESTION)
            if not isinstance(sent, int):
                break
        return sent

    def _lost(self, tx: Tx, to: Who, post: Post, lost: Lost | Moved, at: datetime) -> None:
        tx.posts.failed(post.id)
        if lost is Lost.NOT_SENT:
            tx.posts.again(post.id)  # it surely did not leave, so it may leave later
        if lost is Lost.UNREACHABLE or isinstance(lost, Moved):
            unreachable(tx, to.place, at)

    async def offer_again(self, to: Who, post: Post) -> None:
        """Tell the person that a message may not have arrived, with one button to have it sent again."""
        t = to.t
        words = Text(t.gettext("The connection broke, and I do not know whether my last message reached you."))
        await self._sender.send(to.chat, words, menu([(t.gettext("Send again"), Pick("again", (str(post.id),)))]))

    async def take_up(self) -> None:
        """At start: what was pending leaves; of what may have arrived whoever waits for it is told."""
        self._taken.clear()
        now = self._context.now()
        for post in await self._context.store.run(lambda tx: _swept(tx, now)):
            if post.kind in (QUESTION, SUMMARY):
                await self._in_lane(post, self.offer_again)
        await self.tick(timedelta(0))

    async def tick(self, older_than: timedelta = AGAIN_AFTER) -> None:
        """Send notices, and what has been pending for a while, each in the lane of its person."""
        now = self._context.now()
        pending = await self._context.store.read(lambda tx: tx.posts.waiting(PLATFORM, now, AT_ONCE, shared=False))
        for post in pending:
            if post.id not in self._taken and (post.kind == NOTICE or post.created_at <= now - older_than):
                await self._in_lane(post, self.post)

    async def _in_lane(self, post: Post, job: Callable[[Who, Post], Awaitable[None]]) -> None:
        to = await self._host(post)
        if to is None:
            return
        self._taken.add(post.id)

        async def carry_out() -> None:
            try:
                await job(to, post)
            except (Unavailable, TelegramError) as error:
                log.warning("post %s could not be sent now: %s", post.id, error)
            finally:
                self._taken.discard(post.id)

        self._lanes.put(str(to.chat), carry_out)

    async def _host(self, post: Post) -> Who | None:
        return await self._context.store.read(lambda tx: host_of(tx, self._context, post.place))


def _swept(tx: Tx, at: datetime) -> list[Post]:
    """Posts of private chats that may have arrived; of those in groups and channels somebody will be told."""
    private: list[Post] = []
    for post in tx.posts.sweep(PLATFORM):
        place = tx.place(post.place)
        if place is not None and place.private_to is not None and not is_doubt(post):
            private.append(post)
        else:
            doubt(tx, post, at)
    return private
