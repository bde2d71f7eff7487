"""Trouble on demand."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .errors import ApiError, too_many_requests


@dataclass(slots=True, eq=False)
class Fault:
    """One kind of trouble that waits for its calls.

    Attributes:
        method: Name of a method, or `*` for every one but getUpdates.
        chat_id: Only calls for this chat; None for all.
        times: Calls still to hit; None without end.
        every: Hit only each n-th matching call.
        error: The answer given instead of acting.
        reset: Reset the connection `before` acting on the request, or `after` (accepted, the answer is lost).
        delay_s: Wait so long before acting.
        gate: Wait for this before acting.
        when: Only calls with such fields.
        without: Names that are left out of the answer, however deep, as an older server does.
        hits: How often it struck.
    """

    method: str = "*"
    chat_id: int | None = None
    times: int | None = 1
    every: int = 1
    error: ApiError | None = None
    reset: str = ""
    delay_s: float = 0.0
    gate: asyncio.Event | None = None
    when: Callable[[dict[str, Any]], bool] | None = None
    without: frozenset[str] = frozenset()
    hits: int = 0
    _seen: int = 0

    def strikes(self, method: str, fields: dict[str, Any]) -> bool:
        if self.times == 0:
            return False
        if self.method.lower() != method.lower() and not (self.method == "*" and method.lower() != "getupdates"):
            return False
        if self.chat_id is not None and str(fields.get("chat_id")) != str(self.chat_id):
            return False
        if self.when is not None and not self.when(fields):
            return False
        self._seen += 1
        if self._seen % self.every:
            return False
        self.hits += 1
        if self.times is not None:
            self.times -= 1
        return True

    def release(self) -> None:
        """Let go on what was held."""
        if self.gate is not None:
            self.gate.set()


class Faults:
    """Everything that is going to go wrong. Each method returns the fault, whose `hits` can be awaited."""

    def __init__(self) -> None:
        self.waiting: list[Fault] = []
        self._all: list[Fault] = []
        self.latency_s = 0.0  # added to every call but getUpdates

    def add(self, fault: Fault) -> Fault:
        self.waiting.append(fault)
        self._all.append(fault)
        return fault

    def flood(
        self, method: str = "*", *, retry_after_s: int = 1, times: int | None = 1, chat_id: int | None = None
    ) -> Fault:
        """429 with `retry_after`."""
        return self.add(Fault(method, chat_id, times, error=too_many_requests(retry_after_s)))

    def server_error(self, method: str = "*", *, times: int | None = 1, code: int = 500) -> Fault:
        text = {500: "Internal Server Error: restart", 502: "Bad Gateway"}.get(code, "Internal Server Error")
        return self.add(Fault(method, times=times, error=ApiError(code, text)))

    def refuse(self, method: str, error: ApiError, *, times: int | None = 1, chat_id: int | None = None) -> Fault:
        """Any answer with `ok` false."""
        return self.add(Fault(method, chat_id, times, error=error))

    def reset_before(self, method: str = "*", *, times: int | None = 1, every: int = 1) -> Fault:
        """The connection breaks and nothing was accepted."""
        return self.add(Fault(method, times=times, every=every, reset="before"))

    def reset_after(self, method: str = "*", *, times: int | None = 1, every: int = 1) -> Fault:
        """The request was accepted and acted upon, and the reply is lost."""
        return self.add(Fault(method, times=times, every=every, reset="after"))

    def slow(self, method: str = "*", *, delay_s: float, times: int | None = 1) -> Fault:
        return self.add(Fault(method, times=times, delay_s=delay_s))

    def leave_out(self, *names: str, method: str = "*", times: int | None = None) -> Fault:
        """Answers lack what an older server does not know."""
        return self.add(Fault(method, times=times, without=frozenset(names)))

    def hold(self, method: str = "*", *, times: int | None = 1, chat_id: int | None = None) -> Fault:
        """Calls wait until `release` of what is returned."""
        return self.add(Fault(method, chat_id, times, gate=asyncio.Event()))

    def clear(self) -> None:
        for fault in self._all:
            fault.release()
        self.waiting.clear()
        self.latency_s = 0.0

    def take(self, method: str, fields: dict[str, Any]) -> Fault | None:
        for fault in self.waiting:
            if fault.strikes(method, fields):
                if fault.times == 0:
                    self.waiting.remove(fault)
                return fault
        return None
