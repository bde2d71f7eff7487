"""Boards, streaks and linked accounts: whoever asks reads the answer alone, unless a board is wanted for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord

from bot.bank import clean
from bot.chats.boards import Boards, Pressed
from bot.chats.context import Context
from bot.chats.discord.layout import of_menu, of_words
from bot.chats.discord.posting import Posting
from bot.chats.discord.reply import Reply
from bot.chats.discord.shared import Attends, Shared
from bot.chats.many import Heard
from bot.chats.payload import Pick
from bot.i18n import Language
from bot.present import line
from bot.store import Tx
from bot.tutor import Period

MENUS = ("top", "city", "unlink")
"""Menus whose buttons are pressed here."""

TYPED = 100
"""Characters of a typed city or code that are looked at. Chosen by us."""


class Boarding:
    """What people ask about themselves and others."""

    def __init__(self, context: Context, shared: Shared, posting: Posting, attends: Attends) -> None:
        self._context, self._shared, self._posting, self._attends = context, shared, posting, attends
        self._boards = Boards(context)

    async def top(self, interaction: discord.Interaction[Any], period: str, *, for_all: bool) -> None:
        """`/top`."""
        new_id = self._context.new_id()
        public = for_all and interaction.guild_id is not None and interaction.is_guild_integration()

        async def carry_out(reply: Reply) -> None:
            def work(tx: Tx) -> tuple[Heard, Pressed, Language]:
                heard = self._shared.heard(tx, interaction, new_id)
                menu = self._boards.top(heard, Period(period), alone=not public)
                return heard, Pressed(menu), self._posting.public(heard.place) if public else heard.by.t

            heard, pressed, t = await self._attends.committed(reply, work)
            assert pressed.menu is not None  # it was just made
            if public:
                self._posting.show(heard.place, of_menu(pressed.menu, t))
            else:
                await reply.show(of_menu(pressed.menu, t))

        await self._attends.attend(interaction, carry_out)

    async def streak(self, interaction: discord.Interaction[Any], city: str) -> None:
        """`/streak`."""
        await self._ask(interaction, lambda heard: Pressed(self._boards.streak(heard, clean(city)[:TYPED])))

    async def link(self, interaction: discord.Interaction[Any], code: str) -> None:
        """`/link`; what a command shows in a server only its person sees."""
        await self._ask(interaction, lambda heard: Pressed(self._boards.link(heard, clean(code)[:TYPED])))

    async def unlink(self, interaction: discord.Interaction[Any]) -> None:
        """`/unlink`."""
        await self._ask(interaction, lambda heard: Pressed(self._boards.unlink(heard)))

    async def press(self, interaction: discord.Interaction[Any], pick: Pick) -> None:
        """A button below a board, a list of cities or of accounts was pressed."""
        message = interaction.message
        alone = message is None or message.flags.ephemeral or interaction.guild_id is None

        def use_case(heard: Heard) -> Pressed:
            match pick.menu:
                case "city":
                    return Pressed(self._boards.city(heard, pick))
                case "unlink":
                    return Pressed(self._boards.unlinked(heard, pick))
                case _:
                    return self._boards.pressed(heard, pick, alone=alone)

        await self._ask(interaction, use_case)

    async def _ask(self, interaction: discord.Interaction[Any], use_case: Callable[[Heard], Pressed]) -> None:
        new_id = self._context.new_id()

        async def carry_out(reply: Reply) -> None:
            def work(tx: Tx) -> tuple[Pressed, Language]:
                heard = self._shared.heard(tx, interaction, new_id)
                return use_case(heard), heard.by.t

            pressed, t = await self._attends.committed(reply, work)
            if pressed.menu is not None:
                await reply.show(of_menu(pressed.menu, t))
            if pressed.toast:
                await reply.tell(of_words((line(pressed.toast),)))
            if pressed.file is not None:
                await reply.give(*pressed.file)

        await self._attends.attend(interaction, carry_out)
