"""A bot among many people, whose clock is held: days pass as a test wants."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.bank import Bank
from bot.tutor import claim, fire
from tests.far_ends.telegram import FarEnd, Message, Person, Place, Query, Topic
from tests.far_ends.telegram.transcript import marked
from tests.telegram.desk import Desk, seed

QUIET_TURNS = 40
"""Turns of the loop without a call, after which nothing is under way."""


class Days(Desk):
    """A desk that also carries out what is due."""

    async def passes(self, seconds: float) -> None:
        """Let time pass in one step, then carry out all that is due, as the ticker would."""
        self.far_end.clock.advance(seconds)
        await self.ticks()

    async def until_moment(self, moment: datetime) -> None:
        """Let time pass until a moment."""
        await self.passes(moment.timestamp() - self.far_end.clock.now())

    async def ticks(self) -> None:
        """Carry out what is due now, and everything that follows from it."""
        now = self.far_end.clock.today
        while rows := await self.store.run(lambda tx: claim(tx, now())):
            for row in rows:
                new_id = f"s{next(self._ids)}"
                step = await self.store.run(lambda tx, row=row, new_id=new_id: fire(tx, self.bank, row, now(), new_id))
                if step is not None:
                    await self.bot.deliver(step)
        await self.bot.tick()
        await self.calm()

    async def calm(self) -> None:
        """Wait until every update is carried out, everything has left, and nothing is under way."""
        quiet, calls = 0, -1
        while quiet < QUIET_TURNS:
            await self.store.run(lambda tx: None)
            await asyncio.sleep(0.001)  # lets the loop look at its sockets
            busy = self.far_end.updates.pending() or await self.store.run(
                lambda tx: tx.inbox.waiting("telegram") or tx.posts.in_state_any()
                if hasattr(tx.posts, "in_state_any")
                else tx.inbox.waiting("telegram")
            )
            now = sum(self.far_end.server.counts.values())
            quiet = 0 if busy or now != calls else quiet + 1
            calls = now


@asynccontextmanager
async def days(far_end: FarEnd, tmp_path: Path, bank: Bank | None = None, **options: Any) -> AsyncIterator[Days]:
    """A bot among many people that runs until the block ends."""
    one = Days(far_end, tmp_path / "kontrolka.db", bank or seed(), itertools.count(1), **options)
    await one.start()
    try:
        yield one
    finally:
        await one.stop()


__all__ = ["Days", "Message", "Person", "Place", "Query", "Topic", "days", "marked"]
