"""Delivery: posts leave for private chats, each at most once, and what became of each is on disk.

A post is `sending` in a commit of its own before the request leaves. What may have arrived is repeated for a few
minutes with the same nonce, by which Discord knows it; later the person gets one button to have it sent again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.chats.context import Context
from bot.chats.discord.layout import Page, of_menu, of_message
from bot.chats.discord.sending import Lost, Sender
from bot.chats.discord.who import PLATFORM, host_of
from bot.chats.menus import said
from bot.chats.payload import Pick
from bot.chats.posts import arrived, says, unreachable
from bot.chats.who import Who
from bot.present import Message
from bot.quiz import Pause
from bot.store import Post, Tx
from bot.tutor import QUESTION, act

AGAIN_AFTER = timedelta(seconds=30)
"""When a post that could not leave is tried once more. Chosen by us."""

PAGE = 100
"""Pending posts looked up at once. Chosen by us."""

REPEATABLE = timedelta(minutes=3)
"""How long after its demand a post may be repeated with its nonce. Source: Discord developer reference, Create Message,
`enforce_nonce`: "the past few minutes"."""


class Delivery:
    """Sends posts and messages to private chats."""

    def __init__(self, context: Context, sender: Sender) -> None:
        self._context, self._sender = context, sender

    def pages(self, message: Message, to: Who) -> list[Page]:
        """A message as it leaves."""
        return of_message(message, to.t, self._context.bank.root)

    async def post(self, to: Who, post: Post, message: Message | None = None) -> Lost | None:
        """Send a post that is pending; one that somebody else sends, or that is out of date, is left alone.

        Args:
            to: Whose private chat it goes to.
            post: The post.
            message: What it says, if that is known; otherwise it is looked up.

        Returns:
            Why it did not arrive; None if it did or was left alone.
        """
        store, now, bank = self._context.store, self._context.now, self._context.bank

        def begin(tx: Tx) -> Message | None:
            if not tx.posts.sending(post.id):
                return None
            found = message or says(tx, bank, post, to.t, now())
            if found is None:
                tx.posts.failed(post.id)
            return found

        found = await store.run(begin)
        if found is None:
            return None
        sent = await self._sender.send(to.chat, self.pages(found, to), f"k{post.id}")
        at = now()
        if not isinstance(sent, Lost):
            await store.run(lambda tx: arrived(tx, bank, post, sent, at))
            return None
        await store.run(lambda tx: self._lost(tx, to, post, sent, at))
        if sent is Lost.UNCERTAIN and not repeatable(post, at):
            await self.offer_again(to, post)
        return sent

    def _lost(self, tx: Tx, to: Who, post: Post, lost: Lost, at: datetime) -> None:
        if lost is Lost.UNCERTAIN:
            tx.posts.uncertain(post.id)
            if repeatable(post, at):
                tx.posts.again(post.id)
            return
        tx.posts.failed(post.id)
        if lost is Lost.UNREACHABLE:
            unreachable(tx, to.place, at)
            if post.session is not None:
                act(tx, self._context.bank, post.session, Pause(by=None, at=at))

    async def say(self, to: Who, pages: list[Page]) -> int | Lost:
        """Send a message that is no post; if it is lost it is lost, the next command shows the state again."""
        sent = await self._sender.send(to.chat, pages)
        if sent is Lost.UNREACHABLE:
            await self._context.store.run(lambda tx: unreachable(tx, to.place, self._context.now()))
        return sent

    async def offer_again(self, to: Who, post: Post) -> None:
        """Tell the person that a message may not have arrived, with one button to have it sent again."""
        t = to.t
        words = t.gettext("The connection broke, and I do not know whether my last message reached you.")
        menu = said(words, (t.gettext("Send again"), Pick("again", (str(post.id),))))
        await self._sender.send(to.chat, of_menu(menu, t))

    async def take_up(self) -> list[Post]:
        """At start: what was pending leaves, what may have arrived is repeated or asked about.

        Returns:
            Posts of shared places that may have arrived and cannot be repeated any more.
        """
        at = self._context.now()

        def sweep(tx: Tx) -> list[Post]:
            swept = tx.posts.sweep(PLATFORM)
            for post in swept:
                if repeatable(post, at):
                    tx.posts.again(post.id)
            return [post for post in swept if not repeatable(post, at)]

        others: list[Post] = []
        for post in await self._context.store.run(sweep):
            to = await self._host(post)
            if to is None:
                others.append(post)
            elif post.kind == QUESTION:
                await self.offer_again(to, post)
        await self.tick(timedelta(0))
        return others

    async def tick(self, older_than: timedelta = AGAIN_AFTER) -> None:
        """Send what has been pending for a while."""
        before = self._context.now() - older_than
        pending = await self._context.store.read(lambda tx: tx.posts.waiting(PLATFORM, before, PAGE, shared=False))
        for post in pending:
            if to := await self._host(post):
                await self.post(to, post)

    async def _host(self, post: Post) -> Who | None:
        return await self._context.store.read(lambda tx: host_of(tx, self._context, post.place))


def repeatable(post: Post, at: datetime) -> bool:
    """Whether a post may still be repeated with its nonce."""
    return at - post.created_at < REPEATABLE
