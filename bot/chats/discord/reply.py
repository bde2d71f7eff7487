"""Reply: one interaction is answered, once, whatever happens.

What is said follows the commit. If that takes too long, the interaction is acknowledged first and filled in later.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import aiohttp
import discord

from bot.chats.discord.layout import Page, without_buttons

log = logging.getLogger(__name__)

_TOO_LATE = (10062, 40060)
"""Unknown interaction (its three seconds are over) and already acknowledged: nothing more can be said.
Source: Discord developer reference, Opcodes and status codes, 2026-11."""

FAILURES = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, asyncio.TimeoutError, OSError)


class Reply:
    """What can be said in answer to an interaction."""

    def __init__(self, interaction: discord.Interaction[Any], *, dm: bool) -> None:
        """Wrap an interaction.

        Args:
            interaction: Not answered yet.
            dm: Whether answers are messages that stay; otherwise only the person sees them.
        """
        self._interaction = interaction
        self.dm = dm
        self._waits = False
        """Whether Discord shows that we think, until something is said."""

    @property
    def pressed(self) -> int:
        """The message that was pressed on; 0 for a command."""
        return self._interaction.message.id if self._interaction.message is not None else 0

    @property
    def _answered(self) -> bool:
        return self._interaction.response.is_done()

    async def hold(self) -> None:
        """Acknowledge if that was not done yet; what is said later takes its place."""
        if self._answered:
            return
        if self.pressed:
            await _tried(self._interaction.response.defer)
        else:
            self._waits = await _tried(lambda: self._interaction.response.defer(ephemeral=not self.dm, thinking=True))

    async def close(self) -> None:
        """Nothing more will be said: no spinner stays."""
        await self.hold()
        if self._waits:
            self._waits = False
            await _tried(self._interaction.delete_original_response)

    async def show(self, pages: Sequence[Page]) -> bool:
        """Put pages in the place of the message that was pressed on, or answer the command with them.

        Returns:
            Whether they arrived.
        """
        first, *rest = pages
        done = await (self._edit(first) if self.pressed else self._say(first))
        for page in rest:
            done = done and await self._follow_up(page, ephemeral=not self.dm)
        return done

    async def tell(self, pages: Sequence[Page]) -> None:
        """Tell the person something that nobody else sees and that changes no message."""
        for page in pages:
            await self._say(page, ephemeral=True)

    async def give(self, name: str, content: bytes) -> None:
        """Give the person a file that nobody else sees."""
        file = discord.File(io.BytesIO(content), name)
        if self._answered:
            await _tried(lambda: self._interaction.followup.send(file=file, ephemeral=True))
        else:
            await _tried(lambda: self._interaction.response.send_message(file=file, ephemeral=True))

    async def strip(self) -> None:
        """Take the buttons off the message that was pressed on."""
        message = self._interaction.message
        view = without_buttons(message) if message is not None else None
        if message is None or view is None:
            return
        kept = message.attachments
        if self._answered:
            await _tried(lambda: self._interaction.edit_original_response(view=view, attachments=kept))
        else:
            await _tried(lambda: self._interaction.response.edit_message(view=view, attachments=kept))

    async def ask(self, modal: discord.ui.Modal) -> bool:
        """Open a form; only possible while nothing was said.

        Returns:
            Whether it was possible.
        """
        if self._answered:
            return False
        await _tried(lambda: self._interaction.response.send_modal(modal))
        return True

    async def _edit(self, page: Page) -> bool:
        """Change the pressed message; if it is gone, say the same anew."""

        async def call() -> object:
            if self._answered:
                return await self._interaction.edit_original_response(view=page.view(), attachments=page.files())
            return await self._interaction.response.edit_message(view=page.view(), attachments=page.files())

        return await _tried(call, last=False) or await self._say(page)

    async def _say(self, page: Page, *, ephemeral: bool | None = None) -> bool:
        hidden = not self.dm if ephemeral is None else ephemeral
        if self._waits:
            self._waits = False
            return await _tried(
                lambda: self._interaction.edit_original_response(view=page.view(), attachments=page.files())
            )
        if self._answered:
            return await self._follow_up(page, ephemeral=hidden)
        return await _tried(
            lambda: self._interaction.response.send_message(view=page.view(), files=page.files(), ephemeral=hidden)
        )

    async def _follow_up(self, page: Page, *, ephemeral: bool) -> bool:
        return await _tried(
            lambda: self._interaction.followup.send(view=page.view(), files=page.files(), ephemeral=ephemeral)
        )


async def _tried(call: Callable[[], Awaitable[object]], *, last: bool = True) -> bool:
    """Make a call; what fails is logged and not repeated, the next command shows the state again.

    Args:
        call: The call.
        last: Whether nothing else is tried if it fails.

    Returns:
        Whether it succeeded, or nothing else could.
    """
    try:
        await call()
    except discord.InteractionResponded:
        return True
    except discord.HTTPException as error:
        if error.code in _TOO_LATE:
            log.info("an interaction was answered too late: %s", error.code)
            return not last
        log.log(logging.WARNING if last else logging.INFO, "discord refused an answer: %s %s", error.status, error.code)
        return False
    except FAILURES as error:
        log.warning("discord did not take an answer: %s", type(error).__name__)
        return False
    return True
