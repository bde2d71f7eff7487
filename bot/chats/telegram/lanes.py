"""Lanes: what has the same key is done in order, everything else at the same time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

Job = Callable[[], Awaitable[None]]


class Lanes:
    """Runs jobs; one loop, one set of lanes. A job handles its own errors."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Job]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, key: str, job: Job) -> None:
        """Have a job done after all that were put under the same key before."""
        if key in self._waiting:
            self._waiting[key].append(job)
            return
        self._waiting[key] = deque([job])
        task = asyncio.create_task(self._run(key), name=f"lane {key}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, key: str) -> None:
        queue = self._waiting[key]
        try:
            while queue:
                await queue[0]()
                queue.popleft()
        finally:
            del self._waiting[key]

    async def rest(self) -> None:
        """Wait until what was put so far is done."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def drain(self, timeout_s: float) -> None:
        """Let the jobs at work finish, for so long at most; those that wait are given up, the inbox has them."""
        for queue in self._waiting.values():
            while len(queue) > 1:
                queue.pop()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=timeout_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
