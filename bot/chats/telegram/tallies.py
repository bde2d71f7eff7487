"""Tallies: how many have answered, in posts that many answer at once; only the latest state is sent.

At most one edit per post in three seconds, and never more than the group's rate: what comes meanwhile waits and is
overtaken. One task per post that is being answered, which ends with the answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from telegram import InlineKeyboardMarkup

from bot.chats.telegram.sending import Sender
from bot.chats.telegram.text import Text

EVERY_S = 3.0
"""Between two edits of a post, in seconds. Chosen by us: twenty a minute, as many as a group allows."""

Shown = tuple[Text, InlineKeyboardMarkup | None]


class Tallies:
    """Edits that may be overtaken by later ones."""

    def __init__(self, sender: Sender, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._sender, self._sleep = sender, sleep
        self._latest: dict[tuple[int, int], Shown] = {}
        self._tasks: dict[tuple[int, int], asyncio.Task[None]] = {}

    def show(self, chat: int, message: int, shown: Shown) -> None:
        """Have a message show something, soon; nothing older is shown after it."""
        key = chat, message
        self._latest[key] = shown
        if key not in self._tasks:
            self._tasks[key] = asyncio.create_task(self._keep_up(key), name=f"tally {chat}:{message}")

    def drop(self, chat: int, message: int) -> None:
        """The message shows something final; no tally follows."""
        self._latest.pop((chat, message), None)

    async def stop(self) -> None:
        """Show nothing any more."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_up(self, key: tuple[int, int]) -> None:
        try:
            while key in self._latest:
                await self._sender.edit_latest(*key, lambda: self._latest.pop(key, None))
                await self._sleep(EVERY_S)
        finally:
            del self._tasks[key]
