"""The bot's updates: kept, handed to one poller or posted to a webhook, repeated until confirmed.

Source: Client.cpp, `add_update_impl`, `do_get_updates`, `abort_long_poll`; WebhookActor.cpp, `on_update_error`.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from . import limits
from .clock import Clock
from .errors import ApiError

_NOT_BY_DEFAULT = {"chat_member", "message_reaction", "message_reaction_count"}
_CONFLICT = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
_CONFLICT_WEBHOOK = "Conflict: terminated by setWebhook request"
_CONFLICT_ACTIVE = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)


@dataclass(slots=True, eq=False)
class _Kept:
    update: dict[str, Any]
    expires_at: float
    queue: str
    stubborn: bool = False  # delivered once more whatever the offset says


@dataclass(slots=True)
class Webhook:
    url: str
    secret: str = ""
    connections: int = 40


class Updates:
    """All undelivered updates of one bot.

    Args:
        clock: Decides what has expired and when a webhook is tried again.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.kept: list[_Kept] = []
        self.allowed: list[str] = []  # empty: all but those that must be asked for
        self.webhook: Webhook | None = None
        self.last_error: tuple[int, str] | None = None
        self.on_new: Callable[[dict[str, Any]], None] = lambda _: None
        self.offset = 0  # the highest offset asked for
        self.raw_answers: list[bytes] = []  # bodies for the next polls instead of honest ones
        self._next_id = 700_000_001
        self._held: list[tuple[str, dict[str, Any], float, str]] | None = None
        self._duplicates = 0
        self._poll: asyncio.Future[None] | None = None
        self._posting: dict[str, asyncio.Task[None]] = {}
        self._slots: asyncio.Semaphore | None = None
        self._session: aiohttp.ClientSession | None = None

    # Making

    def add(self, kind: str, content: dict[str, Any], *, life_s: float, queue: str) -> None:
        """Keep an update, if updates of this kind are wanted."""
        if self.allowed and kind not in self.allowed:
            return
        if not self.allowed and kind in _NOT_BY_DEFAULT:
            return
        if self._held is not None:
            self._held.append((kind, content, life_s, queue))
            return
        update = {"update_id": self._next_id, kind: content}
        self._next_id += 1
        self.on_new(update)
        copies = 1
        if self._duplicates:
            self._duplicates -= 1
            copies = 2
        for copy in range(copies):
            self._keep(_Kept(update, self.clock.now() + life_s, queue, stubborn=copy > 0))

    def inject(self, update: dict[str, Any]) -> int:
        """Keep a dict as it is, poison or not; without `update_id` it gets the next one.

        Returns:
            Its `update_id`.
        """
        update = {"update_id": self._next_id} | update
        self._next_id = max(self._next_id, update["update_id"]) + 1
        self._keep(_Kept(update, self.clock.now() + limits.UPDATE_LIFE_S, "injected"))
        return int(update["update_id"])

    def poison(self) -> int:
        """A message with a poll as servers before Bot API 9.6 wrote it: python-telegram-bot 22.8 cannot read it.

        Returns:
            Its `update_id`.
        """
        poll = {
            "id": "1", "question": "?", "options": [{"text": "a", "voter_count": 0}], "total_voter_count": 0,
            "is_closed": False, "is_anonymous": True, "type": "regular", "allows_multiple_answers": False,
        }  # fmt: skip
        chat = {"id": -1, "type": "group", "title": "poison"}
        message = {"message_id": 1, "date": int(self.clock.now()), "chat": chat, "poll": poll}
        return self.inject({"message": message})

    def duplicate(self, times: int = 1) -> None:
        """Deliver each of the next updates twice, with the same `update_id`."""
        self._duplicates += times

    def redeliver(self, update: dict[str, Any]) -> None:
        """Deliver an update again that may long be confirmed."""
        self._keep(_Kept(update, self.clock.now() + limits.UPDATE_LIFE_S, "again", stubborn=True))

    @contextmanager
    def reordered(self) -> Iterator[None]:
        """What happens inside reaches the bot in the opposite order, numbered in that order."""
        held: list[tuple[str, dict[str, Any], float, str]] = []
        self._held = held
        try:
            yield
        finally:
            self._held = None
            for kind, content, life_s, queue in reversed(held):
                self.add(kind, content, life_s=life_s, queue=queue)

    def _keep(self, kept: _Kept) -> None:
        self.kept.append(kept)
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(None)
        if self.webhook is not None:
            self._post(kept.queue)

    # Polling

    def pending(self) -> list[_Kept]:
        now = self.clock.now()
        self.kept = [kept for kept in self.kept if kept.expires_at > now]
        return self.kept

    async def poll(self, offset: int, limit: int, timeout_s: int, allowed: list[str] | None) -> list[dict[str, Any]]:
        """One getUpdates.

        Raises:
            ApiError: A webhook is set, or another poll came while this one waited.
        """
        if self.webhook is not None:
            raise ApiError(409, _CONFLICT_ACTIVE)
        if allowed is not None:
            self.allowed = list(allowed)
        if offset < 0:
            self.kept = self.pending()[offset:]
        elif offset:
            self.offset = max(self.offset, offset)
            self.kept = [kept for kept in self.kept if kept.stubborn or kept.update["update_id"] >= offset]
        if not self.pending() and timeout_s:
            self._end_poll(_CONFLICT)
            self._poll = asyncio.get_running_loop().create_future()
            try:
                async with asyncio.timeout(timeout_s):
                    await self._poll
            except TimeoutError:
                return []
        batch = self.pending()[:limit]
        self.kept = [kept for kept in self.kept if not (kept.stubborn and kept in batch)]
        return [kept.update for kept in batch]

    def _end_poll(self, why: str) -> None:
        if self._poll is not None and not self._poll.done():
            self._poll.set_exception(ApiError(409, why))

    # Posting

    def set_webhook(self, webhook: Webhook | None, *, drop: bool, allowed: list[str] | None = None) -> None:
        if drop:
            self.kept = []
        if allowed is not None:
            self.allowed = list(allowed)
        self.webhook = webhook
        self.last_error = None
        if webhook is not None:
            self._end_poll(_CONFLICT_WEBHOOK)
            self._slots = asyncio.Semaphore(webhook.connections)
            for queue in {kept.queue for kept in self.pending()}:
                self._post(queue)

    def _post(self, queue: str) -> None:
        if queue not in self._posting:
            self._posting[queue] = asyncio.get_running_loop().create_task(self._post_queue(queue))

    async def _post_queue(self, queue: str) -> None:
        """Post one queue in order; a refused update blocks the rest of its queue and is tried again."""
        fails = 0
        try:
            while self.webhook is not None:
                kept = next((kept for kept in self.pending() if kept.queue == queue), None)
                if kept is None:
                    return
                assert self._slots is not None
                async with self._slots:
                    error = await self._post_one(self.webhook, kept.update)
                if error is None:
                    fails = 0
                    self.kept = [other for other in self.kept if other is not kept]
                    continue
                self.last_error = (int(self.clock.now()), error)
                fails += 1
                if fails > 1:  # at once, then after 2, 4, 8 ... 60 seconds of the far end's clock
                    await self.clock.until(self.clock.now() + min(60, 2 ** (fails - 1)))
        finally:
            del self._posting[queue]

    async def _post_one(self, webhook: Webhook, update: dict[str, Any]) -> str | None:
        if self._session is None:
            self._session = aiohttp.ClientSession()
        headers = {"Content-Type": "application/json"}
        if webhook.secret:
            headers["X-Telegram-Bot-Api-Secret-Token"] = webhook.secret
        body = json.dumps(update, ensure_ascii=False).encode()
        try:
            async with self._session.post(webhook.url, data=body, headers=headers) as response:
                if 200 <= response.status <= 299:
                    return None
                return f"Wrong response from the webhook: {response.status} {response.reason}"
        except (aiohttp.ClientError, OSError):
            return "Connection failed"

    async def close(self) -> None:
        self.webhook = None
        self._end_poll("Conflict: the far end stops")
        for task in list(self._posting.values()):
            task.cancel()
        await asyncio.gather(*self._posting.values(), return_exceptions=True)
        if self._session is not None:
            await self._session.close()
