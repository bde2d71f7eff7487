"""What exists: people, chats, topics, messages, polls, queries. No HTTP here."""

import hashlib
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

from . import limits
from .clock import Clock
from .errors import ApiError, bad_request, forbidden
from .text import Formatted
from .updates import Updates

ChatKind = Literal["private", "group", "supergroup", "channel"]
Status = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]

ANONYMOUS_ADMIN_ID = 1087968824  # Source: PTB constants, ChatID.ANONYMOUS_ADMIN; the `from` of anonymous admins
CHANNEL_BOT_ID = 136817688  # Source: PTB constants, ChatID.FAKE_CHANNEL; the `user` of votes by a chat
GENERAL_TOPIC_ID = 1

ADMIN_RIGHTS = (
    "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_promote_members",
    "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories",
    "can_send_welcome_messages",
)  # fmt: skip


@dataclass(slots=True, eq=False)
class User:
    id: int
    first_name: str
    last_name: str = ""
    username: str = ""
    language_code: str = ""
    is_bot: bool = False
    started: bool = False  # wrote to the bot at least once
    met: bool = False  # the bot saw this account in some chat
    blocked: bool = False
    deactivated: bool = False


@dataclass(slots=True, eq=False)
class Member:
    user: User
    status: Status
    is_anonymous: bool = False
    rights: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Topic:
    id: int
    name: str
    closed: bool = False


@dataclass(slots=True, eq=False)
class Chat:
    id: int
    kind: ChatKind
    title: str = ""
    username: str = ""
    is_forum: bool = False
    user: User | None = None  # whose private chat it is
    members: dict[int, Member] = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, "Message"] = field(default_factory=dict)
    pinned: list[int] = field(default_factory=list)
    migrated_to: "Chat | None" = None
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def status(self, user: User) -> Status:
        member = self.members.get(user.id)
        return member.status if member else "left"

    def is_admin(self, user: User) -> bool:
        return self.status(user) in {"creator", "administrator"}

    def has_right(self, user: User, right: str) -> bool:
        member = self.members.get(user.id)
        return member is not None and (
            member.status == "creator" or (member.status == "administrator" and right in member.rights)
        )


@dataclass(slots=True, eq=False)
class Poll:
    id: str
    question: Formatted
    options: list[Formatted]
    persistent_ids: list[str]
    is_quiz: bool
    correct: list[int]
    is_anonymous: bool
    multiple: bool
    revoting: bool
    members_only: bool
    explanation: Formatted
    description: Formatted
    country_codes: list[str]
    open_period: int | None
    close_date: int | None
    hides_results: bool
    shuffles: bool
    closed: bool = False
    votes: dict[int, list[int]] = field(default_factory=dict)  # by user or chat id


@dataclass(slots=True, eq=False)
class Message:
    chat: Chat
    id: int
    date: int
    sender: User | None
    sender_chat: Chat | None = None
    text: Formatted = field(default_factory=Formatted)
    caption: Formatted = field(default_factory=Formatted)
    photo: list[dict[str, Any]] = field(default_factory=list)
    document: dict[str, Any] = field(default_factory=dict)
    poll: Poll | None = None
    service: dict[str, Any] = field(default_factory=dict)
    reply_to: int | None = None
    topic: int | None = None
    thread: int | None = None  # of a non-forum supergroup: the first message replied to
    markup: dict[str, Any] | None = None
    markups: list[dict[str, Any]] = field(default_factory=list)  # every inline keyboard it ever had, oldest first
    edit_date: int | None = None
    protected: bool = False
    deleted: bool = False

    @property
    def is_service(self) -> bool:
        return bool(self.service)

    @property
    def buttons(self) -> list[str]:
        """Labels of its inline buttons, in reading order."""
        return [button["text"] for row in (self.markup or {}).get("inline_keyboard", []) for button in row]

    @property
    def words(self) -> str:
        """Text, caption or question, whichever it has."""
        return self.text.text or self.caption.text or (self.poll.question.text if self.poll else "")


@dataclass(slots=True, eq=False)
class Query:
    """A tap on a button with callback data."""

    id: str
    user: User
    message: Message
    data: str
    asked_at: float
    answer: dict[str, Any] | None = None  # the fields of answerCallbackQuery
    expired: bool = False

    @property
    def is_answered(self) -> bool:
        return self.answer is not None

    @property
    def toast(self) -> str:
        """What popped up; empty before an answer and for an answer without words."""
        return str((self.answer or {}).get("text", ""))


@dataclass(slots=True, eq=False)
class Happening:
    """A line of a chat's history, as people lived it."""

    chat: Chat
    kind: Literal["sent", "edited", "deleted", "tapped", "answered", "voted", "stopped"]
    who: str
    message: Message | None = None
    words: str = ""


class World:
    """All that exists around one bot.

    Args:
        clock: Its time.
        token: Of the bot.
        username: Of the bot.
        bot_name: Its first name.
    """

    def __init__(self, clock: Clock, token: str, username: str, bot_name: str) -> None:
        self.clock = clock
        self.token = token
        self.bot = User(int(token.partition(":")[0]), bot_name, username=username, is_bot=True)
        self.reads_groups = False
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.chats: dict[int, Chat] = {}
        self.polls: dict[str, Poll] = {}
        self.poll_messages: dict[str, Message] = {}
        self.queries: dict[str, Query] = {}
        self.files: dict[str, bytes] = {}
        self.photos: dict[str, list[dict[str, Any]]] = {}
        self.commands: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.profile: dict[tuple[str, str], str] = {}
        self.history: list[Happening] = []
        self.keeps_history = True
        self.updates = Updates(clock)
        self._user_ids = count(100_001)
        self._chat_ids = count(1001)
        self._account_numbers = count(1)  # private chats and basic groups share one numbering
        self._serials = count(1)

    # People and chats

    def new_user(self, first_name: str, **more: Any) -> User:
        user = User(next(self._user_ids), first_name, **more)
        self.users[user.id] = user
        return user

    def private(self, user: User) -> Chat:
        if user.id not in self.chats:
            self.chats[user.id] = Chat(user.id, "private", user=user, numbers=self._account_numbers)
        return self.chats[user.id]

    def new_chat(
        self, kind: ChatKind, title: str, *, is_forum: bool = False, username: str = "", first: int = 2
    ) -> Chat:
        """A chat without members. Number 1 of a supergroup or channel is the message that says it was created."""
        number = next(self._chat_ids)
        chat_id = -number if kind == "group" else -1_000_000_000_000 - number
        chat = Chat(chat_id, kind, title, username, is_forum, numbers=count(first))
        if kind == "group":
            chat.numbers = self._account_numbers
        if is_forum:
            chat.topics[GENERAL_TOPIC_ID] = Topic(GENERAL_TOPIC_ID, "General")
        self.chats[chat_id] = chat
        return chat

    def serial(self, what: str) -> str:
        """A number that looks like Telegram's and is the same in every run."""
        digest = hashlib.sha256(f"{what}{next(self._serials)}".encode()).digest()
        return str(int.from_bytes(digest[:8], "big") >> 1 | 1 << 60)

    # Messages

    def add(self, message: Message) -> Message:
        message.chat.messages[message.id] = message
        if message.markup and "inline_keyboard" in message.markup:
            message.markups.append(message.markup)
        who = message.sender_chat or message.sender
        self.note(message.chat, "sent", who, message)
        return message

    def now(self) -> int:
        return int(self.clock.now())

    def note(
        self, chat: Chat, kind: Any, who: User | Chat | None, message: Message | None = None, words: str = ""
    ) -> None:
        if self.keeps_history:
            name = who.first_name if isinstance(who, User) else who.title if who else ""
            now = copy(message)  # as it is now, not as it will be
            if now is not None and now.poll is not None:
                now.poll = copy(now.poll)
                now.poll.votes = dict(now.poll.votes)
            self.history.append(Happening(chat, kind, name, now, words))

    # Who may what

    def find_chat(self, chat_id: Any) -> Chat:
        """The chat of a `chat_id`.

        Source: Client.cpp, `check_chat`.

        Raises:
            ApiError: There is none that the bot could know.
        """
        if chat_id is None or chat_id == "":
            raise bad_request("chat_id is empty")
        if isinstance(chat_id, str) and chat_id.startswith("@"):
            for chat in self.chats.values():
                if chat.username and chat.username.lower() == chat_id[1:].lower() and chat.kind != "private":
                    return chat
            raise bad_request("chat not found")
        try:
            number = int(chat_id)
        except ValueError:
            raise bad_request("chat not found") from None
        user = self.users.get(number)
        if user is not None and not user.is_bot and not user.started:
            if user.met:
                raise forbidden("bot can't initiate conversation with a user")
            raise bad_request("chat not found")
        if number not in self.chats:
            raise bad_request("chat not found")
        return self.chats[number]

    def check_access(self, chat: Chat, *, write: bool) -> None:
        """Refuse when the bot is out of the chat.

        Source: Client.cpp, `check_chat_access`. That edits in an upgraded group are refused like messages is
        unverified.

        Raises:
            ApiError: Blocked, deactivated, upgraded, kicked or left.
        """
        if chat.user is not None:
            if write and chat.user.deactivated:
                raise forbidden("user is deactivated")
            if write and chat.user.blocked:
                raise forbidden("bot was blocked by the user")
            return
        if chat.migrated_to is not None:
            raise ApiError(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.migrated_to.id,
            )
        status = chat.status(self.bot)
        if status == "kicked":
            raise forbidden(f"bot was kicked from the {chat.kind} chat")
        if status == "left" and (write or chat.kind != "group") and not (chat.username and not write):
            raise forbidden(f"bot is not a member of the {chat.kind} chat")

    def check_sending(self, chat: Chat) -> None:
        """Refuse when the bot is in the chat but may not write there.

        Raises:
            ApiError: A channel without the right to post, a restricted bot.
        """
        if chat.kind == "channel" and not chat.has_right(self.bot, "can_post_messages"):
            raise bad_request("need administrator rights in the channel chat")
        if chat.status(self.bot) == "restricted":
            raise bad_request("not enough rights to send text messages to the chat")

    def check_topic(self, chat: Chat, thread_id: int) -> int | None:
        """The topic a message goes to.

        Source: Client.cpp, `check_message_topic`.

        Raises:
            ApiError: No such topic, General by its number, or a closed one.
        """
        if chat.kind == "private" and thread_id:
            raise bad_request("message thread not found")
        if not chat.is_forum:
            return None
        if thread_id == GENERAL_TOPIC_ID or (thread_id and thread_id not in chat.topics):
            raise bad_request("message thread not found")
        topic = chat.topics[thread_id or GENERAL_TOPIC_ID]
        if topic.closed and not chat.has_right(self.bot, "can_manage_topics"):
            raise bad_request("TOPIC_CLOSED")
        return thread_id or None

    def find_message(self, chat: Chat, message_id: int, what: str) -> Message:
        """A message that is still there.

        Raises:
            ApiError: It is not; the text begins with `what`.
        """
        message = chat.messages.get(message_id)
        if message is None or message.deleted:
            raise bad_request(f"{what} not found")
        return message

    def find_query(self, query_id: str) -> Query:
        """A query that can still be answered.

        Raises:
            ApiError: Unknown, too old, or answered before.
        """
        query = self.queries.get(query_id)
        if (
            query is None
            or query.is_answered
            or query.expired
            or self.clock.now() - query.asked_at > limits.CALLBACK_LIFE_S
        ):
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        return query
