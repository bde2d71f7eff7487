"""`kontrolka check`: one line for each thing that must be right, with what to do if it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import click

from bot.app import catalogues, content
from bot.bank import ContentError, lint, load
from bot.cli.problems import explained
from bot.i18n import Language
from bot.settings import Settings, SettingsError
from bot.store import Store


def check(environ: Mapping[str, str], t: Language) -> int:
    """Print one line per part.

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
    for name, look in parts:
        good = _line(name, *look()) and good
    return 0 if good else 1


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
    path = settings.data_file
    if not path.exists():
        return True, t.gettext("{path}, will be made at the first start", path=path)
    from bot.app import now

    async def look() -> None:
        store = Store.open(path, clock=now)
        await store.close()

    try:
        asyncio.run(look())
    except Exception as error:
        if (words := explained(error, t)) is None:
            raise
        return False, words
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
