"""The far end as a test holds it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from types import TracebackType
from typing import Any, Self

import telegram
from telegram.request import BaseRequest

from . import transcript
from .actors import Person, Place
from .clock import START, Clock
from .control import Control
from .faults import Faults
from .server import Record, Server
from .world import Chat, ChatKind, Member, Message, Query, World

TOKEN = "700700700:AAF-test_token_of_the_far_end_0000000"


class FarEnd:
    """A Bot API server with one bot, and everybody around it.

    Args:
        start: First moment of its clock.
        follows: A monotonic clock in seconds to run with; without it only `clock.advance` moves the time.
        checks: Whether aiogram's models watch every request, result and update.
        keeps: Whether calls and history are recorded; off for benchmarks.
        token: Of the bot.
        username: Of the bot.
        bot_name: Its first name.
    """

    def __init__(
        self,
        *,
        start: datetime = START,
        follows: Callable[[], float] | None = None,
        checks: bool = True,
        keeps: bool = True,
        token: str = TOKEN,
        username: str = "kontrolka_test_bot",
        bot_name: str = "Tutor",
    ) -> None:
        self.clock = Clock(start, follows)
        self.world = World(self.clock, token, username, bot_name)
        self.world.keeps_history = keeps
        self.faults = Faults()
        self.server = Server(self.world, self.faults, checks=checks, keeps=keeps, control=Control(self).handle)
        self.token = token
        self._changed = asyncio.Event()
        self.server.on_call = self._changed.set

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self, port: int = 0) -> None:
        await self.server.start(port)

    async def stop(self) -> None:
        await self.server.stop()

    # Reaching it

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    @property
    def base_url(self) -> str:
        """`base_url` for python-telegram-bot."""
        return f"{self.url}/bot"

    def make_bot(
        self, request: BaseRequest | None = None, get_updates_request: BaseRequest | None = None
    ) -> telegram.Bot:
        """A python-telegram-bot bot that talks to this far end; not initialised."""
        return telegram.Bot(
            self.token,
            self.base_url,
            f"{self.url}/file/bot",
            request=request,
            get_updates_request=get_updates_request,
        )

    @contextlib.asynccontextmanager
    async def bot(
        self, request: BaseRequest | None = None, get_updates_request: BaseRequest | None = None
    ) -> AsyncIterator[telegram.Bot]:
        """`make_bot`, initialised and shut down again."""
        async with self.make_bot(request, get_updates_request) as bot:
            yield bot

    # Who is there

    @property
    def updates(self) -> Any:
        return self.world.updates

    def person(self, first_name: str, **more: Any) -> Person:
        """Somebody new. `language_code`, `last_name`, `username` may be given."""
        return Person(self.world, self.world.new_user(first_name, **more))

    def group(self, title: str, owner: Person, *members: Person, bot: str = "member") -> Place:
        """A basic group."""
        return self._place("group", title, owner, members, bot)

    def supergroup(
        self, title: str, owner: Person, *members: Person, forum: bool = False, bot: str = "member"
    ) -> Place:
        """A supergroup, maybe with topics."""
        return self._place("supergroup", title, owner, members, bot, is_forum=forum)

    def channel(self, title: str, owner: Person, *, username: str = "", bot: str = "administrator") -> Place:
        return self._place("channel", title, owner, (), bot, username=username)

    def _place(
        self, kind: ChatKind, title: str, owner: Person, members: tuple[Person, ...], bot: str, **more: Any
    ) -> Place:
        chat = self.world.new_chat(kind, title, **more)
        chat.members[owner.id] = Member(owner.user, "creator")
        for person in members:
            chat.members[person.id] = Member(person.user, "member")
        place = Place(self.world, chat)
        if bot == "administrator":
            place.makes_bot_admin()
        elif bot == "member":
            place.makes_bot_member()
        return place

    # What is seen

    def what_a_person_sees(self, where: Person | Place | Chat, topic: int | None = None) -> str:
        """The chat as it stands now; of a person the private chat."""
        return transcript.seen(_chat(where), topic)

    def what_a_person_lived(self, where: Person | Place | Chat) -> str:
        """The chat as it came about: taps, pop-ups, every edit."""
        return transcript.lived(self.world, _chat(where))

    def messages(self, where: Person | Place | Chat) -> list[Message]:
        """What the bot has sent there and is still there, oldest first."""
        chat = _chat(where)
        return [
            message
            for message in chat.messages.values()
            if not message.deleted and (message.sender is self.world.bot or message.sender_chat is chat)
        ]

    def last(self, where: Person | Place | Chat) -> Message:
        """The newest message of the bot there."""
        return self.messages(where)[-1]

    def calls(self, method: str | None = None) -> list[Record]:
        """Recorded calls, oldest first."""
        return [record for record in self.server.records if method in {None, record.method}]

    # Waiting

    async def until(self, condition: Callable[[], Any], timeout_s: float = 60.0) -> Any:
        """Wait until something is true; looked at after every call of the bot.

        Returns:
            What the condition returned.

        Raises:
            TimeoutError: It did not come true.
        """
        try:
            async with asyncio.timeout(timeout_s):
                while not (result := condition()):
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise TimeoutError(f"never came true; the last calls were {self.server.records[-3:]}") from None
        return result

    async def next_message(self, where: Person | Place | Chat, after: Message | None = None) -> Message:
        """Wait for a message of the bot that is newer than `after` (or any)."""

        def newer() -> Message | None:
            return next((one for one in self.messages(where) if after is None or one.id > after.id), None)

        found: Message = await self.until(newer)
        return found

    async def answered(self, query: Query) -> str:
        """Wait until the bot has answered a tap.

        Returns:
            The words that popped up; empty for an answer without any.
        """
        await self.until(lambda: query.is_answered)
        return query.toast

    def assert_clean(self) -> None:
        """Fail if a model disagreed or the far end itself broke."""
        assert not self.server.crashes, self.server.crashes
        assert not self.server.disagreements, "\n".join(self.server.disagreements)


def _chat(where: Person | Place | Chat) -> Chat:
    return where if isinstance(where, Chat) else where.chat
