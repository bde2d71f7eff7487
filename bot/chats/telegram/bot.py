"""The bot: receives, carries out in order per person, speaks."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web
from telegram import Bot, CallbackQuery, Chat, ChatMember, ChatMemberUpdated, Update, User
from telegram import Message as Incoming
from telegram.error import TelegramError

from bot.chats.context import Context
from bot.chats.menus import said
from bot.chats.payload import Pick, Tap, read
from bot.chats.posts import unreachable
from bot.chats.solo import Asked, Done
from bot.chats.telegram.delivery import Delivery
from bot.chats.telegram.lanes import Lanes
from bot.chats.telegram.limiter import Limiter
from bot.chats.telegram.private import Private
from bot.chats.telegram.profile import publish
from bot.chats.telegram.receiving import ALLOWED, PLATFORM, Inbox, poll, webhook_app
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.speaking import Pressed, Speaking
from bot.chats.telegram.text import Text
from bot.chats.telegram.transport import AiohttpRequest
from bot.chats.telegram.who import host_of, who
from bot.log import incident
from bot.present import forgotten
from bot.quiz import Step
from bot.store import Tx, Unavailable
from bot.store import Update as Row

log = logging.getLogger(__name__)

API = "https://api.telegram.org"

COMMIT_S = 1.0
"""A pressed button whose commit takes longer is answered without words before it. Chosen by us."""

STOP_S = 4.0
"""How long the jobs at work may take when the program stops. Chosen by us: five seconds are promised."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where Telegram is to deliver, instead of being asked."""

    url: str
    """Public, https."""
    secret: str
    host: str
    port: int


class TelegramBot:
    """Telegram, from start to stop."""

    def __init__(
        self,
        context: Context,
        token: str,
        *,
        api: str | None = None,
        webhook: Webhook | None = None,
        limits: bool = True,
    ) -> None:
        """Wire it up; nothing is sent before `run`.

        Args:
            context: The tutor's means.
            token: From BotFather.
            api: Another Bot API server.
            webhook: How to receive; None asks for updates.
            limits: Whether the rates that Telegram asks for are kept.
        """
        base = api or API
        self._bot = Bot(
            token,
            f"{base}/bot",
            f"{base}/file/bot",
            request=AiohttpRequest(),
            get_updates_request=AiohttpRequest(connection_pool_size=1),
        )
        self._context, self._webhook = context, webhook
        self._sender = Sender(self._bot, Limiter(time.monotonic) if limits else None)
        self._delivery = Delivery(context, self._sender)
        self._speaking = Speaking(context, self._sender, self._delivery)
        self._lanes = Lanes()
        self._inbox = Inbox(context.store, context.now, self._hand_on)
        self._private = Private(context)
        self._commands: dict[str, Callable[[Asked], Done]] = {
            "quiz": self._private.quiz,
            "resume": self._private.resume,
            "stop": self._private.stop,
            "progress": self._private.progress,
            "language": self._private.language,
            "help": self._private.help,
            "privacy": self._private.privacy,
        }
        self._serving = False

    async def run(self) -> None:
        """Serve until cancelled.

        Raises:
            TwoPollersError: Another program fetches the updates of this bot.
            InvalidToken: Telegram does not know the token.
            TelegramError: Telegram did not answer at the start.
        """
        async with self._bot:
            log.info("telegram: serving as @%s", self._bot.username)
            self._serving = True
            try:
                await self._delivery.take_up()
                await self._inbox.take_up()
                await self._publish()
                await self._receive()
            finally:
                self._serving = False
                await self._lanes.drain(STOP_S)
                log.info("telegram: stopped")

    async def _publish(self) -> None:
        try:
            await publish(self._bot, self._context.languages)
        except TelegramError as error:
            log.warning("commands and descriptions could not be brought up to date: %s", error.message)

    async def _receive(self) -> None:
        if self._webhook is None:
            if (await self._bot.get_webhook_info()).url:
                log.warning("a webhook was set; it is removed, because updates are fetched now")
                await self._bot.delete_webhook(drop_pending_updates=False)
            await poll(self._bot, self._inbox)
            return
        path = "/" + self._webhook.url.partition("://")[2].partition("/")[2]
        runner = web.AppRunner(webhook_app(self._inbox, path, self._webhook.secret), access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._webhook.host, self._webhook.port).start()
            await self._bot.set_webhook(self._webhook.url, secret_token=self._webhook.secret, allowed_updates=ALLOWED)
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    async def tick(self) -> None:
        """Once a second or so: what could not leave is tried again."""
        if self._serving:
            await self._delivery.tick()

    async def deliver(self, step: Step) -> None:
        """Say what the clock has done in a session of ours; of other platforms' sessions nothing."""
        session = step.session

        def demand(tx: Tx) -> Done | None:
            to = host_of(tx, self._context, session.place)
            if to is None:
                return None
            return self._private.told(Asked(tx, to, self._context.now(), "", ""), step)

        done = await self._context.store.run(demand)
        if done is not None:
            await self._speaking.say(done)

    # --- one update

    def _hand_on(self, row: Row) -> None:
        self._lanes.put(row.key, lambda: self._handle(row))

    async def _handle(self, row: Row) -> None:
        """Carry out one update; whatever happens, the next one of the same person gets its turn."""
        update: Update | None = None
        try:
            update = Update.de_json(json.loads(row.body), self._bot)
            await self._dispatch(row, update)
        except Unavailable as error:
            log.warning("update %s could not be carried out: %s", row.update_id, error)
            await self._apologise(update, None)
        except Exception as error:  # noqa: BLE001 an update that breaks us must not stop the others
            number = incident(log, error, self._context.new_id, f"update {row.update_id}")
            await self._context.store.run(lambda tx: tx.inbox.quarantine(PLATFORM, row.update_id, f"incident {number}"))
            await self._apologise(update, number)

    async def _dispatch(self, row: Row, update: Update) -> None:
        if (query := update.callback_query) is not None:
            await self._press(row, query)
        elif (message := update.message) is not None and message.chat.type == Chat.PRIVATE and message.from_user:
            await self._hear(row, message, message.from_user)
        elif (member := update.my_chat_member) is not None and member.chat.type == Chat.PRIVATE:
            await self._context.store.run(lambda tx: self._member(tx, row, member))
        else:
            await self._context.store.run(lambda tx: tx.inbox.done(PLATFORM, row.update_id))

    async def _press(self, row: Row, query: CallbackQuery) -> None:
        pressed = Pressed(query, self._sender)
        try:
            committed = self._carry_out(row, query.from_user, self._pressed(query, pressed))
            await asyncio.wait({committed}, timeout=COMMIT_S)
            if not committed.done():
                await pressed.answer()
            done = await committed
            if done is not None and done.forget:
                await self._forget(done, pressed)
            elif done is not None:
                await self._speaking.say(done, pressed)
        except Exception:
            pressed.answered = True  # the apology answers it
            raise
        finally:
            await pressed.answer()

    def _pressed(self, query: CallbackQuery, pressed: Pressed) -> Callable[[Asked], Done]:
        payload = read(query.data or "")
        match payload:
            case Tap():
                return lambda asked: self._private.tap(asked, payload, pressed.message)
            case Pick():
                return lambda asked: self._private.pick(asked, payload, pressed.message)
            case None:
                return self._private.foreign

    async def _hear(self, row: Row, message: Incoming, user: User) -> None:
        done = await self._carry_out(row, user, self._heard(message))
        if done is None:
            return
        if done.forget:
            await self._forget(done, None)
            return
        await self._speaking.say(done, reply_to=message.message_id)

    def _heard(self, message: Incoming) -> Callable[[Asked], Done]:
        text = message.text
        if text is None:
            return self._private.wordless
        if not text.startswith("/"):
            reply_to = message.reply_to_message.message_id if message.reply_to_message else None
            return lambda asked: self._private.typed(asked, text, reply_to)
        name, _, rest = text[1:].partition(" ")
        name = name.partition("@")[0].casefold()
        if name == "start":
            return lambda asked: self._private.start(asked, rest.strip())
        return self._commands.get(name, self._private.unknown)

    def _carry_out(self, row: Row, user: User, use_case: Callable[[Asked], Done]) -> asyncio.Future[Done | None]:
        """Carry out a use case in one transaction, with its update removed from the inbox.

        Returns:
            What is to be said; None if the update had its effect before.
        """
        new_id, context = self._context.new_id(), self._context

        def work(tx: Tx) -> Done | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            to = who(tx, context, user, row.received_at)
            return use_case(Asked(tx, to, row.received_at, new_id, f"{PLATFORM}:{row.update_id}"))

        return context.store.run(work)

    def _member(self, tx: Tx, row: Row, member: ChatMemberUpdated) -> None:
        """Somebody blocked us or let us in again."""
        if tx.inbox.done(PLATFORM, row.update_id):
            to = who(tx, self._context, member.from_user, row.received_at)
            if member.new_chat_member.status == ChatMember.BANNED:
                unreachable(tx, to.place, row.received_at)

    async def _forget(self, done: Done, pressed: Pressed | None) -> None:
        """Delete everything about a person, then say so; what they read last they read without a name in our file."""
        removed = await self._context.store.forget(done.to.learner)
        words = said(forgotten(done.to.t, removed))
        await self._speaking.say(Done(done.to, menu=words), pressed)

    async def _apologise(self, update: Update | None, number: str | None) -> None:
        """Tell whoever sent an update that it could not be carried out."""
        user = update.effective_user if update is not None else None
        if update is None or user is None:
            return
        t = self._context.languages.negotiate(user.language_code)
        if number is None:
            words = t.gettext("I cannot save anything at the moment, so nothing was counted. Please try again soon.")
        else:
            words = t.gettext("Something went wrong on my side. Your place is kept. Incident: {number}", number=number)
        if update.callback_query is not None:
            await self._sender.answer(update.callback_query.id, words, alert=True)
        elif update.message is not None and update.message.chat.type == Chat.PRIVATE:
            await self._sender.send(user.id, Text(words))
