"""The bot: receives, carries out in order per person, speaks."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from aiohttp import web
from telegram import Bot, CallbackQuery, Chat, ChatMember, ChatMemberUpdated, Update, User
from telegram import Message as Incoming
from telegram.error import TelegramError

from bot.chats.context import Context
from bot.chats.many import Many
from bot.chats.menus import said
from bot.chats.payload import Pick, Tap, read
from bot.chats.posts import unreachable
from bot.chats.starting import Asked, Done
from bot.chats.telegram.delivery import Delivery
from bot.chats.telegram.lanes import Lanes
from bot.chats.telegram.limiter import Limiter
from bot.chats.telegram.moderators import Moderators
from bot.chats.telegram.panel import MENU as PANEL
from bot.chats.telegram.panel import DailyPanel
from bot.chats.telegram.places import topic_of
from bot.chats.telegram.posting import Posting
from bot.chats.telegram.private import Private
from bot.chats.telegram.profile import publish
from bot.chats.telegram.receiving import ALLOWED, PLATFORM, Inbox, part, poll, webhook_app
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.shared import OWN, Shared
from bot.chats.telegram.speaking import Pressed, Speaking
from bot.chats.telegram.text import Text
from bot.chats.telegram.transport import AiohttpRequest
from bot.chats.telegram.votes import Votes, taken_out
from bot.chats.telegram.who import host_of, who
from bot.i18n import Language
from bot.log import incident
from bot.present import forgotten
from bot.quiz import Step
from bot.store import Tx, Unavailable
from bot.store import Update as Row

log = logging.getLogger(__name__)

T = TypeVar("T")

API = "https://api.telegram.org"

COMMIT_S = 1.0
"""A pressed button whose commit takes longer is answered without words before it. Chosen by us."""

AGAIN_S = 2.0
"""Before a transaction is tried again after the store could not do its work. Chosen by us."""

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


def bot_of(token: str, api: str | None = None) -> Bot:
    """The library's bot over our transport, not initialised.

    Args:
        token: From BotFather.
        api: Another Bot API server.
    """
    base = api or API
    return Bot(
        token,
        f"{base}/bot",
        f"{base}/file/bot",
        request=AiohttpRequest(),
        get_updates_request=AiohttpRequest(connection_pool_size=1),
    )


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
        polls: bool = True,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Wire it up; nothing is sent before `run`.

        Args:
            context: The tutor's means.
            token: From BotFather.
            api: Another Bot API server.
            webhook: How to receive; None asks for updates.
            limits: Whether the rates that Telegram asks for are kept.
            polls: Whether groups that have not chosen are asked by native polls.
            sleep: Waits for some seconds before something is tried again.
        """
        self._bot = bot_of(token, api)
        self._context, self._webhook = context, webhook
        self._sleep = sleep
        self._sender = Sender(self._bot, Limiter(_loop_time) if limits else None, sleep)
        self._lanes = Lanes()
        self._delivery = Delivery(context, self._sender, self._lanes)
        self._speaking = Speaking(context, self._sender, self._delivery)
        many, moderators = Many(context), Moderators(self._sender, context.now)
        self._posting = Posting(context, self._sender, self._lanes, many, sleep, polls=polls)
        self._shared = Shared(context, self._sender, many, self._posting, moderators, self._committed)
        self._panel = DailyPanel(context, self._sender, self._delivery, self._posting, moderators, self._committed)
        self._votes = Votes(context, self._sender, many, self._posting, self._committed, self._hand_on)
        self._fetched = asyncio.Event()
        self._inbox = Inbox(context.store, context.now, self._hand_on, self._refuse)
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
            posting = asyncio.create_task(self._posting.run())
            try:
                await self._delivery.take_up()
                await self._posting.take_up()
                await self._inbox.take_up()
                await self._publish()
                await self._receive()
            finally:
                self._serving = False
                posting.cancel()
                await self._lanes.drain(STOP_S)
                await asyncio.gather(posting, return_exceptions=True)
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
            await poll(self._bot, self._inbox, self._sleep, self._fetched.set)
            return
        path = "/" + self._webhook.url.partition("://")[2].partition("/")[2]
        runner = web.AppRunner(
            webhook_app(self._inbox, path, self._webhook.secret), access_log=None, shutdown_timeout=1
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, self._webhook.host, self._webhook.port).start()
            await self._bot.set_webhook(self._webhook.url, secret_token=self._webhook.secret, allowed_updates=ALLOWED)
            self._fetched.set()  # what waits is delivered in its own time
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    async def caught_up(self) -> None:
        """Wait until what people did while the program was down is carried out."""
        await self._fetched.wait()
        await self._lanes.rest()

    async def tick(self) -> None:
        """Once a second or so: what could not leave is tried again."""
        if self._serving:
            self._posting.tick()
            await self._delivery.tick()
            await self._votes.tick()

    async def deliver(self, step: Step) -> None:
        """Say what the clock has done in a session of ours; of other platforms' sessions nothing."""
        session = step.session
        if not session.policy.solo:
            await self._posting.deliver(step)
            return

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
        self._lanes.put(_lane_of(row), lambda: self._handle(row))

    async def _handle(self, row: Row) -> None:
        """Carry out one update; whatever happens, the next one of the same person gets its turn."""
        try:
            await self._take(row, json.loads(row.body))
        except Unavailable as error:  # its effect is kept, and posts that wait leave later
            log.warning("not everything could be said after update %s: %s", row.update_id, error)
        except Exception as error:  # noqa: BLE001 an update that breaks us must not stop the others
            await self._put_aside(row, incident(log, error, self._context.new_id, f"update {row.update_id}"))

    async def _take(self, row: Row, body: dict[str, Any]) -> None:
        """Polls and votes are read without the library: it cannot read those of an older server."""
        if vote := part(body, "poll_answer"):
            await self._votes.take(row, vote)
            return
        if seen := taken_out(body):
            await self._votes.seen(row, seen, str(part(body, "callback_query").get("data", "")))
        await self._dispatch(row, Update.de_json(body, self._bot))

    async def _put_aside(self, row: Row, number: str) -> None:
        try:
            await self._context.store.run(lambda tx: tx.inbox.quarantine(PLATFORM, row.update_id, f"incident {number}"))
            t = await self._language_of(_sender(row))
            await self._apologise(
                row,
                t.gettext(
                    "Something went wrong on my side. Your place is saved. Try again; if it happens "
                    "again, tell the bot's operator this number: {number}",
                    number=number,
                ),
            )
        except (Unavailable, TelegramError) as error:
            log.warning("incident %s: nobody could be told: %s", number, error)

    async def _dispatch(self, row: Row, update: Update) -> None:
        if (query := update.callback_query) is not None:
            await self._press(row, query)
        elif (message := update.message) is not None and message.from_user:
            await self._read(row, message, message.from_user)
        elif (member := update.my_chat_member) is not None:
            if member.chat.type == Chat.PRIVATE:
                await self._committed(row, lambda tx: self._member(tx, row, member))
            else:
                await self._shared.member(row, member)
        else:
            await self._committed(row, lambda tx: tx.inbox.done(PLATFORM, row.update_id))

    async def _read(self, row: Row, message: Incoming, user: User) -> None:
        """Something was typed, wherever it was."""
        private = message.chat.type == Chat.PRIVATE
        if daily := await self._panel.is_city(message.chat.id, topic_of(message), message):
            await self._panel.city(row, message, user, daily)
        elif private and message.chat_shared is not None:
            await self._panel.chosen(row, message, user)
        elif _is_daily(message, self._bot.username):
            await (self._panel.offer(row, user) if private else self._panel.open(row, message))
        elif private:
            await self._hear(row, message, user)
        else:
            await self._shared.hear(row, message)

    async def _press(self, row: Row, query: CallbackQuery) -> None:
        pressed, payload = Pressed(query, self._sender), read(query.data or "")
        private = query.message is None or query.message.chat.type == Chat.PRIVATE
        if isinstance(payload, Pick) and payload.menu == PANEL:
            await self._in_time(pressed, self._panel.press(row, query, payload, pressed))
        elif not private or (isinstance(payload, Pick) and payload.menu in OWN):
            await self._in_time(pressed, self._shared.press(row, query, payload, pressed))
        else:
            await self._in_time(pressed, self._press_alone(row, query, pressed))

    async def _in_time(self, pressed: Pressed, carried_out: Coroutine[Any, Any, None]) -> None:
        """Carry out a press, and answer it in time without words if that takes long."""
        work = asyncio.ensure_future(carried_out)
        try:
            await asyncio.wait({work}, timeout=COMMIT_S)
            if not work.done():
                await pressed.answer()
            await work
        except Exception:
            pressed.answered = True  # the apology answers it
            raise
        finally:
            work.cancel()
            await pressed.answer()

    async def _press_alone(self, row: Row, query: CallbackQuery, pressed: Pressed) -> None:
        done = await self._carry_out(row, query.from_user, self._pressed(query, pressed), pressed)
        if done is not None and done.forget:
            await self._forget(done, pressed)
        elif done is not None:
            await self._speaking.say(done, pressed)

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
        done = await self._carry_out(row, user, self._heard(message), None)
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
        return self._private.command(name, rest.strip()) or self._commands.get(name, self._private.unknown)

    async def _carry_out(
        self, row: Row, user: User, use_case: Callable[[Asked], Done], pressed: Pressed | None
    ) -> Done | None:
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

        return await self._committed(row, work, pressed)

    async def _committed(self, row: Row, work: Callable[[Tx], T], pressed: Pressed | None = None) -> T:
        """The result of a transaction; while the store cannot do its work it is tried again, and the person told."""
        told = False
        while True:
            try:
                return await self._context.store.run(work)
            except Unavailable as error:
                log.warning("update %s waits: %s", row.update_id, error)
            if not told:
                told = True
                await self._refuse(row, pressed)
            await self._sleep(AGAIN_S)

    async def _refuse(self, row: Row, pressed: Pressed | None = None) -> None:
        """Tell whoever waits for an answer that nothing can be saved."""
        t = await self._language_of(_sender(row))
        words = t.gettext("I cannot save anything at the moment. Nothing is counted yet; I keep trying.")
        if pressed is not None and not pressed.answered:
            await pressed.answer(words, alert=True)
        else:
            await self._apologise(row, words, told=pressed is not None)

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

    async def _apologise(self, row: Row, words: str, *, told: bool = False) -> None:
        """Tell whoever sent an update, readable or not, that it could not be carried out.

        Args:
            row: The update.
            words: At most 200 characters.
            told: Whether its button was answered already.
        """
        update, sender = json.loads(row.body), _sender(row)
        query, message = part(update, "callback_query"), part(update, "message")
        if "id" in query and not told:
            await self._sender.answer(str(query["id"]), words, alert=True)
        elif "id" in sender and (query or part(message, "chat").get("type") == Chat.PRIVATE):
            await self._sender.send(int(sender["id"]), Text(words))

    async def _language_of(self, sender: dict[str, Any]) -> Language:
        """The language of somebody, even if nothing can be written."""

        def chosen(tx: Tx) -> str | None:
            learner = tx.known_learner(PLATFORM, str(sender.get("id")))
            known = tx.learner(learner) if learner is not None else None
            return known.locale if known is not None else None

        try:
            wish = await self._context.store.read(chosen)
        except Unavailable:
            wish = None
        spoken = sender.get("language_code")
        return self._context.languages.negotiate(wish, spoken if isinstance(spoken, str) else None)


def _sender(row: Row) -> dict[str, Any]:
    """Who sent an update, as it arrived; empty if it does not say."""
    update = json.loads(row.body)
    return part(part(update, "callback_query"), "from") or part(part(update, "message"), "from")


def _loop_time() -> float:
    """Seconds of the clock that the loop's own waits follow."""
    return asyncio.get_running_loop().time()


def _lane_of(row: Row) -> str:
    """What an update waits for: in a private chat whatever the same person did before; a press in a group only for
    presses of the same person, everything else there for each other.
    """
    if not row.key.startswith("chat "):
        return row.key
    query = part(json.loads(row.body), "callback_query")
    return f"{row.key} {part(query, 'from').get('id')}" if query else row.key


def _is_daily(message: Incoming, name: str) -> bool:
    """Whether somebody wants the panel of the daily question."""
    command = (message.text or "").partition(" ")[0].casefold()
    return command in ("/daily", f"/daily@{name.casefold()}")
