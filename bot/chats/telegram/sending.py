"""Sending: calls of the Bot API with their limits, retries and what became of them.

A time-out says nothing about whether a message was sent. What certainly was not sent is tried again; an edit and an
answer may be repeated; a new message whose fate is unknown is `UNCERTAIN` and never repeated here.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypeVar

from telegram import Bot, ForceReply, InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

from bot.chats.telegram.limiter import Limiter, Urgency
from bot.chats.telegram.text import Text
from bot.chats.telegram.transport import certainly_not_sent

log = logging.getLogger(__name__)

T = TypeVar("T")

TRIES = 4
"""How often a call is tried in all. Chosen by us: with the pauses between about eight seconds."""

AT_ONCE = 64
"""Calls on their way at once. Chosen by us: enough to hide the network, few enough not to crowd the connection pool.
Whoever waits for a turn or between two tries holds no place."""

SHOWN = 10_000
"""Messages of which is remembered what they show, so that a button that is pressed again and again costs no edits.
Chosen by us: about 2 MB."""

PAUSE_S = 0.5
"""Before the second try; doubled each time. Chosen by us."""

_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

_AS_GOOD_AS_DONE = (
    "message is not modified",
    "query is too old",
    "query id is invalid",
    "message to edit not found",
    "message can't be edited",
    "message to delete not found",
    "message can't be deleted",
    "message_id_invalid",
)
"""Refusals after which nothing is left to do. Source: tdlib/telegram-bot-api, Client.cpp."""

_NOBODY_THERE = ("chat not found", "peer_id_invalid", "user not found", "group chat was upgraded")


class Lost(Enum):
    """Why there is no message."""

    NOT_SENT = "not_sent"
    """It surely did not leave, however often it was tried."""
    UNCERTAIN = "uncertain"
    """It may have arrived."""
    UNREACHABLE = "unreachable"
    """The person blocked us, or the chat is no more."""
    REFUSED = "refused"
    """Telegram will not have it; the log says why."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The chat has become another one."""

    chat: int


class Sender:
    """Everything that leaves for Telegram."""

    def __init__(
        self, bot: Bot, limiter: Limiter | None, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        """Wrap a bot.

        Args:
            bot: Initialised.
            limiter: None for no limits at all.
            sleep: Waits for some seconds between two tries.
        """
        self._bot, self._limiter, self._sleep = bot, limiter, sleep
        self._places = asyncio.Semaphore(AT_ONCE)
        self._shown: dict[tuple[int, int], int] = {}
        self._uploaded: dict[Path, str] = {}

    async def send(
        self,
        chat: int,
        text: Text,
        keyboard: InlineKeyboardMarkup | ForceReply | None = None,
        *,
        reply_to: int | None = None,
        urgency: Urgency = Urgency.REST,
    ) -> int | Lost | Moved:
        """Send a new message.

        Returns:
            Its id, or what became of it.
        """

        async def call() -> int:
            message = await self._bot.send_message(
                chat,
                text.characters,
                entities=text.entities,
                reply_markup=keyboard,
                link_preview_options=_NO_PREVIEW,
                reply_parameters=ReplyParameters(reply_to, allow_sending_without_reply=True) if reply_to else None,
            )
            return message.message_id

        return await self._tried(call, chat, urgency, repeatable=False) or Lost.REFUSED

    async def photo(
        self,
        chat: int,
        file: Path,
        caption: str,
        *,
        thread: int | None = None,
        silent: bool = False,
        urgency: Urgency = Urgency.REST,
    ) -> int | Lost | Moved:
        """Send a picture; a file is uploaded once, then Telegram knows it.

        Args:
            chat: Where to.
            file: A PNG or JPEG that does not change while the program runs.
            caption: At most 1024 characters. Source: Telegram Bot API 10.0, sendPhoto.caption.
            thread: The topic, if there is one.
            silent: Whether nobody's phone makes a sound.
            urgency: Who goes before whom.

        Returns:
            The message's id, or what became of it.
        """

        async def call() -> int:
            message = await self._bot.send_photo(
                chat,
                self._uploaded.get(file) or file,
                caption=caption,
                message_thread_id=thread,
                disable_notification=silent or None,
            )
            self._uploaded[file] = message.photo[-1].file_id
            return message.message_id

        return await self._tried(call, chat, urgency, repeatable=False) or Lost.REFUSED

    async def edit(
        self, chat: int, message: int, text: Text, keyboard: InlineKeyboardMarkup | None = None
    ) -> Lost | Moved | None:
        """Change a message of ours; without a keyboard it loses its buttons.

        Returns:
            None when it stands as wished, or cannot be changed any more.
        """
        wanted = hash((text, keyboard))
        if self._shown.get((chat, message)) == wanted:
            return None

        async def call() -> None:
            await self._bot.edit_message_text(
                text.characters,
                chat,
                message,
                entities=text.entities,
                reply_markup=keyboard,
                link_preview_options=_NO_PREVIEW,
            )

        lost = await self._tried(call, chat, Urgency.QUESTION, repeatable=True)
        if lost is None:
            self._remember(chat, message, wanted)
        return lost

    def _remember(self, chat: int, message: int, shown: int) -> None:
        self._shown.pop((chat, message), None)
        self._shown[chat, message] = shown
        if len(self._shown) > SHOWN:
            del self._shown[next(iter(self._shown))]

    async def retire(self, chat: int, message: int) -> Lost | Moved | None:
        """Take the buttons off a message of ours."""

        async def call() -> None:
            await self._bot.edit_message_reply_markup(chat, message)

        self._shown.pop((chat, message), None)
        return await self._tried(call, chat, Urgency.REST, repeatable=True)

    async def answer(self, query: str, words: str = "", *, alert: bool = False) -> None:
        """Answer a pressed button, with words of at most 200 characters or without; no spinner stays."""

        async def call() -> None:
            await self._bot.answer_callback_query(query, words or None, show_alert=alert or None)

        await self._tried(call, None, Urgency.ANSWER, repeatable=True)

    async def _tried(
        self, call: Callable[[], Awaitable[T]], chat: int | None, urgency: Urgency, *, repeatable: bool
    ) -> T | Lost | Moved | None:
        pause_s = PAUSE_S
        for remaining in reversed(range(TRIES)):
            if self._limiter is not None:
                await self._limiter.turn(chat, urgency)
            try:
                async with self._places:
                    return await call()
            except RetryAfter as error:
                seconds = _seconds(error)
                log.warning("telegram asks to wait %s s in chat %s", seconds, chat)
                if self._limiter is not None and chat is not None:
                    self._limiter.back_off(chat, seconds)
                else:
                    await self._sleep(seconds)
                outcome = Lost.NOT_SENT
            except ChatMigrated as error:
                return Moved(error.new_chat_id)
            except Forbidden as error:
                log.info("chat %s cannot be reached: %s", chat, error.message)
                return Lost.UNREACHABLE
            except BadRequest as error:
                return _refused(error, chat)
            except NetworkError as error:
                outcome = Lost.NOT_SENT if certainly_not_sent(error) else Lost.UNCERTAIN
                log.warning("telegram did not answer, %s: %s", outcome.value, error.message)
                if outcome is Lost.UNCERTAIN and not repeatable:
                    return outcome
                if remaining:
                    await self._sleep(pause_s)
                    pause_s *= 2
        return outcome


def _refused(error: BadRequest, chat: int | None) -> Lost | None:
    text = error.message.casefold()
    if any(known in text for known in _AS_GOOD_AS_DONE):
        return None
    if any(known in text for known in _NOBODY_THERE):
        log.info("chat %s cannot be reached: %s", chat, error.message)
        return Lost.UNREACHABLE
    log.error("telegram refused a call for chat %s: %s", chat, error.message)
    return Lost.REFUSED


def _seconds(error: RetryAfter) -> float:
    with warnings.catch_warnings():  # the library announces another type for this attribute
        warnings.simplefilter("ignore")
        wait = error.retry_after
    return float(wait if isinstance(wait, int) else wait.total_seconds())
