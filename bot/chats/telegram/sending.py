"""Sending: calls of the Bot API with their limits, retries and what became of them.

What may carry a poll is taken as plain data: python-telegram-bot 22.8 raises TypeError, after delivery, when an older
server leaves out a field such as `members_only`.

A time-out says nothing about whether a message was sent. What certainly was not sent is tried again; an edit and an
answer may be repeated; a new message whose fate is unknown is `UNCERTAIN` and never repeated here.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from telegram import (
    Bot,
    ChatMember,
    ForceReply,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    ReplyParameters,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from bot.chats.telegram.limiter import Limiter, Urgency
from bot.chats.telegram.polls import Poll
from bot.chats.telegram.text import Text
from bot.chats.telegram.transport import certainly_not_sent

log = logging.getLogger(__name__)

T = TypeVar("T")

Markup = InlineKeyboardMarkup | ForceReply | ReplyKeyboardMarkup | ReplyKeyboardRemove

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
    "message to pin not found",
    "message to unpin not found",
    "message can't be deleted",
    "poll has already been closed",
    "message with poll to stop not found",
    "message is not a poll",
    "poll can't be stopped",
    "message_id_invalid",
)
"""Refusals after which nothing is left to do. Source: tdlib/telegram-bot-api, Client.cpp."""

_NOBODY_THERE = ("chat not found", "peer_id_invalid", "user not found", "group chat was upgraded")

_NO_RIGHTS = ("not enough rights", "need administrator rights", "have no rights to send", "chat_write_forbidden")

_NO_TOPIC = ("message thread not found", "topic_deleted", "topic_id_invalid")


class Lost(Enum):
    """Why there is no message."""

    NOT_SENT = "not_sent"
    """It surely did not leave, however often it was tried."""
    UNCERTAIN = "uncertain"
    """It may have arrived."""
    UNREACHABLE = "unreachable"
    """The person blocked us, or the chat is no more."""
    NO_RIGHTS = "no_rights"
    """We may not do that in this group or channel."""
    NO_TOPIC = "no_topic"
    """The topic is no more."""
    TOPIC_CLOSED = "topic_closed"
    REFUSED = "refused"
    """Telegram will not have it; the log says why."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The chat has become another one."""

    chat: int


@dataclass(frozen=True, slots=True)
class Polled:
    """A poll that was sent."""

    message: int
    poll: str


_MEMBERS = (ChatMember.OWNER, ChatMember.ADMINISTRATOR, ChatMember.MEMBER)

_NO_MEMBER = ("user not found", "participant_id_invalid", "user_id_invalid", "member not found")
"""How Telegram says that it knows nobody there by that number. Source: tdlib/telegram-bot-api, Client.cpp."""


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
        self._whispers: bool | None = None

    async def send(
        self,
        chat: int,
        text: Text,
        keyboard: Markup | None = None,
        *,
        thread: int | None = None,
        reply_to: int | None = None,
        silent: bool = False,
        urgency: Urgency = Urgency.REST,
    ) -> int | Lost | Moved:
        """Send a new message.

        Args:
            chat: Where to.
            text: What it says.
            keyboard: What is below.
            thread: The topic; None for a chat without, and for the topic General.
            reply_to: The message it answers, if that is still there.
            silent: Whether nobody's phone makes a sound.
            urgency: Who goes before whom.

        Returns:
            Its id, or what became of it.
        """

        async def call() -> int:
            given: dict[str, Any] = {
                "chat_id": chat,
                "text": text.characters,
                "link_preview_options": _NO_PREVIEW.to_dict(),
                **_around(keyboard, thread, silent=silent),
            }
            if text.entities:
                given["entities"] = [entity.to_dict() for entity in text.entities]
            if reply_to:
                given["reply_parameters"] = ReplyParameters(reply_to, allow_sending_without_reply=True).to_dict()
            return int((await self._bot.do_api_request(_plain("send_message"), given))["message_id"])

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

    async def document(self, chat: int, name: str, content: bytes) -> int | Lost | Moved:
        """Send a file to somebody who waits for it.

        Args:
            chat: Where to.
            name: What the file is called there.
            content: At most 50 MB. Source: Telegram Bot API 10.0, sendDocument.document.

        Returns:
            The message's id, or what became of it.
        """

        async def call() -> int:
            return (await self._bot.send_document(chat, content, filename=name)).message_id

        return await self._tried(call, chat, Urgency.QUESTION, repeatable=False) or Lost.REFUSED

    async def send_poll(
        self,
        chat: int,
        poll: Poll,
        keyboard: InlineKeyboardMarkup | None = None,
        *,
        now: Callable[[], datetime],
        thread: int | None = None,
        silent: bool = False,
        urgency: Urgency = Urgency.REST,
    ) -> Polled | Lost | Moved:
        """Send a native quiz poll that cannot be forwarded.

        Args:
            chat: Where to.
            poll: What it says.
            keyboard: What is below.
            now: The present moment, UTC; asked when the poll leaves, because its time begins then.
            thread: The topic; None for a chat without, and for the topic General.
            silent: Whether nobody's phone makes a sound.
            urgency: Who goes before whom.

        Returns:
            Its ids, or what became of it.
        """

        async def call() -> Polled | Lost:
            closes_at = poll.closes_at
            if poll.open_s is not None:
                closes_at = now() + timedelta(seconds=poll.open_s)
            given = {"chat_id": chat, **_asked(poll, closes_at), **_around(keyboard, thread, silent=silent)}
            sent = await self._bot.do_api_request(_plain("send_poll"), given)
            try:
                return Polled(int(sent["message_id"]), str(sent["poll"]["id"]))
            except (KeyError, TypeError, ValueError):
                log.exception("telegram took a poll and did not say which")
                return Lost.UNCERTAIN

        return await self._tried(call, chat, urgency, repeatable=False) or Lost.REFUSED

    async def stop_poll(
        self, chat: int, message: int, keyboard: InlineKeyboardMarkup | None = None, *, urgency: Urgency
    ) -> Lost | Moved | None:
        """Close a poll of ours, if it is not closed, and leave only these buttons below."""

        async def call() -> bool:
            await self._bot.do_api_request(
                _plain("stop_poll"), {"chat_id": chat, "message_id": message, **_around(keyboard)}
            )
            return True

        stopped = await self._tried(call, chat, urgency, repeatable=True)
        if stopped is None:  # it has closed itself, so its buttons are still there
            return await self.retire(chat, message, keyboard)
        return None if isinstance(stopped, bool) else stopped

    async def is_member(self, chat: int, person: int) -> bool | None:
        """Whether somebody is in a group; None if Telegram does not say."""

        async def call() -> bool:
            try:
                member = await self._bot.get_chat_member(chat, person)
            except BadRequest as error:
                if any(known in error.message.casefold() for known in _NO_MEMBER):
                    return False
                raise
            return member.status in _MEMBERS or bool(getattr(member, "is_member", False))

        found = await self._tried(call, None, Urgency.ANSWER, repeatable=True)
        return found if isinstance(found, bool) else None

    async def edit(
        self,
        chat: int,
        message: int,
        text: Text,
        keyboard: InlineKeyboardMarkup | None = None,
        *,
        urgency: Urgency = Urgency.QUESTION,
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

        lost = await self._tried(call, chat, urgency, repeatable=True)
        if lost is None:
            self._remember(chat, message, wanted)
        return lost

    async def edit_latest(
        self, chat: int, message: int, latest: Callable[[], tuple[Text, InlineKeyboardMarkup | None] | None]
    ) -> Lost | Moved | None:
        """Change a message of ours to what `latest` gives when its turn has come; None leaves it as it is."""

        async def call() -> None:
            shown = latest()
            if shown is None or self._shown.get((chat, message)) == hash(shown):
                return
            text, keyboard = shown
            await self._bot.edit_message_text(
                text.characters,
                chat,
                message,
                entities=text.entities,
                reply_markup=keyboard,
                link_preview_options=_NO_PREVIEW,
            )
            self._remember(chat, message, hash(shown))

        return await self._tried(call, chat, Urgency.BULK, repeatable=True)

    async def pin(self, chat: int, message: int, *, instead_of: int | None) -> Lost | Moved | None:
        """Pin a message without a sound, and unpin the former one."""

        async def call() -> None:
            await self._bot.pin_chat_message(chat, message, disable_notification=True)

        async def undo() -> None:
            await self._bot.unpin_chat_message(chat, instead_of)

        lost = await self._tried(call, chat, Urgency.BULK, repeatable=True)
        if lost is None and instead_of is not None:
            await self._tried(undo, chat, Urgency.BULK, repeatable=True)
        return lost

    def _remember(self, chat: int, message: int, shown: int) -> None:
        self._shown.pop((chat, message), None)
        self._shown[chat, message] = shown
        if len(self._shown) > SHOWN:
            del self._shown[next(iter(self._shown))]

    async def retire(
        self, chat: int, message: int, keyboard: InlineKeyboardMarkup | None = None
    ) -> Lost | Moved | None:
        """Take the buttons off a message of ours, or leave only these."""

        async def call() -> None:
            given = {"chat_id": chat, "message_id": message, **_around(keyboard)}
            await self._bot.do_api_request(_plain("edit_message_reply_markup"), given)

        self._shown.pop((chat, message), None)
        return await self._tried(call, chat, Urgency.REST, repeatable=True)

    async def answer(self, query: str, words: str = "", *, alert: bool = False) -> None:
        """Answer a pressed button, with words of at most 200 characters or without; no spinner stays."""

        async def call() -> None:
            await self._bot.answer_callback_query(query, words or None, show_alert=alert or None)

        await self._tried(call, None, Urgency.ANSWER, repeatable=True)

    @property
    def me(self) -> int:
        """Our own account."""
        return self._bot.id

    @property
    def name(self) -> str:
        """Our own name in links."""
        return self._bot.username

    async def administrators(self, chat: int) -> tuple[ChatMember, ...] | None:
        """Who administers a group or channel; None if Telegram does not say."""

        async def call() -> tuple[ChatMember, ...]:
            return await self._bot.get_chat_administrators(chat)

        found = await self._tried(call, None, Urgency.ANSWER, repeatable=True)
        return found if isinstance(found, tuple) else None

    async def whisper(self, chat: int, person: int, text: Text, query: str | None, thread: int | None) -> bool:
        """Send a message to a group that one person alone can see, if the server knows how to.

        A server that does not would show it to everybody. So it is first asked for a method that came with such
        messages, and if it has none it is never asked again.

        Args:
            chat: A group.
            person: Who is to see it.
            text: What it says.
            query: The press it answers, if it answers one.
            thread: The topic.

        Returns:
            False if it was not sent.
        """
        if self._whispers is None:
            self._whispers = await self._knows("DeleteEphemeralMessage")
        if not self._whispers:
            return False
        receiver = {"receiver_user_id": person, **({"callback_query_id": query} if query else {})}
        parameters = {
            "chat_id": chat,
            "text": text.characters,
            "entities": [entity.to_dict() for entity in text.entities],
            "link_preview_options": {"is_disabled": True},
            **({"message_thread_id": thread} if thread is not None else {}),
            **receiver,  # as Bot API 10.2 wants it
            "ephemeral_message_parameters": receiver,  # as 10.3 does
        }

        async def call() -> bool:
            return bool(await self._bot.do_api_request("SendMessage", parameters))

        return await self._tried(call, None, Urgency.QUESTION, repeatable=False) is True

    async def _knows(self, method: str) -> bool:
        """Whether the server has a method; one that cannot be asked now has it not."""
        try:
            await self._bot.do_api_request(
                method, {"chat_id": self.me, "receiver_user_id": 1, "ephemeral_message_id": 1}
            )
        except (EndPointNotFound, InvalidToken):
            return False
        except BadRequest:
            return True
        except TelegramError:
            return False
        return True

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


def _plain(method: str) -> str:
    """The name of a method under which the library hands its answer over unparsed and does not warn."""
    return method.replace("_", "__", 1)  # it makes camel case of it


def _around(keyboard: Markup | None, thread: int | None = None, *, silent: bool = False) -> dict[str, Any]:
    """What every message is told: its buttons, its topic, its sound."""
    given: dict[str, Any] = {}
    if keyboard is not None:
        given["reply_markup"] = keyboard.to_dict()
    if thread is not None:
        given["message_thread_id"] = thread
    if silent:
        given["disable_notification"] = True
    return given


def _asked(poll: Poll, closes_at: datetime | None) -> dict[str, Any]:
    """What sendPoll is told. No parse mode anywhere, so nothing can be taken for markup.

    Source: Telegram Bot API 10.0, sendPoll.
    """
    given: dict[str, Any] = {
        "question": poll.question,
        "options": [{"text": option} for option in poll.options],
        "type": "quiz",
        "is_anonymous": poll.anonymous,
        "correct_option_ids": list(poll.right),
        "allows_multiple_answers": poll.several,
        "allows_revoting": poll.revoting,
        "hide_results_until_closes": poll.hidden,
        "protect_content": True,
    }
    if poll.explanation:
        given["explanation"] = poll.explanation
    if poll.description is not None:
        given["description"] = poll.description.characters
        given["description_entities"] = [entity.to_dict() for entity in poll.description.entities]
    if closes_at is not None:
        given["close_date"] = int(closes_at.timestamp())
    return given


def _refused(error: BadRequest, chat: int | None) -> Lost | None:
    text = error.message.casefold()
    if any(known in text for known in _AS_GOOD_AS_DONE):
        return None
    for outcome, words in (
        (Lost.NO_RIGHTS, _NO_RIGHTS),
        (Lost.NO_TOPIC, _NO_TOPIC),
        (Lost.TOPIC_CLOSED, ("topic_closed",)),
    ):
        if any(known in text for known in words):
            log.info("chat %s cannot be written to: %s", chat, error.message)
            return outcome
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
