"""What could not be done, in the person's language: what is wrong, where, what to do. Never a traceback."""

from __future__ import annotations

import os
from pathlib import Path
from typing import assert_never

from bot.app import BankChanged
from bot.bank import ContentError
from bot.i18n import Language
from bot.settings import LANGUAGES, Problem, SettingsError, Wrong, names
from bot.store import Corrupt, InUse, TooNew, Unavailable


def explained(error: Exception, t: Language) -> str | None:
    """Words for an error that a person can act on; None for a bug."""
    match error:
        case SettingsError():
            return "\n".join(setting(problem, t) for problem in error.problems)
        case ContentError():
            count = t.ngettext(
                "The content has {n} problem; nothing was started.",
                "The content has {n} problems; nothing was started.",
                len(error.problems),
            )
            return "\n".join([*(str(problem) for problem in error.problems), count])
        case BankChanged():
            return t.gettext(
                "The key or the options of known items changed: {items}. Stored answers would be judged by a new key. "
                "Give the changed items new ids and set `retired = true` in the old ones.",
                items=", ".join(error.items),
            )
        case InUse():
            return t.gettext(
                "The data file {path} is in use by another Kontrolka. Stop that one first, or set KONTROLKA_DATA to "
                "another file.",
                path=error.path,
            )
        case TooNew():
            return t.gettext(
                "The data file {path} was written by a newer Kontrolka. Install that version, or restore a backup.",
                path=error.path,
            )
        case Corrupt():
            return damaged(error.path, t)
        case Unavailable():
            return unavailable(error, t)
        case _:
            return None


def unavailable(error: Unavailable, t: Language) -> str:
    """Why nothing can be written, and what to do."""
    path = error.path
    if os.path.isdir(path):  # noqa: PTH112 `Path.is_dir` raises in a folder one may not enter
        return t.gettext("{path} is a folder. Name a file in KONTROLKA_DATA, such as {path}/kontrolka.db.", path=path)
    match error.reason:
        case "full":
            return t.gettext("The data file {path} cannot be written: the disk is full. Free some space.", path=path)
        case "readonly":
            return t.gettext(
                "Kontrolka may not open or write the data file {path}. Correct the owner or the permissions of the "
                "file and its folder, or set KONTROLKA_DATA to another file.",
                path=path,
            )
        case "locked":
            return t.gettext("Another program has locked the data file {path}. Close it and try again.", path=path)
        case "corrupt":
            return damaged(path, t)
        case "io":
            return t.gettext(
                "The data file {path} cannot be opened. Check that its folder exists and the disk is in order, or set "
                "KONTROLKA_DATA to another file.",
                path=path,
            )
        case _:
            assert_never(error.reason)


def damaged(path: Path, t: Language) -> str:
    """That a file is no data file any longer, and what to do."""
    return t.gettext(
        "The data file {path} is damaged or is not a Kontrolka data file. Restore a backup, or move it away to start "
        "over.",
        path=path,
    )


def setting(problem: Problem, t: Language) -> str:
    """What is wrong with a setting and what to do."""
    match problem.wrong:
        case Wrong.UNKNOWN:
            known = ", ".join(name for name in names() if name.startswith("KONTROLKA_"))
            return t.gettext("{name} is not a setting. Settings: {known}.", name=problem.name, known=known)
        case Wrong.PATH:
            return t.gettext(
                "{name} is “{value}”; there is no such home or current folder. Write the whole path, such as "
                "/var/lib/kontrolka.",
                name=problem.name,
                value=problem.value,
            )
        case Wrong.WEBHOOK:
            return t.gettext(
                "{name} is “{value}”; it must be an address that begins with https://: Telegram sends updates to no "
                "other.",
                name=problem.name,
                value=problem.value,
            )
        case Wrong.ADDRESS:
            return t.gettext(
                "{name} is “{value}”; it must be an address that begins with http:// or https://.",
                name=problem.name,
                value=problem.value,
            )
        case Wrong.LOG:
            return t.gettext("{name} is “{value}”; it must be text or json.", name=problem.name, value=problem.value)
        case Wrong.ALIASES:
            return t.gettext(
                "{name} is “{value}”; it must be a list such as uk=ru,be=ru: the code of a language that "
                "Kontrolka does not speak, then one of: {languages}.",
                name=problem.name,
                value=problem.value,
                languages=", ".join(LANGUAGES),
            )
        case Wrong.LANG:
            return t.gettext(
                "{name} is “{value}”; it must be one of: {languages}.",
                name=problem.name,
                value=problem.value,
                languages=", ".join(LANGUAGES),
            )
        case Wrong.LISTEN:
            return t.gettext(
                "{name} is “{value}”; it must be a host and a port such as 127.0.0.1:8080.",
                name=problem.name,
                value=problem.value,
            )
        case Wrong.LIMITS:
            return t.gettext("{name} is “{value}”; it must be on or off.", name=problem.name, value=problem.value)
        case Wrong.WEBHOOK_SECRET:
            return t.gettext(
                "{name} must be set beside TELEGRAM_WEBHOOK_URL: 1 to 256 of A-Z, a-z, 0-9, _ and -.",
                name=problem.name,
            )
        case Wrong.TOKEN:
            return t.gettext("{name} has a space or a letter that no token has: copy it again.", name=problem.name)
