"""The time of the far end: it stands still until a test moves it, or follows a given clock in benchmarks."""

import asyncio
import heapq
from collections.abc import Callable
from datetime import UTC, datetime

START = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)  # a Tuesday; chosen by us


class Clock:
    """Unix time in seconds.

    Args:
        start: The first moment, aware.
        follows: Seconds of a monotonic clock to run with; without it only `advance` moves the time.
    """

    def __init__(self, start: datetime = START, follows: Callable[[], float] | None = None) -> None:
        self._follows = follows
        self._offset = start.timestamp() - (follows() if follows else 0.0)
        self._alarms: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def now(self) -> float:
        return self._offset + (self._follows() if self._follows else 0.0)

    def today(self) -> datetime:
        return datetime.fromtimestamp(self.now(), UTC)

    def advance(self, seconds: float) -> None:
        """Move the time forward; what was due meanwhile happens, each thing at its own moment."""
        goal = self.now() + seconds
        while self._alarms and self._alarms[0][0] <= goal:
            moment, _, act = heapq.heappop(self._alarms)
            self._offset += max(0.0, moment - self.now())
            act()
        self._offset += max(0.0, goal - self.now())

    def at(self, moment: float, act: Callable[[], None]) -> None:
        """Do something when the time has come."""
        if self._follows is not None:
            asyncio.get_running_loop().call_later(max(0.0, moment - self.now()), act)
            return
        self._count += 1
        heapq.heappush(self._alarms, (moment, self._count, act))

    async def until(self, moment: float) -> None:
        """Wait for a moment of this clock."""
        if moment <= self.now():
            return
        come = asyncio.get_running_loop().create_future()

        def ring() -> None:
            if not come.done():
                come.set_result(None)

        self.at(moment, ring)
        await come
