"""The panel of the daily question in Discord: a message that only its moderator sees, in the place it is for.

Whoever presses must be a moderator of that place at that very moment, which Discord says with every press.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ui

from bot.bank import Rich, clean
from bot.chats.context import Context
from bot.chats.dailies import Dailies, Turned
from bot.chats.discord.doctor import lacking
from bot.chats.discord.layout import of_menu, of_message, of_words
from bot.chats.discord.places import reachable
from bot.chats.discord.posting import Posting, unsure
from bot.chats.discord.reply import Reply
from bot.chats.discord.shared import Attends, Shared, too_long
from bot.chats.many import Heard
from bot.chats.menus import Menu
from bot.chats.payload import Pick
from bot.i18n import Language
from bot.present import line
from bot.store import PostState, Tx
from bot.tutor import QUESTION

MENU = "daily"

CITY_CHARACTERS = 100
"""Of a typed city. Chosen by us."""

_FORM = re.compile(r"1mc:(\d{1,18}):(\d{1,20})")


@dataclass(frozen=True, slots=True)
class CityForm:
    """A form for the city of a daily question, for one person."""

    daily: int
    user: int
    """Discord's id of the person."""

    def __str__(self) -> str:
        return f"1mc:{self.daily}:{self.user}"

    @classmethod
    def read(cls, custom_id: str) -> CityForm | None:
        """What a form's custom id says; None if it is another's."""
        match = _FORM.fullmatch(custom_id)
        return None if match is None else cls(int(match[1]), int(match[2]))

    def modal(self, t: Language) -> ui.Modal:
        """The form to be filled in; the library keeps nothing of it."""
        modal = ui.Modal(title=t.gettext("City"), custom_id=str(self), timeout=None)
        field: ui.TextInput[Any] = ui.TextInput(custom_id="words", max_length=CITY_CHARACTERS)
        modal.add_item(ui.Label(text=t.gettext("Which city’s time?"), component=field))
        modal.stop()
        return modal


@dataclass(frozen=True, slots=True)
class _Turn:
    """What a press left, and in which language it is said."""

    turned: Turned
    t: Language
    note: Rich = ()
    """Stands above the panel."""
    unsure: Menu | None = None
    """A question of today that may not have arrived."""


class DailyPanel:
    """Sets up daily questions."""

    def __init__(self, context: Context, shared: Shared, posting: Posting, attends: Attends) -> None:
        self._context, self._shared, self._posting, self._attends = context, shared, posting, attends
        self._dailies = Dailies(context)

    async def open(self, interaction: discord.Interaction[Any]) -> None:
        """`/daily`."""
        new_id = self._context.new_id()

        async def carry_out(reply: Reply) -> None:
            def work(tx: Tx) -> _Turn:
                heard = self._shared.heard(tx, interaction, new_id)
                t, by = heard.by.t, heard.by
                if interaction.guild_id is None or not by.moderator:
                    return _Turn(_only_moderators(t, alone=interaction.guild_id is None), t)
                reachable(tx, interaction.user.id, by.learner, t.tag, heard.at)
                missing = lacking(interaction, t)
                menu = self._dailies.open(tx, heard.place, by.learner, t, heard.at)
                return _Turn(Turned(menu), t, (line(missing),) if missing else (), _unsure(tx, heard))

            turn = await self._attends.committed(reply, work)
            await self._answer(turn, reply)

        await self._attends.attend(interaction, carry_out)

    async def press(self, interaction: discord.Interaction[Any], pick: Pick) -> None:
        """A button of a panel was pressed."""
        new_id = self._context.new_id()

        def use_case(heard: Heard) -> Turned:
            return self._dailies.turn(heard.tx, pick, heard.by.learner, heard.by.t, heard.at, new_id)

        number = int(pick.values[0]) if pick.values and pick.values[0].isdecimal() else 0
        await self._turn(interaction, number, use_case)

    async def fill(self, interaction: discord.Interaction[Any], filled: CityForm, words: str) -> None:
        """A city was typed: those that may be meant."""

        def use_case(heard: Heard) -> Turned:
            typed = clean(words)[:CITY_CHARACTERS]
            return Turned(self._dailies.found(heard.tx, filled.daily, typed, heard.by.t, heard.at))

        await self._turn(interaction, filled.daily, use_case)

    async def _turn(
        self, interaction: discord.Interaction[Any], number: int, use_case: Callable[[Heard], Turned]
    ) -> None:
        async def carry_out(reply: Reply) -> None:
            def work(tx: Tx) -> _Turn:
                heard = self._shared.heard(tx, interaction, "")
                t = heard.by.t
                daily = tx.dailies.get(number)
                if daily is not None and (daily.place != heard.place.id or not heard.by.moderator):
                    return _Turn(_only_moderators(t), t)
                return _Turn(use_case(heard), t)

            turn = await self._attends.committed(reply, work)
            if turn.turned.ask_city:
                if not await reply.ask(CityForm(turn.turned.ask_city, interaction.user.id).modal(turn.t)):
                    await reply.tell(of_words((line(too_long(turn.t)),)))
                return
            await self._answer(turn, reply)

        await self._attends.attend(interaction, carry_out)

    async def _answer(self, turn: _Turn, reply: Reply) -> None:
        turned, t = turn.turned, turn.t
        if turned.menu is not None:
            await reply.show(of_menu(turned.menu, t, (turn.note,) if turn.note else ()))
        if turn.unsure is not None:
            await reply.tell(of_menu(turn.unsure, t))
        if turned.toast:
            await reply.tell(of_words((line(turned.toast),)))
        for message in turned.preview:
            shown = of_message(message, t, self._context.bank.root)
            await reply.tell([replace(page, rows=()) for page in shown])  # nothing of it can be pressed
        if turned.step is not None:
            await self._posting.deliver(turned.step)


def _unsure(tx: Tx, heard: Heard) -> Menu | None:
    """An open question of the place that may not have arrived, with a button to have it sent again."""
    for daily in tx.dailies.of_place(heard.place.id):
        for run in tx.dailies.runs(daily.id, 1):
            posts = tx.posts.of_session(run.session) if run.session is not None else []
            for post in posts:
                if post.kind == QUESTION and post.state is PostState.UNCERTAIN:
                    return unsure(heard.place, post, heard.by.t)
    return None


def _only_moderators(t: Language, *, alone: bool = False) -> Turned:
    if alone:
        return Turned(toast=t.gettext("/daily works on a server: in the channel where the question is to be asked."))
    return Turned(toast=t.gettext("Only who may manage messages in this channel can do that."))
