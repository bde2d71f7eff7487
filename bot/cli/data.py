"""`kontrolka data`: back up, restore, export, forget, and what is in the data file."""

from __future__ import annotations

import asyncio
import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

import click

from bot import store
from bot.app import now
from bot.cli.problems import damaged
from bot.i18n import Language
from bot.settings import Settings
from bot.store import Corrupt, Info, Store, Unavailable, there

_JSON_ONLY = ("grade_exact",)
"""Columns that a spreadsheet spoils: it takes 1/2 for a date."""


def back_up(settings: Settings, t: Language, target: Path | None) -> int:
    """Copy the data file, which may be in use.

    Returns:
        0; 1 if there is nothing to copy, or the target is there already or cannot be written.

    Raises:
        Corrupt: The data file is damaged.
        Unavailable: It cannot be read.
    """
    source = settings.data_file
    if target is None:
        stamp = now().strftime("%Y-%m-%dT%H%M%SZ")
        target = source.with_name(f"{source.stem}.{stamp}.db")
    if missing(source, t) or _taken(target, t):
        return 1
    try:
        store.backup(source, target)
    except OSError:
        return _unwritable(target, t)
    except Unavailable as error:
        if error.reason in ("full", "readonly"):  # the data file is only read here
            return _unwritable(target, t)
        raise
    size = _size(target.stat().st_size, t)
    click.echo(t.gettext("The backup is in {path} ({size}); it was read back and is intact.", path=target, size=size))
    return 0


def restore(settings: Settings, t: Language, source: Path) -> int:
    """Put a backup in the place of the data file, and say what will happen again.

    Returns:
        0; 1 if there is no such backup, or it is none.

    Raises:
        InUse: A running program has the data file open.
        Unavailable: One of the files cannot be read or written.
        TooNew: The backup is of a newer program.
        Corrupt: What has been restored cannot be read.
    """
    target = settings.data_file
    try:
        source.open("rb").close()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        click.echo(t.gettext("There is no file {path}. Name a backup.", path=source), err=True)
        return 1
    except OSError:
        click.echo(t.gettext("{path} cannot be read. Check its name and its permissions.", path=source), err=True)
        return 1
    kept = target.with_name(f"{target.stem}.before-restore.db")
    replaces = there(target) and target.stat().st_size > 0
    if source.resolve() in (target.resolve(), kept.resolve()):
        click.echo(
            t.gettext("{path} would be overwritten while it is read. Copy it under another name first.", path=source),
            err=True,
        )
        return 1
    try:
        found = store.restore(source, target)
    except Corrupt:  # told before anything is replaced
        click.echo(
            t.gettext(
                "{path} is not a usable backup: it is empty, damaged, or from another program. Nothing was changed. "
                "Use another backup.",
                path=source,
            ),
            err=True,
        )
        return 1
    click.echo(t.gettext("{path} has been restored from {source}.", path=target, source=source))
    if replaces:
        click.echo(t.gettext("The replaced file is kept as {path}.", path=kept))
    for line in _again(found, t):
        click.echo(line)
    return 0


def _again(found: Info, t: Language) -> Iterator[str]:
    """What the backup does not know to have happened, so that it happens once more after the next start."""
    if n := found.pending_posts:
        yield t.ngettext(
            "{n} message waits in it to be sent and will be sent, even if that was done since the backup.",
            "{n} messages wait in it to be sent and will be sent, even if that was done since the backup.",
            n,
        )
    if n := found.uncertain_posts:
        yield t.ngettext(
            "Of {n} message nobody knows whether it was sent; it is not repeated by itself.",
            "Of {n} messages nobody knows whether they were sent; they are not repeated by themselves.",
            n,
        )
    if n := found.waiting_updates:
        yield t.ngettext(
            "{n} message from people waits in it and will be answered, even if that was done since the backup.",
            "{n} messages from people wait in it and will be answered, even if that was done since the backup.",
            n,
        )
    if n := store.overdue(found.path, now()):
        yield t.ngettext(
            "{n} deadline, daily question or clean-up was due before now and happens right after the start.",
            "{n} deadlines, daily questions or clean-ups were due before now and happen right after the start.",
            n,
        )
    yield t.gettext("Answers given after the backup was made are not in it.")


def export(settings: Settings, t: Language, target: Path) -> int:
    """Write every attempt to a file, as CSV or JSON by its ending.

    Returns:
        0; 1 if there is nothing to export, the target is there already or has another ending.
    """
    write = {".csv": _write_csv, ".json": _write_json}.get(target.suffix.lower())
    if write is None:
        click.echo(t.gettext("{path} must end in .csv or .json: that decides the format.", path=target), err=True)
        return 1
    if missing(settings.data_file, t) or _taken(target, t):
        return 1
    try:
        with _new_file(target) as file:
            count = write(file, store.export(settings.data_file), t)
    except OSError:
        return _unwritable(target, t)
    click.echo(
        t.ngettext("{n} attempt is in {path}.", "{n} attempts are in {path}.", count, path=target)
        + " "
        + t.gettext("The file shows who answered what: keep it safe.")
    )
    return 0


def _write_csv(file: TextIO, rows: Iterable[Mapping[str, Any]], t: Language) -> int:
    """Rows as a spreadsheet in this language reads them without asking; docs/decisions/export.md says why so."""
    point = t.decimal_point
    file.write("\ufeff")
    writer = csv.writer(file, delimiter=";" if point == "," else ",", lineterminator="\r\n")
    count = 0
    for count, row in enumerate(rows, 1):
        cells = {name: cell for name, cell in store.guarded(row).items() if name not in _JSON_ONLY}
        if count == 1:
            writer.writerow(cells)
        writer.writerow(_cell(cell, point) for cell in cells.values())
    return count


def _cell(cell: Any, point: str) -> str:
    if isinstance(cell, bool):
        return str(int(cell))
    return str(cell).replace(".", point) if isinstance(cell, float) else str(cell)


def _write_json(file: TextIO, rows: Iterable[Mapping[str, Any]], _: Language) -> int:
    """One array, one row a line, every text as it is."""
    count = 0
    file.write("[")
    for count, row in enumerate(rows, 1):
        file.write(("," if count > 1 else "") + "\n" + json.dumps(dict(row), ensure_ascii=False))
    file.write("\n]\n")
    return count


def forget(settings: Settings, t: Language, platform: str, account: str) -> int:
    """Remove a person from every table, and say what was removed and where the person still is.

    Returns:
        0; 1 if nobody has that account, 2 if it is not named, or named where there is but one person.
    """
    if bool(account) == (platform == "terminal"):
        words = (
            t.gettext("The terminal has one person, without a number: leave {account} out.", account=account)
            if account
            else t.gettext("ACCOUNT is missing: the person's number on {platform}.", platform=platform)
        )
        click.echo(words, err=True)
        return 2
    path = settings.data_file
    if missing(path, t):
        return 1
    removed = asyncio.run(_forget(path, platform, account))
    if removed is None:
        click.echo(
            t.gettext("Nobody has played in the terminal with this data file.")
            if platform == "terminal"
            else t.gettext(
                "Nobody is known as {account} on {platform}: an account is the person's number there, not the name.",
                account=account,
                platform=platform,
            ),
            err=True,
        )
        return 1
    click.echo(t.gettext("Removed:"))
    for table, rows in removed.items():
        click.echo("  " + t.ngettext("{table}: {n} row", "{table}: {n} rows", rows, table=table))
    click.echo(t.gettext("Backups still contain what was removed, until they are deleted. Beside the data file:"))
    copies = sorted(path.parent.glob(f"{path.stem}.*.db"))
    click.echo("\n".join(f"  {copy}" for copy in copies) or "  —")
    return 0


async def _forget(path: Path, platform: str, account: str) -> dict[str, int] | None:
    async with Store.open(path, clock=now) as opened:
        learner = await opened.read(lambda tx: tx.known_learner(platform, account))
        return None if learner is None else await opened.forget(learner)


def info(settings: Settings, t: Language) -> int:
    """Print what is in the data file, of which a running program may be writing.

    Returns:
        0; 1 if there is none, or it is damaged.
    """
    path = settings.data_file
    if missing(path, t):
        return 1
    found = store.info(path)
    for line in _figures(found, t):
        click.echo(line)
    if found.damage is not None:
        click.echo(damaged(path, t), err=True)
        return 1
    return 0


def _figures(found: Info, t: Language) -> Iterator[str]:
    log = _size(found.log_bytes, t)
    yield t.gettext("{path}: {size}, and {log} of its log", path=found.path, size=_size(found.bytes, t), log=log)
    yield t.gettext(
        "Version of the file: {version} of {known}; SQLite {sqlite}",
        version=found.version,
        known=found.known_version,
        sqlite=found.sqlite,
    )
    if found.version < found.known_version:
        yield t.gettext("The next start brings it up to date, after a backup.")
    yield t.gettext("Open quizzes: {n}", n=t.number(found.open_sessions))
    yield t.gettext(
        "Messages to be sent: {pending}; perhaps sent, perhaps not: {uncertain}",
        pending=t.number(found.pending_posts),
        uncertain=t.number(found.uncertain_posts),
    )
    yield t.gettext(
        "Messages from people: waiting {waiting}, put aside because they could not be processed {quarantined}",
        waiting=t.number(found.waiting_updates),
        quarantined=t.number(found.quarantined_updates),
    )
    if found.next_due is not None:
        yield t.gettext("Next due: {moment} UTC", moment=t.moment(found.next_due))
    yield t.gettext("Rows:")
    for table, rows in found.rows.items():
        yield f"  {table}: {t.number(rows)}"


def missing(source: Path, t: Language) -> bool:
    """Whether there is no data file yet, which is then said.

    Raises:
        Unavailable: One may not look.
    """
    if there(source):
        return False
    click.echo(
        t.gettext(
            "There is no data file {path} yet. Check KONTROLKA_DATA, or play first: kontrolka play",
            path=source,
        ),
        err=True,
    )
    return True


def _taken(target: Path, t: Language) -> bool:
    """Whether a file cannot be made because one is there, or nobody may look, which is then said."""
    try:
        if not there(target):
            return False
    except Unavailable:
        _unwritable(target, t)
        return True
    click.echo(t.gettext("{path} is there already. Name another file, or remove it.", path=target), err=True)
    return True


def _unwritable(target: Path, t: Language) -> int:
    click.echo(
        t.gettext(
            "{path} could not be written. Check that its folder exists, that you may write there and that the disk "
            "has room.",
            path=target,
        ),
        err=True,
    )
    return 1


def _size(of: int, t: Language) -> str:
    return t.gettext("{n} MiB", n=t.number(Fraction(of, 2**20)))


@contextmanager
def _new_file(target: Path) -> Iterator[TextIO]:
    """A file for its owner alone, which appears when it is complete and on disk."""
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
