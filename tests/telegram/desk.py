"""The real bot at a far end: started, stopped and started anew on the same file, in the test's own loop.

A test waits only for what can be observed. `Desk.settled` lets a person press a button that no bot knows: what the same
person did before is carried out when that press is answered.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from bot.app import catalogues, shipped
from bot.bank import Bank, load
from bot.chats.context import Context
from bot.chats.telegram import TelegramBot, Webhook
from bot.i18n import Languages
from bot.quiz import Attempt
from bot.store import Store, Tx, Unavailable
from bot.tutor import adopt
from tests.far_ends.telegram import FarEnd, Message, Person, Query

T = TypeVar("T")

FENCE = "what no bot knows"

HERE = Path(__file__).parent


def seed_folder(folder: Path) -> Path:
    """The seed quiz as we ship it, and nothing else: a dialogue must not change when a quiz is added."""
    course = shipped("content") / "checkpoints"
    alone = folder / course.name
    alone.mkdir(parents=True, exist_ok=True)
    for name in ("terms.toml", "00-seed.toml"):
        shutil.copy(course / name, alone / name)
    head, _, _ = (course / "course.toml").read_text(encoding="utf-8").partition("[[quiz]]")
    (alone / "course.toml").write_text(head, encoding="utf-8")
    return folder


@cache
def seed() -> Bank:
    """The bank in `seed_folder`."""
    with tempfile.TemporaryDirectory() as folder:
        return load(seed_folder(Path(folder)))


@cache
def kinds() -> Bank:
    """A bank with an item of every kind."""
    return load(HERE.parent / "terminal" / "bank")


@cache
def languages() -> Languages:
    return catalogues(None)


class MoodyStore(Store):
    """A real store whose disk is full whenever a test says so."""

    moods: Iterator[bool] = itertools.repeat(False)
    """Of each transaction, whether it finds the disk full."""

    def run(self, fn: Callable[[Tx], T]) -> asyncio.Future[T]:
        if not next(self.moods):
            return super().run(fn)
        full: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        full.set_exception(Unavailable(Path("kontrolka.db"), "full"))
        return full


class Pauses:
    """Waits of the bot before it tries again: they end when a test says so."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self.begun, self.over = asyncio.Event(), asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        self.begun.set()
        await self.over.wait()
        await asyncio.sleep(0)


class Desk:
    """One bot with its data file."""

    def __init__(self, far_end: FarEnd, path: Path, bank: Bank, ids: Iterator[int], **options: Any) -> None:
        self.far_end, self.path, self.bank = far_end, path, bank
        self._ids, self._options = ids, {"limits": False, **options}

    async def start(self) -> None:
        """A fresh bot and a fresh store on the same file."""
        self.store = MoodyStore.open(self.path, clock=self.far_end.clock.today)
        assert not await self.store.run(lambda tx: adopt(tx, self.bank, self.far_end.clock.today()))
        self.context = Context(
            self.store, self.bank, languages(), self.far_end.clock.today, lambda: f"s{next(self._ids)}"
        )
        self.bot = TelegramBot(self.context, self.far_end.token, api=self.far_end.url, **self._options)
        self.task = asyncio.create_task(self.bot.run())

    async def stop(self) -> None:
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task
        await self.store.close()

    async def restart(self, *, after_s: float = 0.0, bank: Bank | None = None) -> None:
        """Stop, let time pass, and start with nothing but the file."""
        await self.stop()
        self.far_end.clock.advance(after_s)
        self.bank = bank or self.bank
        await self.start()

    # Waiting

    async def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until something is true at the far end; a bot that broke ends the wait."""
        waiting = asyncio.ensure_future(self.far_end.until(condition))
        await asyncio.wait((waiting, self.task), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            self.task.result()
        return await waiting

    async def settled(self, *people: Person) -> None:
        """Wait until everything these people have done is carried out."""
        fences = [person.sends_data(list(person.chat.messages.values())[-1], FENCE) for person in people]
        for fence in fences:
            await self.until(lambda fence=fence: fence.is_answered)

    async def handled(self, update_id: int) -> None:
        """Wait until an update has had its effect or was put aside, whoever sent it."""
        row = await self.store.run(lambda tx: [u for u in tx.inbox.waiting("telegram") if u.update_id == update_id])
        while row or any(kept.update["update_id"] == update_id for kept in self.far_end.updates.pending()):
            await asyncio.sleep(0)  # the far end has no call that tells of it
            row = await self.store.run(lambda tx: [u for u in tx.inbox.waiting("telegram") if u.update_id == update_id])

    # Doing and seeing

    async def types(self, person: Person, text: str) -> Message:
        """Write, and wait for what the bot makes of it."""
        message = person.sends(text)
        await self.settled(person)
        return message

    async def presses(self, person: Person, what: str) -> Query:
        """Press the newest button that `what` names, and wait for what the bot makes of it.

        Args:
            person: In the private chat.
            what: Its label, the beginning of its label or of its data, or a verb such as `:n` at the end of its data.
        """
        query = self.tap(person, what)
        await self.settled(person)
        return query

    def tap(self, person: Person, what: str) -> Query:
        """Press the newest button that `what` names, and wait for nothing."""
        message, data = button(self.far_end, person, what)
        return person.taps(message, data)

    async def begins(self, *people: Person) -> None:
        """These people have the first question before them."""
        for person in people:
            await self.types(person, "/start")
            await self.presses(person, "1/begin")

    async def read(self, look: Callable[[Tx], T]) -> T:
        return await self.store.run(look)

    async def attempts(self, person: Person) -> list[Attempt]:
        """The attempts of a person, in their order."""

        def look(tx: Tx) -> list[Attempt]:
            learner = tx.learner_of("telegram", str(person.id), self.far_end.clock.today())
            found = [a for number in range(1, 200) for a in tx.attempts_of(f"s{number}") if a.learner == learner]
            return sorted(found, key=lambda a: (a.at, a.position, a.revision))

        return await self.store.run(look)


def button(far_end: FarEnd, person: Person, what: str) -> tuple[Message, str]:
    """The newest button of a chat that fits, as its message and its data."""
    for message in reversed(far_end.messages(person)):
        buttons = [b for row in (message.markup or {}).get("inline_keyboard", []) for b in row]
        for found in buttons:
            data = found["callback_data"]
            if found["text"] in (what, f"✓ {what}") or (
                len(what) > 1 and (data.startswith(what) or data.endswith(what))
            ):
                return message, data
        for found in buttons:
            if len(what) > 1 and found["text"].startswith(what):
                return message, found["callback_data"]
    raise AssertionError(f"no button {what!r} in\n{far_end.what_a_person_sees(person)}")


@asynccontextmanager
async def desk(far_end: FarEnd, tmp_path: Path, bank: Bank | None = None, **options: Any) -> AsyncIterator[Desk]:
    """A bot that runs until the block ends."""
    one = Desk(far_end, tmp_path / "kontrolka.db", bank or seed(), itertools.count(1), **options)
    await one.start()
    try:
        yield one
    finally:
        await one.stop()


__all__ = ["FENCE", "Desk", "Webhook", "button", "desk", "kinds", "languages", "seed"]
