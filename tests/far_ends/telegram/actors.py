"""People and places as a test moves them. A person can do only what Telegram's own apps would let them do."""

import re
from typing import Any

from . import limits, shapes
from .places import set_status
from .polls import tell
from .text import formatted
from .world import (
    ADMIN_RIGHTS,
    ANONYMOUS_ADMIN_ID,
    GENERAL_TOPIC_ID,
    Chat,
    Member,
    Message,
    Poll,
    Query,
    Topic,
    User,
    World,
)

_EVERYTHING = frozenset(ADMIN_RIGHTS) | {
    "can_post_messages",
    "can_edit_messages",
    "can_pin_messages",
    "can_manage_topics",
}


class NotPossible(AssertionError):  # noqa: N818 - reads as a sentence
    """No app would let a person do this: no such button, a closed poll, a chat they are not in."""


class Place:
    """A group, supergroup or channel."""

    def __init__(self, world: World, chat: Chat) -> None:
        self.world = world
        self.chat = chat

    @property
    def id(self) -> int:
        return self.chat.id

    @property
    def bot_status(self) -> str:
        return self.chat.status(self.world.bot)

    def topic(self, name: str) -> Topic:
        """Open a new topic; its id is the number of the service message that opens it."""
        if not self.chat.is_forum:
            raise NotPossible("not a forum")
        owner = next(member.user for member in self.chat.members.values() if member.status == "creator")
        number = next(self.chat.numbers)
        topic = self.chat.topics[number] = Topic(number, name)
        service = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        message = Message(self.chat, number, self.world.now(), owner, topic=number, service=service)
        _deliver(self.world, self.world.add(message))
        return topic

    @property
    def general(self) -> Topic:
        return self.chat.topics[GENERAL_TOPIC_ID]

    def removes_topic(self, topic: Topic) -> None:
        """Take a topic and its messages away."""
        del self.chat.topics[topic.id]
        for message in self.chat.messages.values():
            message.deleted = message.deleted or message.topic == topic.id

    def makes_admin(self, person: "Person", *, anonymous: bool = False) -> None:
        member = Member(person.user, "administrator", anonymous, _EVERYTHING)
        set_status(self.world, self.chat, person.user, member, by=self._owner())

    def makes_bot_admin(self, *rights: str) -> None:
        """Give the bot rights; without names all of them."""
        member = Member(self.world.bot, "administrator", rights=frozenset(rights) or _EVERYTHING)
        set_status(self.world, self.chat, self.world.bot, member, by=self._owner())

    def makes_bot_member(self) -> None:
        set_status(self.world, self.chat, self.world.bot, Member(self.world.bot, "member"), by=self._owner())

    def removes_bot(self) -> None:
        set_status(self.world, self.chat, self.world.bot, Member(self.world.bot, "kicked"), by=self._owner())

    def adds(self, person: "Person") -> None:
        set_status(self.world, self.chat, person.user, Member(person.user, "member"), by=self._owner())

    def upgrades(self, *, forum: bool = False) -> "Place":
        """Turn a group into a supergroup: another id, numbers from 1, two service messages."""
        if self.chat.kind != "group" or self.chat.migrated_to:
            raise NotPossible("not a group")
        new = self.world.new_chat("supergroup", self.chat.title, is_forum=forum, first=1)
        new.members = dict(self.chat.members)
        owner = self._owner()
        left = Message(
            self.chat, next(self.chat.numbers), self.world.now(), owner, service={"migrate_to_chat_id": new.id}
        )
        came = Message(new, next(new.numbers), self.world.now(), owner, service={"migrate_from_chat_id": self.chat.id})
        _deliver(self.world, self.world.add(left))
        self.chat.migrated_to = new
        _deliver(self.world, self.world.add(came))
        return Place(self.world, new)

    def _owner(self) -> User:
        return next(member.user for member in self.chat.members.values() if member.status == "creator")


Where = Place | Chat | None


class Person:
    """Somebody with a Telegram app."""

    def __init__(self, world: World, user: User) -> None:
        self.world = world
        self.user = user

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def chat(self) -> Chat:
        """The private chat with the bot."""
        return self.world.private(self.user)

    # Writing

    def starts(self, payload: str = "") -> Message:
        """Press Start, maybe through a deep link with a payload."""
        if payload and not re.fullmatch(f"[A-Za-z0-9_-]{{1,{limits.START_PAYLOAD}}}", payload):
            raise NotPossible(f"no link can carry {payload!r}")
        return self.sends(f"/start {payload}".strip())

    def sends(
        self,
        text: str,
        to: Where = None,
        *,
        topic: Topic | None = None,
        reply_to: Message | None = None,
        anonymously: bool = False,
    ) -> Message:
        """Write a message; without `to` to the bot in private."""
        chat = self._chat(to)
        if topic is None and reply_to is not None and reply_to.topic is not None:
            topic = chat.topics[reply_to.topic]
        if topic is not None and topic.closed and not chat.is_admin(self.user):
            raise NotPossible("the topic is closed")
        words = formatted(text)
        if not words.text:
            raise NotPossible("nothing to send")
        message = Message(chat, next(chat.numbers), self.world.now(), self.user, text=words)
        message.reply_to = reply_to.id if reply_to else None
        if topic is not None and topic.id != GENERAL_TOPIC_ID:
            message.topic = topic.id
            message.reply_to = message.reply_to or topic.id  # clients answer the message that opened the topic
        elif reply_to is not None and chat.kind == "supergroup" and not chat.is_forum:
            message.thread = reply_to.thread or reply_to.id
        self._sign(message, anonymously)
        self.world.add(message)
        _deliver(self.world, message)
        return message

    def replies(self, message: Message, text: str, *, anonymously: bool = False) -> Message:
        return self.sends(text, message.chat, reply_to=message, anonymously=anonymously)

    def edits(self, message: Message, text: str) -> None:
        """Change a message of one's own."""
        if message.sender is not self.user:
            raise NotPossible("somebody else's message")
        message.text, message.edit_date = formatted(text), self.world.now()
        self.world.note(message.chat, "edited", self.user, message)
        _deliver(self.world, message, "edited_message")

    def deletes(self, message: Message) -> None:
        """Take a message away; the bot is not told."""
        message.deleted = True
        self.world.note(message.chat, "deleted", self.user, message)

    # Pressing

    def taps(self, message: Message, button: str, *, gone: bool = False) -> Query:
        """Press an inline button of a message.

        Args:
            message: Where it is.
            button: Its label, its data, or the beginning of a label that no other button shares.
            gone: The app still shows keyboards that the message no longer has (newest first).

        Raises:
            NotPossible: There is no such button.
        """
        self._see(message.chat)
        if message.deleted and not gone:
            raise NotPossible("the message was deleted")
        keyboards = [message.markup] if message.markup else []
        if gone:
            keyboards += reversed(message.markups)
        for markup in keyboards:
            found = _button(markup, button)
            if found is not None:
                self.world.note(message.chat, "tapped", self.user, message, found["text"])
                return self.sends_data(message, found["callback_data"])
        raise NotPossible(f"no button {button!r}; there is {message.buttons}")

    def sends_data(self, message: Message, data: str) -> Query:
        """A callback with any data, as a forged client could send it."""
        query = Query(self.world.serial("query"), self.user, message, data, self.world.clock.now())
        self.world.queries[query.id] = query
        self.user.met = True
        self.world.updates.add(
            "callback_query",
            shapes.query(self.world, query),
            life_s=limits.CALLBACK_LIFE_S,
            queue=f"query {self.user.id}",
        )
        return query

    # Voting

    def votes(self, where: Message | Poll, options: list[int], *, anonymously: bool = False) -> None:
        """Choose options of a poll by their place in it, from 0; an empty list takes the vote back."""
        poll = where.poll if isinstance(where, Message) else where
        if poll is None:
            raise NotPossible("not a poll")
        message = self.world.poll_messages[poll.id]
        self._see(message.chat)
        voter: User | Chat = message.chat if anonymously else self.user
        if anonymously and not self._is_anonymous(message.chat):
            raise NotPossible("not an anonymous administrator")
        if poll.closed:
            raise NotPossible("the poll is closed")
        if voter.id in poll.votes and not poll.revoting:
            raise NotPossible("the vote cannot be changed")
        if not options and voter.id not in poll.votes:
            raise NotPossible("nothing to take back")
        if (len(options) > 1 and not poll.multiple) or not set(options) <= set(range(len(poll.options))):
            raise NotPossible(f"cannot choose {options}")
        if options:
            poll.votes[voter.id] = sorted(options)
        else:
            del poll.votes[voter.id]
        self.world.note(message.chat, "voted", voter, message, ", ".join(poll.options[i].text for i in sorted(options)))
        if not poll.is_anonymous:
            if isinstance(voter, User):
                voter.met = True
            self.world.updates.add(
                "poll_answer",
                shapes.poll_answer(self.world, poll, voter),
                life_s=limits.UPDATE_LIFE_S,
                queue=f"poll {poll.id}",
            )
        tell(self.world, poll)

    def retracts(self, where: Message | Poll) -> None:
        self.votes(where, [])

    # Being there or not

    def blocks(self) -> None:
        """Block the bot."""
        self._blocked(True)

    def unblocks(self) -> None:
        self._blocked(False)

    def deactivates(self) -> None:
        """Delete the account."""
        self.user.deactivated = True

    def leaves(self, place: Place) -> None:
        set_status(self.world, place.chat, self.user, Member(self.user, "left"), by=self.user)

    def closes(self, topic: Topic, place: Place) -> None:
        self._close(topic, place, closed=True)

    def reopens(self, topic: Topic, place: Place) -> None:
        self._close(topic, place, closed=False)

    def _close(self, topic: Topic, place: Place, *, closed: bool) -> None:
        if not place.chat.is_admin(self.user):
            raise NotPossible("not an administrator")
        topic.closed = closed
        service: dict[str, Any] = {"forum_topic_closed" if closed else "forum_topic_reopened": {}}
        number = None if topic.id == GENERAL_TOPIC_ID else topic.id
        message = Message(
            place.chat, next(place.chat.numbers), self.world.now(), self.user, topic=number, service=service
        )
        _deliver(self.world, self.world.add(message))

    def _blocked(self, blocked: bool) -> None:
        if self.user.blocked == blocked:
            return
        states: list[dict[str, Any]] = [{"status": "member"}, {"status": "kicked", "until_date": 0}]
        old, new = states if blocked else reversed(states)
        self.user.blocked = blocked
        change = {
            "chat": shapes.chat(self.chat),
            "from": shapes.user(self.user),
            "date": self.world.now(),
            "old_chat_member": {"user": shapes.user(self.world.bot), **old},
            "new_chat_member": {"user": shapes.user(self.world.bot), **new},
        }
        self.world.updates.add("my_chat_member", change, life_s=limits.UPDATE_LIFE_S, queue=f"chat {self.chat.id}")

    def _chat(self, to: Where) -> Chat:
        if to is None:
            if self.user.blocked:
                self.unblocks()
            self.user.started = self.user.met = True
            return self.chat
        chat = to.chat if isinstance(to, Place) else to
        self._see(chat)
        if chat.migrated_to is not None:
            raise NotPossible("the group was upgraded; nobody writes there any more")
        if chat.kind == "channel" and not chat.is_admin(self.user):
            raise NotPossible("only administrators write in a channel")
        if chat is self.chat:
            return self._chat(None)
        return chat

    def _see(self, chat: Chat) -> None:
        if chat.kind == "channel" or chat is self.chat:
            return
        if chat.status(self.user) in {"left", "kicked"}:
            raise NotPossible(f"{self.user.first_name} is not in {chat.title or 'this private chat'}")

    def _is_anonymous(self, chat: Chat) -> bool:
        member = chat.members.get(self.user.id)
        return member is not None and member.is_anonymous

    def _sign(self, message: Message, anonymously: bool) -> None:
        chat = message.chat
        if chat.kind == "channel":
            message.sender, message.sender_chat = None, chat
        elif anonymously:
            if not self._is_anonymous(chat):
                raise NotPossible("not an anonymous administrator")
            message.sender = User(ANONYMOUS_ADMIN_ID, "Group", username="GroupAnonymousBot", is_bot=True)
            message.sender_chat = chat


def _button(markup: dict[str, Any], wanted: str) -> dict[str, Any] | None:
    buttons = [button for row in markup.get("inline_keyboard", []) for button in row if "callback_data" in button]
    for found in (
        [button for button in buttons if button["text"] == wanted],
        [button for button in buttons if button["callback_data"] == wanted],
        [button for button in buttons if button["text"].startswith(wanted)],
    ):
        if len(found) == 1:
            return dict(found[0])
        if found:
            raise NotPossible(f"{len(found)} buttons fit {wanted!r}")
    return None


def _deliver(world: World, message: Message, kind: str = "message") -> None:
    """Tell the bot about a message, if it may see it."""
    chat = message.chat
    if chat.kind != "private" and not _bot_sees(world, message):
        return
    if message.sender is not None and message.sender is not world.bot:
        message.sender.met = True
    if chat.kind == "channel":
        kind = kind.replace("message", "channel_post")
    world.updates.add(kind, shapes.message(world, message), life_s=limits.UPDATE_LIFE_S, queue=f"chat {chat.id}")


def _bot_sees(world: World, message: Message) -> bool:
    """Privacy mode: commands, replies to the bot and service messages; administrators see all.

    Source: core.telegram.org/bots/features, privacy mode. A command without a name counts as the bot's own, because
    here it is the only bot.
    """
    chat = message.chat
    if chat.status(world.bot) in {"left", "kicked"}:
        return False
    if chat.is_admin(world.bot) or world.reads_groups or message.is_service:
        return True
    original = chat.messages.get(message.reply_to) if message.reply_to else None
    if original is not None and original.sender is world.bot:
        return True
    for entity in message.text.entities:
        if entity["type"] == "bot_command" and entity["offset"] == 0:
            command = message.text.text[: entity["length"]]
            return "@" not in command or command.lower().endswith(f"@{world.bot.username.lower()}")
    return False
