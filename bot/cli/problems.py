"""What could not be done, in the person's language: what is wrong, where, what to do. Never a traceback."""

from __future__ import annotations

from bot.app import BankChanged
from bot.bank import ContentError
from bot.i18n import Language
from bot.settings import Problem, SettingsError, Wrong, names
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
            return t.gettext(
                "The data file {path} is damaged or is no Kontrolka data file. Restore a backup, or move it away to "
                "begin anew.",
                path=error.path,
            )
        case Unavailable():
            return unavailable(error, t)
        case _:
            return None


def unavailable(error: Unavailable, t: Language) -> str:
    """Why nothing can be written, and what to do."""
    return t.gettext("The data file cannot be used: {problem}.", problem=error)


def setting(problem: Problem, t: Language) -> str:
    """What is wrong with a setting and what to do."""
    match problem.wrong:
        case Wrong.UNKNOWN:
            known = ", ".join(name for name in names() if name.startswith("KONTROLKA_"))
            return t.gettext("{name} is not a setting. Settings: {known}.", name=problem.name, known=known)
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
                "{name} is “{value}”; it must be a list such as uk=ru,be=ru.", name=problem.name, value=problem.value
            )
        case Wrong.TOKEN:
            return t.gettext("{name} has a space or a letter that no token has: copy it again.", name=problem.name)
