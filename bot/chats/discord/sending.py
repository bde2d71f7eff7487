"""Sending: calls to Discord outside of an interaction, and what became of them.

discord.py waits for rate limits and repeats what the server failed to take. What it gives up is not repeated here at
once: ten thousand invalid requests in ten minutes end in a ban.
Source: Discord developer reference, Rate limits, invalid request limit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from enum import Enum
from http import HTTPStatus

import aiohttp
import discord

from bot.chats.discord.layout import Page, without_buttons

log = logging.getLogger(__name__)

NOT_THERE = (discord.Forbidden, discord.NotFound)

UNANSWERED = (aiohttp.ClientError, asyncio.TimeoutError, OSError)
"""Errors that do not say whether Discord has taken a message."""


class Lost(Enum):
    """Why there is no message."""

    UNCERTAIN = "uncertain"
    """It may have arrived."""
    UNREACHABLE = "unreachable"
    """The person lets us not write, or shares no server with us any more."""
    REFUSED = "refused"
    """Discord will not have it, or not now; the log says why."""


class Sender:
    """Writes to private chats."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send(self, user: int, pages: Sequence[Page], nonce: str | None = None) -> int | Lost:
        """Send all pages of a message.

        Args:
            user: Discord's id of the person.
            pages: In order.
            nonce: At most 20 characters; of messages with the same nonce within a few minutes only one arrives.

        Returns:
            The id of the last one, or why there is none.
        """
        sent: int | Lost = Lost.REFUSED
        for i, page in enumerate(pages):
            sent = await self._page(user, page, None if nonce is None else f"{nonce}-{i}")
            if isinstance(sent, Lost):
                break
        return sent

    async def _page(self, user: int, page: Page, nonce: str | None) -> int | Lost:
        try:
            channel = await self._channel(user)
            if nonce is None:
                message = await channel.send(view=page.view(), files=page.files())
            else:
                message = await channel.send(view=page.view(), files=page.files(), nonce=nonce)
        except discord.RateLimited as error:
            log.warning("discord asks to wait %.0f s before user %s is written to", error.retry_after, user)
            return Lost.UNCERTAIN  # it was not sent, and may be repeated as if it was not known
        except NOT_THERE as error:
            log.info("user %s cannot be written to: %s", user, error.code)
            return Lost.UNREACHABLE
        except UNANSWERED as error:
            log.warning("discord did not answer: %s", type(error).__name__)
            return Lost.UNCERTAIN
        except discord.HTTPException as error:
            if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                log.warning("discord did not take a message: %s", error.status)
                return Lost.UNCERTAIN
            log.error("discord refused a message to user %s: %s", user, error.code)
            return Lost.REFUSED
        return message.id

    async def _channel(self, user: int) -> discord.DMChannel:
        return await self._client.create_dm(discord.Object(user))

    async def edit(self, user: int, message: int, page: Page) -> None:
        """Change a message of ours; one that is gone is gone."""
        try:
            channel = await self._channel(user)
            await channel.get_partial_message(message).edit(view=page.view(), attachments=page.files())
        except (discord.HTTPException, discord.RateLimited, *UNANSWERED) as error:
            log.info("message %s could not be changed: %s", message, type(error).__name__)

    async def retire(self, user: int, message: int) -> None:
        """Take the buttons off a message of ours; one that is gone is gone."""
        try:
            channel = await self._channel(user)
            found = await channel.fetch_message(message)
            if (view := without_buttons(found)) is not None:
                await found.edit(view=view, attachments=found.attachments)
        except (discord.HTTPException, discord.RateLimited, *UNANSWERED) as error:
            log.info("the buttons of message %s could not be removed: %s", message, type(error).__name__)
