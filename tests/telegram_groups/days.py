"""A bot among many people, whose clock is held: days pass as a test wants."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bot.bank import Bank
from bot.store import PostState
from bot.tutor import claim, fire
from tests.far_ends.telegram import FarEnd, Message, Person, Place, Query, Topic
from tests.telegram.desk import Desk, seed

STILL = 6
"""Looks without anything new, after which nothing is under way."""


async def brisk(_: float) -> None:
    """Waits of the bot that a test does not care for."""
    await asyncio.sleep(0)


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
        still, before = 0, -1
        while still < STILL:
            waiting = await self.store.run(
                lambda tx: len(tx.inbox.waiting("telegram")) + len(tx.posts.in_state(PostState.SENDING))
            )
            await asyncio.sleep(0.002)  # lets the loop look at its sockets
            calls = sum(self.far_end.server.counts.values())
            still = 0 if waiting or calls != before or self.task.done() else still + 1
            before = calls
            if self.task.done():
                self.task.result()


class Gathering:
    """Writes down what happens in a place, and in the private chat of who set it up, step by step."""

    place: Place
    topic: Topic | None = None

    def __init__(self, desk: Days) -> None:
        self.desk = desk
        self._watched: list[Place | Person] = []
        self._seen: list[int] = []
        self._lines: list[str] = []

    def add(self, far_end: FarEnd, title: str, owner: Person, *members: Person, forum: bool = False) -> Place:
        """A supergroup to which its owner adds the bot."""
        self.place = far_end.supergroup(title, owner, *members, forum=forum)
        self.watch(self.place, owner)
        return self.place

    def watch(self, *places: Place | Person) -> None:
        """Write down what is new there, too."""
        self._watched += places
        self._seen += [0] * len(places)

    @property
    def text(self) -> str:
        return "\n".join(self._lines).strip("\n") + "\n"

    def note(self, words: str) -> None:
        """A remark of the test."""
        self._lines += ["", f"=== {words}"]

    async def look(self) -> None:
        """Write down what is new."""
        await self.desk.calm()
        for i, where in enumerate(self._watched):
            lived = self.desk.far_end.what_a_person_lived(where)
            lines = lived.rstrip("\n").split("\n") if lived else []
            new = lines[self._seen[i] :]
            self._seen[i] = len(lines)
            if new and not isinstance(where, Place):
                self._lines.append(f"--- in private, {where.user.first_name}")
            self._lines += new

    async def says(self, person: Person, text: str, **more: Any) -> Message:
        message = person.sends(text, self.place, topic=self.topic, **more)
        await self.look()
        return message

    async def taps(self, person: Person, what: str, *, where: Place | Person | None = None) -> Query:
        """Press the newest button whose label or data begins with `what`, and see what comes of it."""
        query = self.tap(person, what, where=where)
        await self.look()
        assert query.is_answered
        return query

    def tap(self, person: Person, what: str, *, where: Place | Person | None = None) -> Query:
        for message in reversed(self.desk.far_end.messages(where or self.place)):
            for row in (message.markup or {}).get("inline_keyboard", []):
                for found in row:
                    data = found.get("callback_data", "")
                    if data and (found["text"].startswith(what) or data.startswith(what) or data.endswith(what)):
                        return person.taps(message, data)
        raise AssertionError(f"no button {what!r} in\n{self.desk.far_end.what_a_person_sees(where or self.place)}")

    async def passes(self, seconds: float) -> None:
        await self.desk.passes(seconds)
        await self.look()

    async def until(self, zone: str, year: int, month: int, day: int, hour: int, minute: int = 0) -> None:
        """Let time pass until a local moment; of a repeated hour the first."""
        moment = datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(zone))
        self.note(f"{moment:%a %-d %b %H:%M} in {zone.partition('/')[2]}, {moment.astimezone(UTC):%H:%M} UTC")
        await self.desk.until_moment(moment)
        await self.look()


@asynccontextmanager
async def days(far_end: FarEnd, tmp_path: Path, bank: Bank | None = None, **options: Any) -> AsyncIterator[Days]:
    """A bot among many people that runs until the block ends."""
    one = Days(
        far_end,
        tmp_path / "kontrolka.db",
        bank or seed(),
        itertools.count(1),
        **{"sleep": brisk, "polls": False, **options},
    )
    await one.start()
    try:
        yield one
    finally:
        await one.stop()


__all__ = ["Days", "Gathering", "Message", "Person", "Place", "Query", "Topic", "brisk", "days"]
