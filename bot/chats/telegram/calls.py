"""Calls of the Bot API: at the permitted rate, tried again while that is safe, and what became of them.

A time-out says nothing about whether a message was sent. What certainly was not sent is tried again; an edit and an
answer may be repeated; a new message whose fate is unknown is `UNCERTAIN` and never repeated here.
"""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Awaitable, Callable
from typing import TypeVar

from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter

from bot.chats.telegram.limiter import Limiter, Urgency
from bot.chats.telegram.outcomes import Lost, Moved, refused
from bot.chats.telegram.transport import certainly_not_sent

log = logging.getLogger(__name__)

T = TypeVar("T")

TRIES = 4
"""How often a call is tried in all. Chosen by us: with the pauses between about eight seconds."""

AT_ONCE = 64
"""Calls on their way at once. Chosen by us: enough to hide the network, few enough not to crowd the connection pool.
Whoever waits for a turn or between two tries holds no place."""

PAUSE_S = 0.5
"""Before the second try; doubled each time. Chosen by us."""


class Calls:
    """Everything that is asked of Telegram goes through here."""

    def __init__(self, limiter: Limiter | None, sleep: Callable[[float], Awaitable[None]]) -> None:
        """Nothing is called yet.

        Args:
            limiter: None for no limits at all.
            sleep: Waits for some seconds between two tries.
        """
        self._limiter, self._sleep = limiter, sleep
        self._places = asyncio.Semaphore(AT_ONCE)

    async def tried(
        self, call: Callable[[], Awaitable[T]], chat: int | None, urgency: Urgency, *, repeatable: bool
    ) -> T | Lost | Moved | None:
        """Make a call.

        Args:
            call: Makes it once.
            chat: Whose rate it counts for; None for a call that no chat has a rate of.
            urgency: Who goes before whom.
            repeatable: Whether it may be made again when nobody knows whether it was carried out.

        Returns:
            What the call returned, or what became of it; None if it was refused and nothing is left to do.
        """
        pause_s = PAUSE_S
        for remaining in reversed(range(TRIES)):
            if self._limiter is not None:
                await self._limiter.turn(chat, urgency)
            try:
                async with self._places:
                    return await call()
            except RetryAfter as error:
                seconds = _seconds(error)
                log.warning("telegram asks to wait %s s in chat %s", seconds, chat)
                if self._limiter is not None and chat is not None:
                    self._limiter.back_off(chat, seconds)
                else:
                    await self._sleep(seconds)
                outcome = Lost.NOT_SENT
            except ChatMigrated as error:
                return Moved(error.new_chat_id)
            except Forbidden as error:
                log.info("chat %s cannot be reached: %s", chat, error.message)
                return Lost.UNREACHABLE
            except BadRequest as error:
                return refused(error, chat)
            except NetworkError as error:
                outcome = Lost.NOT_SENT if certainly_not_sent(error) else Lost.UNCERTAIN
                log.warning("telegram did not answer, %s: %s", outcome.value, error.message)
                if outcome is Lost.UNCERTAIN and not repeatable:
                    return outcome
                if remaining:
                    await self._sleep(pause_s)
                    pause_s *= 2
        return outcome


def _seconds(error: RetryAfter) -> float:
    with warnings.catch_warnings():  # the library announces another type for this attribute
        warnings.simplefilter("ignore")
        wait = error.retry_after
    return float(wait if isinstance(wait, int) else wait.total_seconds())
