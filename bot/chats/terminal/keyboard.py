"""The keyboard: typed lines as events.

A daemon thread reads, so that the clock can speak while a person thinks and the program can end while nobody types.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TextIO

from bot.quiz import Step


@dataclass(frozen=True, slots=True)
class Line:
    """A line the person typed, without its line feed; None is the end of input."""

    text: str | None


Event = Line | Step
"""What a dialogue waits for: a line, or a step that the clock has carried out."""


class Keyboard:
    """Lines of a stream as events; to be made inside the running loop."""

    def __init__(self, stream: TextIO, events: asyncio.Queue[Event]) -> None:
        self._stream, self._events = stream, events
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True, name="keyboard").start()

    def _read(self) -> None:
        with suppress(OSError):  # the terminal is gone
            for line in self._stream:
                self._put(Line(line.rstrip("\r\n")))
        self._put(Line(None))

    def _put(self, event: Event) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any longer
            self._loop.call_soon_threadsafe(self._events.put_nowait, event)
