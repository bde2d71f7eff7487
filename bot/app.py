"""The composition root: builds everything from the settings. The only reader of the clock and the dice."""

from __future__ import annotations

import asyncio
import logging
import random  # noqa: TID251 this is where the dice are
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.i18n import Languages

if TYPE_CHECKING:
    from bot.chats.context import Context
    from bot.quiz import Step
    from bot.settings import Settings

log = logging.getLogger(__name__)

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

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
    from bot.tutor import adopt

    loaded = load(content(settings))
    store = Store.open(settings.data_file, clock=now)
    try:
        if changed := await store.run(lambda tx: adopt(tx, loaded, now())):
            raise BankChanged(changed)
        yield Context(store, loaded, catalogues(settings.lang_aliases), now, new_id)
    finally:
        await store.close()


async def tick(context: Context, deliver: Callable[[Step], Awaitable[None]]) -> None:
    """Carry out what is due, for ever; each step is handed on after its commit."""
    from bot.store import Unavailable
    from bot.tutor import fire

    while True:
        try:
            steps = await context.store.run(lambda tx: fire(tx, context.bank, context.now()))
        except Unavailable as error:
            log.warning("nothing that is due could be carried out, trying again: %s", error)
            steps = []
        for step in steps:
            await deliver(step)
        await asyncio.sleep(TICK_S)
