"""Sending: everything that leaves for Telegram.

What may carry a poll is taken as plain data: python-telegram-bot 22.8 raises TypeError, after delivery, when an older
server leaves out a field such as `members_only`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

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
    EndPointNotFound,
    InvalidToken,
    TelegramError,
)

from bot.chats.telegram.calls import Calls
from bot.chats.telegram.limiter import Limiter, Urgency
from bot.chats.telegram.outcomes import Lost, Moved, Polled
from bot.chats.telegram.polls import Poll
from bot.chats.telegram.text import Text

log = logging.getLogger(__name__)

Markup = InlineKeyboardMarkup | ForceReply | ReplyKeyboardMarkup | ReplyKeyboardRemove

SHOWN = 10_000
"""Messages of which is remembered what they show, so that a button that is pressed again and again costs no edits.
Chosen by us: about 2 MB."""

_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

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
        self._bot, self._calls = bot, Calls(limiter, sleep)
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

        return await self._calls.tried(call, chat, urgency, repeatable=False) or Lost.REFUSED

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

        return await self._calls.tried(call, chat, urgency, repeatable=False) or Lost.REFUSED

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

        return await self._calls.tried(call, chat, Urgency.QUESTION, repeatable=False) or Lost.REFUSED

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
            given = {"chat_id": chat, **poll.parameters(now()), **_around(keyboard, thread, silent=silent)}
            sent = await self._bot.do_api_request(_plain("send_poll"), given)
            try:
                return Polled(int(sent["message_id"]), str(sent["poll"]["id"]))
            except (KeyError, TypeError, ValueError):
                log.exception("telegram took a poll and did not say which")
                return Lost.UNCERTAIN

        return await self._calls.tried(call, chat, urgency, repeatable=False) or Lost.REFUSED

    async def stop_poll(
        self, chat: int, message: int, keyboard: InlineKeyboardMarkup | None = None, *, urgency: Urgency
    ) -> Lost | Moved | None:
        """Close a poll of ours, if it is not closed, and leave only these buttons below."""

        async def call() -> bool:
            await self._bot.do_api_request(
                _plain("stop_poll"), {"chat_id": chat, "message_id": message, **_around(keyboard)}
            )
            return True

        stopped = await self._calls.tried(call, chat, urgency, repeatable=True)
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

        found = await self._calls.tried(call, None, Urgency.ANSWER, repeatable=True)
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

        lost = await self._calls.tried(call, chat, urgency, repeatable=True)
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

        return await self._calls.tried(call, chat, Urgency.BULK, repeatable=True)

    async def pin(self, chat: int, message: int, *, instead_of: int | None) -> Lost | Moved | None:
        """Pin a message without a sound, and unpin the former one."""

        async def call() -> None:
            await self._bot.pin_chat_message(chat, message, disable_notification=True)

        async def undo() -> None:
            await self._bot.unpin_chat_message(chat, instead_of)

        lost = await self._calls.tried(call, chat, Urgency.BULK, repeatable=True)
        if lost is None and instead_of is not None:
            await self._calls.tried(undo, chat, Urgency.BULK, repeatable=True)
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
        return await self._calls.tried(call, chat, Urgency.REST, repeatable=True)

    async def answer(self, query: str, words: str = "", *, alert: bool = False) -> None:
        """Answer a pressed button, with words of at most 200 characters or without; no spinner stays."""

        async def call() -> None:
            await self._bot.answer_callback_query(query, words or None, show_alert=alert or None)

        await self._calls.tried(call, None, Urgency.ANSWER, repeatable=True)

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

        found = await self._calls.tried(call, None, Urgency.ANSWER, repeatable=True)
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

        return await self._calls.tried(call, None, Urgency.QUESTION, repeatable=False) is True

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
