"""`kontrolka bank void`: an item that turned out to be bad counts for nobody."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, time
from pathlib import Path

import click

from bot.app import content, now
from bot.bank import load
from bot.cli.data import missing
from bot.cli.names import no_item
from bot.i18n import Language
from bot.quiz import Void
from bot.settings import Settings
from bot.store import Store
from bot.store.info import voids

EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Before the first answer."""


def void(settings: Settings, t: Language, item: str | None, *, since: str | None, end: bool) -> int:
    """Have an item count for nobody, or again, or list what is void.

    Returns:
        0; 1 if that cannot be done, 2 for options that exclude each other.

    Raises:
        InUse: A running program has the data file open, and it was to be changed.
        Corrupt, TooNew, Unavailable: The data file cannot be read or written.
    """
    if since is not None and end:
        click.echo(t.gettext("--since says when a void begins, --end ends it now: leave one of them out."), err=True)
        return 2
    if item is not None:
        return _end(settings, t, item) if end else _begin(settings, t, item, since)
    if end or since is not None:
        click.echo(t.gettext("Name the item, too: kontrolka bank void ITEM"), err=True)
        return 2
    return _list(settings, t)


def _list(settings: Settings, t: Language) -> int:
    """Print which items are void or have been, and from when to when, in UTC. The program may be running meanwhile."""
    found = voids(settings.data_file) if settings.data_file.exists() else []
    for void in found:
        click.echo(f"{void.item}: {_period(void, t)}")
    if not found:
        click.echo(t.gettext("No item is void."))
    return 0


def _begin(settings: Settings, t: Language, item: str, since: str | None) -> int:
    """Have the answers to an item count for nobody, from a day on or all of them."""
    path = settings.data_file
    bank = load(content(settings))
    if item not in bank.entries:
        return _refused(no_item(t, item, bank))
    day = _day(since)
    if since is not None and (day is None or day > now().date()):
        return _refused(t.gettext("{day} is no day in the past or today. Write it like this: 2026-11-30.", day=since))
    if missing(path, t):
        return 1
    at = EVER if day is None else datetime.combine(day, time(), UTC)
    if not asyncio.run(_add(path, item, at)):
        return _refused(t.gettext("“{name}” is void already. To have it count again: --end", name=item))
    click.echo(
        t.gettext(
            "“{name}” counts for nobody: on no board, in no result, in nobody’s progress. It is still asked: mend it, "
            "or set `retired = true` in it. Once it is mended: kontrolka bank void {name} --end",
            name=item,
        )
    )
    return 0


def _end(settings: Settings, t: Language, item: str) -> int:
    """Have answers to an item count again from now on."""
    path = settings.data_file
    if missing(path, t):
        return 1
    if not asyncio.run(_close(path, item)):
        return _refused(t.gettext("“{name}” is not void. `kontrolka bank void` shows what is.", name=item))
    click.echo(t.gettext("“{name}” counts again from now on. What was answered before stays void.", name=item))
    return 0


def _period(void: Void, t: Language) -> str:
    since = t.gettext("from the first answer") if void.since <= EVER else _moment(void.since)
    until = t.gettext("still void") if void.until is None else _moment(void.until)
    return f"{since} — {until}"


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


def _refused(words: str) -> int:
    click.echo(words, err=True)
    return 1


async def _add(path: Path, item: str, since: datetime) -> bool:
    async with Store.open(path, clock=now) as store:
        return await store.run(lambda tx: tx.add_void(item, since))


async def _close(path: Path, item: str) -> bool:
    async with Store.open(path, clock=now) as store:
        return await store.run(lambda tx: tx.close_void(item, now()))
