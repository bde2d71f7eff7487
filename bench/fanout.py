"""A daily question for thousands of groups due in the same minute: how much of the permitted rate is used, and what
whoever presses a button meanwhile notices.

For the rate the clock is virtual: the loop skips whatever it would only wait for, so that minutes of the real limiter
take seconds, and what the program does takes its real time. Presses are measured in real time.
"""

from __future__ import annotations

import asyncio
import selectors
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.fanout_kills import due_everywhere, groups
from bench.measure import Measure
from bench.world import write_content
from bot.app import catalogues, new_id
from bot.bank import load
from bot.chats.context import Context
from bot.chats.telegram import TelegramBot
from bot.chats.telegram.limiter import OVERALL
from bot.quiz import Step
from bot.store import Store
from bot.tutor import adopt, claim, fire
from tests.far_ends.telegram import FarEnd, Query
from tests.far_ends.telegram.world import Chat, Member

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

PLACES = 5000

LATENCY_S = 0.05
"""Of every call; chosen by us: a server on the same continent."""

ROUNDS, PRESSES, EVERY_S = 3, 120, 0.1
"""Presses in turns, without and with a fan-out. Chosen by us: ten presses a second for half a minute each."""

WORK_S = 0.003
"""So long the loop waits in earnest for threads and sockets before it skips. Chosen by us: a commit takes less."""


class _Skipping(selectors.DefaultSelector):  # type: ignore[valid-type, misc]
    """Waits a moment, then lets the clock jump to where the wait would have ended."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= WORK_S:
            return super().select(timeout)
        ready = super().select(WORK_S)
        if not ready:
            self.skipped_s += timeout - WORK_S
        return ready


class SkippingLoop(asyncio.SelectorEventLoop):
    """A loop whose time is real while it works and skips what it would only wait for."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return time.monotonic() + self._skipping.skipped_s


class Town:
    """A bot with many groups, and people who press buttons."""

    def __init__(self, folder: Path, far_end: FarEnd) -> None:
        self.folder, self.far_end = folder, far_end
        self.owner = far_end.person("A", language_code="en")
        far_end.world.private(self.owner.user)
        self.owner.user.started = True

    async def open(self) -> None:
        content = self.folder / "content"
        write_content(content, 20)
        self.bank = load(content)
        self.store = Store.open(self.folder / "kontrolka.db", clock=self.far_end.clock.today)
        await self.store.run(lambda tx: adopt(tx, self.bank, START))
        self.context = Context(self.store, self.bank, catalogues(None), self.far_end.clock.today, new_id)
        self.bot = TelegramBot(self.context, self.far_end.token, api=self.far_end.url)
        self.running = asyncio.create_task(self.bot.run())

    async def close(self) -> None:
        self.running.cancel()
        with suppress(asyncio.CancelledError):
            await self.running
        await self.store.close()

    async def due(self, count: int) -> list[Chat]:
        """So many groups with a question that is due now."""
        chats = groups(self.far_end, self.owner, count)
        at = self.far_end.clock.today().replace(second=0, microsecond=0)
        for i in range(0, count, 100):
            part = chats[i : i + 100]
            await self.store.run(
                lambda tx, part=part: due_everywhere(tx, self.bank, part, self.owner.id, at)  # type: ignore[misc]
            )
        return chats

    async def begun(self) -> None:
        """Carry out all that is due, as the ticker would."""
        while rows := await self.store.run(lambda tx: claim(tx, self.context.now())):
            for row in rows:
                step: Step | None = await self.store.run(
                    lambda tx, row=row: fire(tx, self.bank, row, self.context.now(), new_id())  # type: ignore[misc]
                )
                if step is not None:
                    await self.bot.deliver(step)

    async def presses(self, chat: Chat, count: int, every_s: float) -> list[float]:
        """People who answer in a group, one after the other: how long each waited, in seconds."""
        (question,) = self.far_end.messages(chat)
        assert question.markup is not None
        data = question.markup["inline_keyboard"][0][0]["callback_data"]
        waits: list[float] = []

        async def press() -> None:
            person = self.far_end.person("B", language_code="en")
            chat.members[person.id] = Member(person.user, "member")
            query = person.sends_data(question, data)
            begun = asyncio.get_running_loop().time()
            await self._answered(query)
            waits.append(asyncio.get_running_loop().time() - begun)

        presses = []
        for _ in range(count):
            presses.append(asyncio.create_task(press()))
            await asyncio.sleep(every_s)
        await asyncio.gather(*presses)
        return sorted(waits)

    async def _answered(self, query: Query) -> None:
        await self.far_end.until(lambda: query.is_answered, 600)


def _in_town(work: Callable[[Town], Any], loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None) -> Any:
    """Run something in a town of its own."""

    async def live() -> Any:
        loop = asyncio.get_running_loop()
        async with FarEnd(checks=False, keeps=False, follows=loop.time, start=START) as far_end:
            with tempfile.TemporaryDirectory(prefix="fanout-") as folder:
                town = Town(Path(folder), far_end)
                await town.open()
                far_end.faults.latency_s = LATENCY_S
                try:
                    return await work(town)
                finally:
                    await town.close()

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(live())


async def _rate(town: Town) -> tuple[float, str]:
    chats = await town.due(PLACES)
    await town.begun()
    loop = asyncio.get_running_loop()
    first = next(i for i, chat in enumerate(chats) if not chat.messages)
    begun, before = loop.time(), sum(bool(chat.messages) for chat in chats)
    last = chats[-1]
    await town.far_end.until(lambda: last.messages and all(c.messages for c in chats[first:]), 36_000)
    seconds = loop.time() - begun
    rate = (PLACES - before) / seconds
    return (
        rate * OVERALL.per_s / OVERALL.calls,
        f"{rate:.1f} a second, {PLACES} places in {seconds:.0f} s of the virtual clock",
    )


async def _latency(town: Town) -> tuple[float, str]:
    place, crowd = (await town.due(1))[0], await town.due(0)
    await town.begun()
    await town.far_end.until(lambda: place.messages, 600)
    await town.presses(place, 20, 0.1)  # everything is warm
    waits: dict[bool, list[float]] = {False: [], True: []}
    served = 0
    for busy in (False, True) * ROUNDS:
        if busy:
            crowd = await town.due(450)
            await town.begun()
        before = sum(bool(chat.messages) for chat in crowd)
        waits[busy] += await town.presses(place, PRESSES, EVERY_S)
        if busy:
            after = sum(bool(chat.messages) for chat in crowd)
            assert after < len(crowd), "the fan-out was over before the presses"
            served += after - before
            await town.far_end.until(lambda crowd=crowd: all(chat.messages for chat in crowd), 600)  # type: ignore[misc]
    quiet_s, busy_s = (sorted(found)[int(len(found) * 0.99)] for found in (waits[False], waits[True]))
    rate = served / (ROUNDS * PRESSES * EVERY_S)
    made_of = f"p99 {quiet_s * 1000:.0f} ms without, {busy_s * 1000:.0f} ms during it, {ROUNDS * PRESSES} presses each"
    return busy_s / quiet_s, f"{made_of}, {rate:.1f} groups a second meanwhile"


MEASURES = (
    Measure("fan-out, share of the permitted rate", 0.95, "at least", lambda: _in_town(_rate, SkippingLoop)),
    Measure("fan-out, p99 of presses against none", 1.5, "at most", lambda: _in_town(_latency)),
)
