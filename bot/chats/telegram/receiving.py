"""Receiving: updates are on disk before Telegram is told that we have them.

Updates are fetched as plain data: the library parses a batch as a whole, and one update it cannot parse would hold up
all others for ever (measured with python-telegram-bot 22.8).
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

from aiohttp import web
from telegram import Bot
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.store import Store, Unavailable
from bot.store import Update as Row

try:
    import orjson
except ImportError:  # the standard library does the same, more slowly
    orjson = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

PLATFORM = "telegram"

ALLOWED = (
    "message",
    "edited_message",
    "channel_post",
    "callback_query",
    "poll",
    "poll_answer",
    "my_chat_member",
)
"""Always sent in full: Telegram keeps the list of the last call. Source: Bot API 10.0, getUpdates."""

LONG_POLL_S = 50
"""Source: Bot API server, the longest poll it grants."""

LIMIT = 100
"""Updates fetched at once. Source: Bot API 10.0, getUpdates, the most it grants."""

CONFLICTS = 3
"""After so many refusals in a row because of another poller we give up. Chosen by us."""


class TwoPollersError(Exception):
    """Another program fetches the updates of the same bot."""


def key_of(update: dict[str, Any]) -> str:
    """What an update is put in order with: the person in a private chat, else the chat (and poll)."""
    for body in update.values():
        if isinstance(body, dict):
            return _key(body)
    return "unknown"


def _key(body: dict[str, Any]) -> str:
    sender = part(body, "from") or part(body, "user")
    chat = part(part(body, "message") or body, "chat")
    if chat.get("type") == "private" or (not chat and "id" in sender):
        return str(sender.get("id") or chat.get("id"))
    return f"chat {chat['id']}" if "id" in chat else f"poll {body.get('id')}"


def part(whole: dict[str, Any], name: str) -> dict[str, Any]:
    """An object inside of another one; empty if there is none, whatever stands there instead."""
    found = whole.get(name)
    return found if isinstance(found, dict) else {}


def rows(updates: Sequence[Any], at: datetime) -> list[Row]:
    """Updates as the inbox keeps them; what has no number cannot be kept and is logged."""
    kept = []
    for update in updates:
        number = _number(update)
        if number is None:
            log.error("telegram delivered something that is no update")
        else:
            kept.append(Row(PLATFORM, number, _storable(key_of(update)), _storable(_compact(update)), at))
    return kept


def _number(update: Any) -> int | None:
    """The number of an update; None for what can be no update."""
    number = update.get("update_id") if isinstance(update, dict) else None
    return number if type(number) is int and 0 <= number < 2**63 else None


def _compact(update: dict[str, Any]) -> str:
    if orjson is not None:
        try:
            return orjson.dumps(update).decode()
        except TypeError:  # half a character, or a number beyond 64 bits
            pass
    return json.dumps(update, ensure_ascii=False, separators=(",", ":"))


def _storable(text: str) -> str:
    """Half of a surrogate pair is no character, and no file takes it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class Inbox:
    """Stores updates and hands on those that are new."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], datetime],
        hand_on: Callable[[Row], None],
        refuse: Callable[[Row], Awaitable[None]],
    ) -> None:
        """Prepare; nothing is read yet.

        Args:
            store: Where updates are kept.
            now: The present moment, UTC.
            hand_on: Gets each new update after its commit.
            refuse: Gets, once, each update that could not be stored: somebody waits for an answer to it.
        """
        self._store, self._now, self._hand_on, self._refuse = store, now, hand_on, refuse
        self._refused: set[int] = set()

    async def take(self, updates: Sequence[Any]) -> None:
        """Commit updates, then hand them on.

        Raises:
            Unavailable: They could not be stored; Telegram keeps them.
        """
        kept = rows(updates, self._now())
        if not kept:
            return
        try:
            new = await self._store.run(lambda tx: tx.inbox.put(kept))
        except Unavailable:
            fresh = [row for row in kept if row.update_id not in self._refused]
            self._refused.update(row.update_id for row in fresh)
            await asyncio.gather(*(self._refuse(row) for row in fresh))
            raise
        self._refused.difference_update(row.update_id for row in kept)
        for row in new:
            self._hand_on(row)

    async def take_up(self) -> None:
        """Hand on what waited when the program last ended."""
        for row in await self._store.run(lambda tx: tx.inbox.waiting(PLATFORM)):
            self._hand_on(row)


def _nothing() -> None:
    pass


async def poll(
    bot: Bot,
    inbox: Inbox,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    caught_up: Callable[[], None] = _nothing,
) -> None:
    """Fetch updates for ever.

    Args:
        bot: Initialised.
        inbox: Where they go.
        sleep: Waits for some seconds before it is tried again.
        caught_up: Called once, when everything that had waited for us at Telegram has been taken.

    Raises:
        TwoPollersError: Somebody else fetches them too.
        InvalidToken: Telegram does not know the token.
    """
    offset, conflicts, pause_s, behind = 0, 0, 1.0, True
    while True:
        try:
            updates = await _get_updates(bot, offset, 0 if behind else LONG_POLL_S)
            await inbox.take(updates)
        except Conflict as error:
            conflicts += 1
            log.warning("another program fetches the updates of this bot (%s of %s)", conflicts, CONFLICTS)
            if conflicts == CONFLICTS:
                raise TwoPollersError from error
            await sleep(5)
        except InvalidToken:
            raise
        except (TelegramError, Unavailable) as error:
            seconds = _wait_s(error, pause_s)
            log.warning("updates could not be fetched, next try in %s s: %s", seconds, error)
            pause_s = min(pause_s * 2, 30.0)
            await sleep(seconds)
        else:
            conflicts, pause_s = 0, 1.0
            numbers = [number for update in updates if (number := _number(update)) is not None]
            offset = max(numbers, default=offset - 1) + 1
            if behind and len(updates) < LIMIT:
                behind = False
                caught_up()
            if updates and not numbers:  # they would come again at once
                await sleep(pause_s)


async def _get_updates(bot: Bot, offset: int, wait_s: int) -> list[Any]:
    parameters = {"offset": offset, "timeout": wait_s, "limit": LIMIT, "allowed_updates": list(ALLOWED)}
    # The library makes `getUpdates` of it; under this spelling it hands the answer over unparsed and unwarned.
    updates = await bot.do_api_request("get__updates", parameters, read_timeout=wait_s + 10)
    return updates if isinstance(updates, list) else []


def _wait_s(error: Exception, pause_s: float) -> float:
    return max(pause_s, 5.0) if isinstance(error, RetryAfter) else pause_s


def webhook_app(inbox: Inbox, path: str, secret: str) -> web.Application:
    """An application that takes updates by webhook.

    Args:
        inbox: Where they go; the request is confirmed after their commit.
        path: The path of the address that Telegram was told.
        secret: What Telegram was told to send in `X-Telegram-Bot-Api-Secret-Token`.
    """

    async def take(request: web.Request) -> web.Response:
        given = request.headers.get("X-Telegram-Bot-Api-Secret-Token", "")
        if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), secret.encode()):
            return web.Response(status=403)
        try:
            update = json.loads(await request.read())
        except ValueError:
            log.error("the webhook was sent something that is not JSON")
            return web.Response()
        try:
            await inbox.take([update])
        except Unavailable as error:
            log.warning("an update could not be stored, telegram will send it again: %s", error)
            return web.Response(status=503)
        return web.Response()

    application = web.Application(client_max_size=4 * 2**20)
    application.router.add_post(path, take)
    return application
