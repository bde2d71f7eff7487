"""`kontrolka check`: one line for each thing that must be right, with what to do if it is not."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import click

from bot.app import ALIVE_S, Heartbeat, catalogues, content, now
from bot.bank import ContentError, lint, load
from bot.cli.problems import damaged, explained, unavailable
from bot.i18n import Language
from bot.settings import Settings, SettingsError
from bot.store import Unavailable, info, room_for, there


def check(environ: Mapping[str, str], t: Language, *, online: bool = False) -> int:
    """Print one line per part.

    Args:
        environ: The settings.
        t: The language of this run.
        online: Whether the platforms are asked as well.

    Returns:
        0 if everything is right, 1 otherwise.
    """
    try:
        settings = Settings.from_env(environ)
        good = _line(t.gettext("settings"), True, _platforms(settings, t))
    except SettingsError as error:
        settings = error.usable
        good = _line(t.gettext("settings"), False, explained(error, t) or "")
    parts: list[tuple[str, Callable[[], tuple[bool, str]]]] = [
        (t.gettext("data file"), lambda: _data(settings, t)),
        (t.gettext("bank"), lambda: _bank(settings, t)),
        (t.gettext("catalogues"), lambda: _catalogues(settings, t)),
    ]
    if online:
        from bot.cli.online import discord, telegram

        parts += [("Telegram", lambda: telegram(settings, t)), ("Discord", lambda: discord(settings, t))]
    for name, look in parts:
        good = _line(name, *look()) and good
    return 0 if good else 1


def alive(settings: Settings, t: Language) -> int:
    """Say whether the program that serves this data file works, for whoever watches over it.

    Returns:
        0 if it does, 1 if it stands still or does not run.
    """
    works = Heartbeat(settings.data_file).alive(now())
    if works:
        click.echo(t.gettext("Kontrolka is running."))
    else:
        click.echo(
            t.gettext(
                "Kontrolka is not running or is stuck: no sign of life for {seconds} seconds. Check its log.",
                seconds=t.number(int(ALIVE_S)),
            ),
            err=True,
        )
    return 0 if works else 1


def _line(name: str, good: bool, words: str) -> bool:
    first, *more = words.splitlines() or [""]
    click.echo(f"{'✓' if good else '✗'} {name}: {first}")
    for line in more:
        click.echo(f"    {line}")
    return good


def _platforms(settings: Settings, t: Language) -> str:
    on = t.gettext("on")
    off = t.gettext("off, no token")
    telegram = on if settings.telegram_token else off
    discord = on if settings.discord_token else off
    return t.gettext("Telegram: {telegram}; Discord: {discord}", telegram=telegram, discord=discord)


def _data(settings: Settings, t: Language) -> tuple[bool, str]:
    """Look at the data file without changing it; a running program may have it open."""
    path = settings.data_file
    try:
        if not there(path):
            room_for(path)
            return True, t.gettext("{path}, will be made at the first start", path=path)
        found = info(path)
    except Exception as error:
        if (words := explained(error, t)) is None:
            raise
        return False, words
    if found.damage is not None:
        return False, damaged(path, t)
    if not all(os.access(place, os.W_OK) for place in (path, path.parent)):
        return False, unavailable(Unavailable(path, "readonly"), t)
    if found.version < found.known_version:
        return True, t.gettext("{path}, will be brought up to date at the next start, after a backup", path=path)
    return True, str(path)


def _bank(settings: Settings, t: Language) -> tuple[bool, str]:
    try:
        bank = load(content(settings))
    except ContentError as error:
        return False, explained(error, t) or ""
    problems = lint(bank)
    items = t.ngettext("{n} item", "{n} items", len(bank.live([])))
    quizzes = t.ngettext("{n} quiz", "{n} quizzes", len(bank.quizzes))
    if problems:
        advice = t.gettext("style problems; `kontrolka bank lint` lists them")
        return True, f"{items}, {quizzes}; {advice}"
    return True, f"{items}, {quizzes}"


def _catalogues(settings: Settings, t: Language) -> tuple[bool, str]:
    languages = catalogues(settings.lang_aliases)
    lacking = [tag for tag in ("en", "ru") if tag not in languages.tags]
    if lacking:
        return False, t.gettext("missing: {languages}. Install Kontrolka again.", languages=", ".join(lacking))
    return True, ", ".join(languages[tag].name for tag in languages.tags)
