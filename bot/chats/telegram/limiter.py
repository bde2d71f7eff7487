"""The limiter: when a call may leave, so that Telegram never has to refuse one.

Limits hold per chat, per group and overall; where several calls wait, the more urgent goes first. A chat that Telegram
told to wait holds up nobody else. docs/decisions/limiter.md says why this is not a library.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import IntEnum


class Urgency(IntEnum):
    """Who goes first."""

    ANSWER = 0
    """The answer to a pressed button."""
    QUESTION = 1
    REST = 2
    BULK = 3
    """What goes to many places at the same moment. It leaves a part of every burst to the others, so that whoever
    presses a button meanwhile does not wait; the steady rate is the same."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls in so many seconds, that many at once."""

    calls: float
    per_s: float
    burst: int

    @property
    def interval_s(self) -> float:
        """Seconds from one call to the next at the steady rate."""
        return self.per_s / self.calls


OVERALL = Rate(30, 1.0, 30)
"""Source: Telegram Bots FAQ, "My bot is hitting limits"."""
CHAT = Rate(1, 1.0, 5)
"""Source: the same page; short bursts are allowed there, five is chosen by us."""
GROUP = Rate(20, 60.0, 20)
"""Source: the same page; edits count too (measured by grammY, grammy.dev/advanced/flood)."""


RESERVE = 2
"""The part of a burst, one in so many, that bulk leaves to the others. Chosen by us."""


class _Bucket:
    """A rate as a theoretical arrival time: the moment up to which the calls so far have used it up."""

    __slots__ = ("_rate", "_used_until")

    def __init__(self, rate: Rate) -> None:
        self._rate, self._used_until = rate, 0.0

    def ready_at(self, urgency: Urgency) -> float:
        burst = self._rate.burst - (self._rate.burst // RESERVE if urgency is Urgency.BULK else 0)
        return self._used_until - (burst - 1) * self._rate.interval_s

    def take(self, now: float) -> None:
        self._used_until = max(self._used_until, now) + self._rate.interval_s

    def close_until(self, moment: float) -> None:
        self._used_until = max(self._used_until, moment + (self._rate.burst - 1) * self._rate.interval_s)

    def idle(self, now: float) -> bool:
        return self._used_until <= now


class Limiter:
    """Gives turns. One loop, one limiter."""

    def __init__(
        self,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        *,
        overall: Rate = OVERALL,
        chat: Rate = CHAT,
        group: Rate = GROUP,
    ) -> None:
        """Begin with everything allowed.

        Args:
            clock: A monotonic clock in seconds.
            sleep: Waits for some seconds of that clock.
            overall: For all calls together.
            chat: For each private chat.
            group: For each group and channel; these have negative ids.
        """
        self._clock, self._sleep = clock, sleep
        self._overall, self._rates = _Bucket(overall), (chat, group)
        self._chats: dict[int, _Bucket] = {}
        self._waiting: dict[tuple[Urgency, int | None], deque[asyncio.Future[None]]] = {}
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def turn(self, chat: int | None, urgency: Urgency) -> None:
        """Wait until a call may leave.

        Args:
            chat: Where it goes; None for a call that belongs to no chat, such as the answer to a button.
            urgency: Who goes before whom.
        """
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault((urgency, chat), deque()).append(mine)
        if self._task is None:
            self._task = asyncio.create_task(self._give_turns())
        self._news.set()
        await mine

    def back_off(self, chat: int, seconds: float) -> None:
        """Give this chat no turn for so long: Telegram said so."""
        self._bucket(chat).close_until(self._clock() + seconds)

    def _bucket(self, chat: int) -> _Bucket:
        if chat not in self._chats:
            self._chats[chat] = _Bucket(self._rates[chat < 0])
        return self._chats[chat]

    async def _give_turns(self) -> None:
        """Hand out turns while somebody waits."""
        while self._waiting:
            wait_s = self._give_one()
            if wait_s > 0:
                self._news.clear()
                sleeping = asyncio.ensure_future(self._sleep(wait_s))
                news = asyncio.ensure_future(self._news.wait())
                await asyncio.wait((sleeping, news), return_when=asyncio.FIRST_COMPLETED)
                sleeping.cancel()
                news.cancel()
        self._forget_idle()
        self._task = None

    def _give_one(self) -> float:
        """Give one turn if one may be given.

        Returns:
            0 if a turn was given, else the seconds until one may be.
        """
        now = self._clock()
        first = min(self._waiting, key=lambda waiter: self._order(waiter, now))
        urgency, chat = first
        ready_at = max(
            self._overall.ready_at(urgency), self._bucket(chat).ready_at(urgency) if chat is not None else 0.0
        )
        if ready_at > now:
            return ready_at - now
        queue = self._waiting[first]
        turn = queue.popleft()
        if not queue:
            del self._waiting[first]
        if not turn.done():  # whoever waited may have gone
            turn.set_result(None)
            self._overall.take(now)
            if chat is not None:
                self._bucket(chat).take(now)
        return 0.0

    def _order(self, waiter: tuple[Urgency, int | None], now: float) -> tuple[float, Urgency]:
        """Those whose chat is ready come first, by urgency; the others by when they will be."""
        urgency, chat = waiter
        ready_at = 0.0 if chat is None else self._bucket(chat).ready_at(urgency)
        return (ready_at if ready_at > now else 0.0, urgency)

    def _forget_idle(self) -> None:
        now = self._clock()
        self._chats = {chat: bucket for chat, bucket in self._chats.items() if not bucket.idle(now)}
