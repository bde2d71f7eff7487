"""Trouble with the disk, in words for the person at the keyboard, who can often mend it."""

from __future__ import annotations

from typing import assert_never

from bot.i18n import Language
from bot.store import Unavailable


def trouble(error: Unavailable, t: Language) -> str:
    """Why what was typed does not count, and what to do before it is typed again."""
    match error.reason:
        case "full":
            return t.gettext(
                "This could not be saved, so it does not count: the disk is full. Free some space and type it again."
            )
        case "readonly":
            return t.gettext(
                "This could not be saved, so it does not count: the data file is not writable. Correct its permissions "
                "and type it again."
            )
        case "locked":
            return t.gettext(
                "This could not be saved, so it does not count: another program has locked the data file. Close it and "
                "type it again."
            )
        case "io":
            return t.gettext(
                "This could not be saved, so it does not count: the disk did not answer. Type it again; if that does "
                "not help, quit with q and run: kontrolka check"
            )
        case "corrupt":
            return t.gettext(
                "This could not be saved, so it does not count: the data file is damaged. Quit with q and restore a "
                "backup: kontrolka data restore FILE"
            )
        case _:
            assert_never(error.reason)
