"""Boards, streaks and linked accounts in a private chat; what a group reads of them is in `shared`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.bank import clean
from bot.chats.boards import Boards, heard
from bot.chats.context import Context
from bot.chats.menus import Menu
from bot.chats.payload import Pick
from bot.chats.starting import Asked, Done

HOME = "home"
"""The kind of a post that asks by which city's time the reader's days are counted; a reply names the city."""

TYPED = 100
"""Characters of a typed city or code that are looked at. Chosen by us."""

_ASK = Pick("city", ("ask",))


class OwnBoards:
    """What a person asks about themselves."""

    def __init__(self, context: Context) -> None:
        self._boards = Boards(context)

    def command(self, name: str, rest: str) -> Callable[[Asked], Done] | None:
        """The use case of a command; None if it is none of these.

        Args:
            name: In lower case, without the slash.
            rest: What was typed behind it.
        """
        rest = clean(rest)[:TYPED]
        match name:
            case "top":
                return lambda asked: Done(asked.to, menu=self._boards.top(heard(asked), alone=True))
            case "streak":
                return lambda asked: self.streak(asked, rest)
            case "link":
                return lambda asked: Done(asked.to, menu=self._boards.link(heard(asked), rest))
            case "unlink":
                return lambda asked: Done(asked.to, menu=self._boards.unlink(heard(asked)))
            case _:
                return None

    def streak(self, asked: Asked, city: str = "") -> Done:
        """How many days in a row; a typed city asks which of that name."""
        return Done(asked.to, menu=_asking(self._boards.streak(heard(asked), clean(city)[:TYPED]), asked))

    def pick(self, asked: Asked, pick: Pick) -> Done | None:
        """A button was pressed; None if it is none of these."""
        match pick.menu:
            case "top":
                pressed = self._boards.pressed(heard(asked), pick, alone=True)
                return Done(asked.to, menu=pressed.menu, toast=pressed.toast)
            case "city" if pick == _ASK:
                return Done(asked.to, posts=(asked.tx.posts.demand(asked.to.place, HOME, asked.at),))
            case "city":
                return Done(asked.to, menu=_asking(self._boards.city(heard(asked), pick), asked))
            case "unlink":
                return Done(asked.to, menu=self._boards.unlinked(heard(asked), pick))
            case _:
                return None


def _asking(menu: Menu, asked: Asked) -> Menu:
    """A streak, or that there is no such city, with the button that asks for one."""
    return menu if menu.buttons else replace(menu, buttons=((asked.to.t.gettext("Choose a city"), _ASK),))
