"""The composition root: builds everything from the settings. The only reader of the clock and the dice."""

from __future__ import annotations

import logging
import random  # noqa: TID251 this is where the dice are
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.i18n import Languages
from bot.log import incident

if TYPE_CHECKING:
    from bot.chats.context import Context
    from bot.quiz import Step
    from bot.settings import Settings
    from bot.store import Due, Tx

log = logging.getLogger(__name__)

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

BEAT_S = 10.0
"""How often the heartbeat is written, in seconds. Chosen by us: a card in a small machine need not wear out."""

ALIVE_S = 60.0
"""Age at which a heartbeat tells of trouble, in seconds. Chosen by us: a disk may be slow for a while."""

TICK_S = 1.0
"""How often the ticker looks for rows that are due, in seconds. Chosen by us: deadlines have a grace of two."""


def now() -> datetime:
    """The present moment, UTC."""
    return datetime.now(UTC)  # noqa: TID251


def new_id() -> str:
    """64 random bits in base 36: 1 to 13 characters."""
    number, digits = random.SystemRandom().getrandbits(64), ""
    while number:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return digits or "0"


def shipped(name: str) -> Path:
    """A folder of ours: beside the package in a checkout, inside it in an installed wheel.

    Args:
        name: `content` or `locales`.
    """
    package = Path(__file__).resolve().parent
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name


def catalogues(aliases: Mapping[str, str] | None) -> Languages:
    """The languages we speak."""
    return Languages(shipped("locales"), aliases)


def content(settings: Settings) -> Path:
    """Where the bank is: the folder set, else the courses shipped."""
    return settings.content or shipped("content")


class BankChanged(Exception):  # noqa: N818 it reads as what is the case
    """Items whose key or options changed under an old id, so that stored answers would be judged by a new key."""

    def __init__(self, items: Sequence[str]) -> None:
        super().__init__(", ".join(items))
        self.items = tuple(items)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Context]:
    """Everything an adapter works with, closed again at the end.

    Raises:
        ContentError: The content has problems.
        BankChanged: The key of a known item changed.
        Unavailable, InUse, TooNew, Corrupt: The data file cannot be used.
    """
    from bot.bank import load
    from bot.chats.context import Context
    from bot.store import Store
    from bot.tutor import adopt, keep_house

    loaded = load(content(settings))

    def begin(tx: Tx) -> list[str]:
        keep_house(tx, now())
        return adopt(tx, loaded, now())

    store = Store.open(settings.data_file, clock=now)
    try:
        if changed := await store.run(begin):
            raise BankChanged(changed)
        yield Context(store, loaded, catalogues(settings.lang_aliases), now, new_id)
    finally:
        await store.close()


async def tick(
    context: Context, deliver: Callable[[Step], Awaitable[None]], heartbeat: Heartbeat | None = None
) -> None:
    """Carry out what is due, for ever; each step is handed on after its commit, one after another.

    Nothing that fails stops it: what could not be carried out is tried again.

    Args:
        context: The tutor's means.
        deliver: Gets every step that changed something.
        heartbeat: Beats whenever the store has answered.
    """
    import asyncio  # here, because `--help` needs none

    from bot.store import Unavailable
    from bot.tutor import claim

    answers = True
    while True:
        try:
            rows = await context.store.run(lambda tx: claim(tx, context.now()))
        except Unavailable as error:
            if answers:
                log.warning("nothing that is due can be carried out; it is tried every second: %s", error)
            answers, rows = False, []
        else:
            if not answers:
                log.info("what is due is carried out again")
            answers = True
            if heartbeat is not None:
                heartbeat.beat(asyncio.get_running_loop().time())
        await _fire_all(context, rows, deliver)
        await asyncio.sleep(TICK_S)


async def _fire_all(context: Context, rows: Sequence[Due], deliver: Callable[[Step], Awaitable[None]]) -> None:
    import asyncio

    from bot.store import Unavailable
    from bot.tutor import fire

    def carry_out(row: Due) -> Callable[[Tx], Step | None]:
        new_id = context.new_id()
        return lambda tx: fire(tx, context.bank, row, context.now(), new_id)

    calls = [context.store.run(carry_out(row)) for row in rows]
    for row, step in zip(rows, await asyncio.gather(*calls, return_exceptions=True), strict=True):
        if isinstance(step, Unavailable):
            log.warning("%s of %s could not be carried out and is tried again: %s", row.kind, row.subject, step)
        elif isinstance(step, BaseException):
            incident(log, step, context.new_id, f"{row.kind} of {row.subject}")
        elif step is not None:
            try:
                await deliver(step)
            except Exception as error:  # noqa: BLE001 it must not stop the clock
                incident(log, error, context.new_id, f"delivering {row.kind} of {row.subject}")


class Heartbeat:
    """A file beside the data file whose age tells whether a running program still works."""

    def __init__(self, data_file: Path) -> None:
        self._file = data_file.with_name(f"{data_file.name}.alive")
        self._next_s = 0.0
        self._failed = False

    def beat(self, time_s: float) -> None:
        """The program works; every `BEAT_S` the file says so.

        Args:
            time_s: Of a clock that is never set back, in seconds.
        """
        if time_s < self._next_s:
            return
        self._next_s = time_s + BEAT_S
        try:
            self._file.touch()
        except OSError as error:
            if not self._failed:
                log.warning("%s: the heartbeat cannot be written: %s", self._file, error.strerror)
            self._failed = True

    def end(self) -> None:
        """The program ends as it should."""
        self._file.unlink(missing_ok=True)

    def alive(self, at: datetime) -> bool:
        """Whether a program has worked within `ALIVE_S` before a moment.

        A clock that was set back leaves a beat in the future: that counts by its distance, so at the next beat all
        is well again.
        """
        try:
            beat = datetime.fromtimestamp(self._file.stat().st_mtime, UTC)
        except OSError:
            return False
        return abs((at - beat).total_seconds()) < ALIVE_S
