"""`kontrolka bank void`: an item that turned out to be bad counts for nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TypeVar

import click

from bot.app import content, now
from bot.bank import load
from bot.cli.data import missing
from bot.cli.names import no_item
from bot.i18n import Language
from bot.quiz import Void
from bot.settings import Settings
from bot.store import Store, Tx, there
from bot.store.info import voids

T = TypeVar("T")

EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""Before the first answer."""


def void(settings: Settings, t: Language, item: str | None, *, since: str | None, end: bool, undo: bool) -> int:
    """Have an item count for nobody, or again from now on, or as if it had never been void, or list what is void.

    Returns:
        0; 1 if that cannot be done, 2 for options that exclude each other.

    Raises:
        InUse: A running program has the data file open, and it was to be changed.
        Corrupt, TooNew, Unavailable: The data file cannot be read or written.
    """
    if (since is not None) + end + undo > 1:
        click.echo(t.gettext("--since, --end and --undo exclude each other: leave all but one out."), err=True)
        return 2
    if item is not None:
        if undo:
            return _undo(settings, t, item)
        return _end(settings, t, item) if end else _begin(settings, t, item, since)
    if end or undo or since is not None:
        click.echo(t.gettext("Name the item, too: kontrolka bank void ITEM"), err=True)
        return 2
    return _list(settings, t)


def _list(settings: Settings, t: Language) -> int:
    """Print which items are void or have been, and from when to when, in UTC. The program may be running meanwhile."""
    found = voids(settings.data_file) if there(settings.data_file) else []
    for void in found:
        click.echo(f"{void.item}: {_period(void, t)}")
    if not found:
        click.echo(t.gettext("No item is void."))
    return 0


def _begin(settings: Settings, t: Language, item: str, since: str | None) -> int:
    """Have the answers to an item count for nobody, from a day on or all of them."""
    path = settings.data_file
    bank = load(content(settings))
    asked = item in bank.entries
    if not asked and not there(path):
        return _refused(no_item(t, item, bank))
    day = _day(since)
    if since is not None and (day is None or day > now().date()):
        return _refused(t.gettext("{day} is no day in the past or today. Write it like this: 2026-11-30.", day=since))
    if missing(path, t):
        return 1
    at = EVER if day is None else datetime.combine(day, time(), UTC)
    added = asyncio.run(_change(path, lambda tx: tx.add_void(item, at) if asked or item in tx.fingerprints() else None))
    if added is None:
        return _refused(no_item(t, item, bank))
    if not added:
        return _refused(
            t.gettext(
                "“{name}” is void already. To have it count again from now on: --end; as if it had never been void: "
                "--undo",
                name=item,
            )
        )
    if not asked:
        click.echo(
            t.gettext(
                "“{name}” counts for nobody: on no board, in no result, in nobody’s progress. It is no longer in the "
                "content, so nobody is asked it.",
                name=item,
            )
        )
        return 0
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
    if not asyncio.run(_change(path, lambda tx: tx.close_void(item, now()))):
        return _refused(t.gettext("“{name}” is not void. `kontrolka bank void` shows what is.", name=item))
    click.echo(t.gettext("“{name}” counts again from now on. What was answered before stays void.", name=item))
    return 0


def _undo(settings: Settings, t: Language, item: str) -> int:
    """Have it as if the last void of an item had never been declared."""
    path = settings.data_file
    if missing(path, t):
        return 1
    undone = asyncio.run(_change(path, lambda tx: tx.undo_void(item)))
    if undone is None:
        return _refused(t.gettext("“{name}” never was void. `kontrolka bank void` shows what is or was.", name=item))
    click.echo(t.gettext("“{name}” was void: {period}. That is undone.", name=item, period=_period(undone, t)))
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


async def _change(path: Path, fn: Callable[[Tx], T]) -> T:
    async with Store.open(path, clock=now) as store:
        return await store.run(fn)
