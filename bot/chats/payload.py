"""Payloads of buttons: short, unsigned, and checked against the session and the person who pressed.

`1:<session>:<position>:<verb><option>`, at most 24 bytes; `1` is the version. A button that belongs to no session, such
as one of a menu, carries `1/<menu>/<value>/...`, at most 64 bytes. Source: Telegram Bot API 10.0,
InlineKeyboardButton.callback_data; Discord allows 100 characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.present import Verb

_TAP = re.compile(r"1:([0-9a-z]{1,13}):(\d{1,3}):([a-z])([a-z0-9]{0,2})")
_PICK = re.compile(r"1/([a-z]+)((?:/[A-Za-z0-9_.+-]*)*)")


@dataclass(frozen=True, slots=True)
class Tap:
    """A button of a session."""

    session: str
    position: int
    verb: Verb
    option: str = ""

    def __str__(self) -> str:
        return f"1:{self.session}:{self.position}:{self.verb}{self.option}"


@dataclass(frozen=True, slots=True)
class Pick:
    """A button of a menu."""

    menu: str
    """Lower-case letters."""
    values: tuple[str, ...] = ()
    """Of letters, digits, `_`, `-`, `.` and `+`."""

    def __str__(self) -> str:
        return "/".join(("1", self.menu, *self.values))


def read(payload: str) -> Tap | Pick | None:
    """What a payload says; None if it is not ours, or of a version we do not know."""
    if match := _TAP.fullmatch(payload):
        session, position, verb, option = match.groups()
        try:
            return Tap(session, int(position), Verb(verb), option)
        except ValueError:
            return None
    if match := _PICK.fullmatch(payload):
        menu, values = match.groups()
        return Pick(menu, tuple(values.split("/")[1:]))
    return None
