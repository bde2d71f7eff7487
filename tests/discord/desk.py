"""The real bot at a far end, with its data file: ended and begun anew on the same file, in the test's own loop."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from bot.app import catalogues, shipped
from bot.bank import Bank, load
from bot.chats.context import Context
from bot.chats.discord.bot import Client, DiscordBot
from bot.i18n import Languages
from bot.store import Store, Tx, Unavailable
from tests.far_ends.discord import World, world

T = TypeVar("T")

HERE = Path(__file__).parent


@cache
def seed() -> Bank:
    """The bank we ship."""
    return load(shipped("content"))


@cache
def kinds() -> Bank:
    """A bank with an item of every kind."""
    return load(HERE / "bank")


@cache
def languages() -> Languages:
    return catalogues(None)


class MoodyStore(Store):
    """A real store whose disk is full, or slow, whenever a test says so."""

    full = False
    slow: Callable[[], Awaitable[object]] | None = None
    """What a transaction waits for."""

    def run(self, fn: Callable[[Tx], T]) -> asyncio.Future[T]:
        if self.full:
            future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            future.set_exception(Unavailable(Path("kontrolka.db"), "full"))
            return future
        if self.slow is not None:
            return asyncio.get_running_loop().create_task(self._later(self.slow, fn))
        return super().run(fn)

    async def _later(self, slow: Callable[[], Awaitable[object]], fn: Callable[[Tx], T]) -> T:
        await slow()
        return await super().run(fn)


class Desk:
    """One bot with its data file."""

    def __init__(self, file: Path, bank: Bank) -> None:
        self._file, self._bank = file, bank
        self._ids: Iterator[int] = itertools.count(1)
        self.world: World
        self.client: Client
        self.context: Context

    def _now(self) -> datetime:
        return self.world.env.now() if hasattr(self, "world") else datetime(2026, 11, 30, tzinfo=UTC)

    def make(self) -> Client:
        """A new bot on the same file."""
        store = MoodyStore.open(self._file, clock=self._now)
        self.context = Context(store, self._bank, languages(), self._now, lambda: f"s{next(self._ids)}")
        self.client = Client(self.context)
        return self.client

    @property
    def store(self) -> MoodyStore:
        """The store of the bot at work."""
        assert isinstance(self.context.store, MoodyStore)
        return self.context.store

    @asynccontextmanager
    async def slow_disk(self, seconds: float) -> AsyncIterator[None]:
        """What is begun within commits so many seconds later."""
        ready = asyncio.Event()
        self.store.slow = lambda: self.world.env.external_wait(ready.wait(), reason="a slow disk")
        yield
        self.store.slow = None
        await self.world.env.advance_time(seconds)
        ready.set()
        await self.world.env.settle()

    async def restart(self) -> None:
        """End the bot; a new one begins on the same file."""
        await self.context.store.close()
        await self.world.restart(self.make())

    async def look(self, fn: Callable[[Tx], T]) -> T:
        """Look into the data file."""
        return await self.context.store.run(fn)

    async def passes(self, seconds: float) -> None:
        """Time passes, and what is due is carried out."""
        from bot.tutor import claim, fire

        await self.world.env.advance_time(seconds)
        bot = DiscordBot(self.context, "token")
        bot._client = self.client
        store = self.context.store
        for row in await store.run(lambda tx: claim(tx, self._now())):
            step = await store.run(lambda tx, row=row: fire(tx, self._bank, row, self._now(), self.context.new_id()))  # type: ignore[misc]
            if step is not None:
                with self.world.env._bot_scope():
                    await bot.deliver(step)
        with self.world.env._bot_scope():
            await bot.tick()
        await self.world.env.settle()


@asynccontextmanager
async def desk(folder: Path, bank: Bank | None = None, **options: Any) -> AsyncIterator[Desk]:
    """A bot at work in a world of its own."""
    found = Desk(folder / "kontrolka.db", bank or kinds())
    async with world(found.make, shard_count=1, **options) as made:
        found.world = made
        try:
            yield found
        finally:
            await found.context.store.close()
