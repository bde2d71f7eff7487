"""Channels: calls to Discord about channels, threads and forum posts, and what became of them.

An address is all that is needed: nothing has to be fetched or remembered before a call. What Discord refuses is not
repeated: ten thousand invalid requests in ten minutes end in a ban.
Source: Discord developer reference, Rate limits, invalid request limit.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus

import discord

from bot.chats.discord.layout import Page, without_buttons
from bot.chats.discord.sending import UNANSWERED
from bot.store import Place

log = logging.getLogger(__name__)

NOBODY = discord.AllowedMentions.none()
"""Said with every edit: the client's own default covers only what is new."""


class Trouble(Enum):
    """Why a call did nothing, or may have done nothing."""

    UNCERTAIN = "uncertain"
    """Nobody knows whether Discord has taken it."""
    NOT_NOW = "not now"
    """Discord did not take it, and may later."""
    REFUSED = "refused"
    """Discord will not have it; the log says why."""
    AGED = "aged"
    """A message older than an hour was changed too often."""
    NO_MESSAGE = "no message"
    """The message is no more."""
    RIGHTS = "rights"
    """We may not do that in this channel."""
    ARCHIVED = "archived"
    """The thread is archived or locked."""
    GONE = "gone"
    """The channel or thread is no more."""
    KICKED = "kicked"
    """The server is no more, or we are not in it."""


WHY = {
    Trouble.RIGHTS: "rights",
    Trouble.ARCHIVED: "archived",
    Trouble.GONE: "gone",
    Trouble.KICKED: "kicked",
}
"""Trouble with the place itself, in the words of the panel."""

_CODES = {
    10003: Trouble.GONE,
    10004: Trouble.KICKED,
    10008: Trouble.NO_MESSAGE,
    30046: Trouble.AGED,
    50083: Trouble.ARCHIVED,
    160005: Trouble.ARCHIVED,
}
"""Source: Discord developer reference, Opcodes and status codes, 2026-11."""

_STATUSES: dict[int, Trouble] = {
    HTTPStatus.FORBIDDEN: Trouble.RIGHTS,
    HTTPStatus.NOT_FOUND: Trouble.GONE,
    HTTPStatus.TOO_MANY_REQUESTS: Trouble.NOT_NOW,
}


def channel_of(place: Place) -> int:
    """Discord's id of the channel or thread of a place."""
    return int(place.thread or place.chat)


@dataclass(frozen=True, slots=True)
class How:
    """How pages are sent."""

    nonce: str | None = None
    """At most 20 characters; of messages with the same nonce within a few minutes only one arrives."""
    silent: bool = False
    reply_to: int | None = None


class Channels:
    """Writes where many read."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send(self, channel: int, pages: Sequence[Page], how: How | None = None) -> int | Trouble:
        """Send all pages of a message.

        Args:
            channel: A channel or thread.
            pages: In order, at least one.
            how: Nonce, sound and what it answers.

        Returns:
            The id of the last message, or why there is none.
        """
        how = how or How()
        sent: int | Trouble = Trouble.REFUSED
        for i, page in enumerate(pages):
            sent = await self._page(channel, page, how, i)
            if isinstance(sent, Trouble):
                break
        return sent

    async def _page(self, channel: int, page: Page, how: How, number: int) -> int | Trouble:
        there = self._client.get_partial_messageable(channel)
        given: dict[str, object] = {}
        if how.nonce is not None:
            given["nonce"] = f"{how.nonce}-{number}"
        if how.reply_to is not None:
            given["reference"] = discord.MessageReference(
                message_id=how.reply_to, channel_id=channel, fail_if_not_exists=False
            )
        try:
            message = await there.send(view=page.view(), files=page.files(), silent=how.silent, **given)  # type: ignore[call-overload]
        except (discord.HTTPException, discord.RateLimited, *UNANSWERED) as error:
            return _trouble(error, f"a message to channel {channel}")
        return int(message.id)

    async def edit(self, channel: int, message: int, page: Page) -> Trouble | None:
        """Change a message of ours.

        Returns:
            Why it was not changed; None if it was.
        """
        found = self._client.get_partial_messageable(channel).get_partial_message(message)
        try:
            await found.edit(view=page.view(), attachments=page.files(), allowed_mentions=NOBODY)
        except discord.RateLimited as error:
            log.info("message %s may be changed in %.0f s", message, error.retry_after)
            return Trouble.AGED
        except (discord.HTTPException, *UNANSWERED) as error:
            return _trouble(error, f"a change of message {message}")
        return None

    async def retire(self, channel: int, message: int) -> Trouble | None:
        """Take the buttons off a message of ours, which keeps its words.

        Returns:
            Why it keeps them; None if it has none any more.
        """
        try:
            found = await self._client.get_partial_messageable(channel).fetch_message(message)
            if (view := without_buttons(found)) is not None:
                await found.edit(view=view, attachments=found.attachments, allowed_mentions=NOBODY)
        except (discord.HTTPException, discord.RateLimited, *UNANSWERED) as error:
            return _trouble(error, f"a change of message {message}")
        return None

    async def pin(self, channel: int, message: int, *, instead_of: int | None) -> bool:
        """Pin a message and unpin another.

        Returns:
            Whether it is pinned.
        """
        there = self._client.get_partial_messageable(channel)
        try:
            await there.get_partial_message(message).pin()
        except (discord.HTTPException, discord.RateLimited, *UNANSWERED) as error:
            _trouble(error, f"a pin in channel {channel}")
            return False
        if instead_of is not None:
            try:
                await there.get_partial_message(instead_of).unpin()
            except (discord.HTTPException, discord.RateLimited, *UNANSWERED) as error:
                _trouble(error, f"the end of a pin in channel {channel}")
        return True

    async def open_thread(self, channel: discord.TextChannel, name: str) -> int | Trouble:
        """Open a public thread.

        Args:
            channel: Where.
            name: What it is called; 1 to 100 characters.

        Returns:
            Its id, or why there is none.
        """
        kind = discord.ChannelType.news_thread if channel.is_news() else discord.ChannelType.public_thread
        try:
            thread = await channel.create_thread(name=name, type=kind)
        except (discord.HTTPException, discord.RateLimited, *UNANSWERED) as error:
            return _trouble(error, f"a thread in channel {channel.id}")
        return thread.id


def _trouble(error: Exception, what: str) -> Trouble:
    """What an error means; the log says it too."""
    if isinstance(error, discord.RateLimited):
        log.warning("discord asks to wait %.0f s with %s", error.retry_after, what)
        return Trouble.NOT_NOW
    if not isinstance(error, discord.HTTPException):
        log.warning("discord did not answer: %s with %s", type(error).__name__, what)
        return Trouble.UNCERTAIN
    log.warning("discord refused %s: %s %s", what, error.status, error.code)
    if error.code in _CODES:
        return _CODES[error.code]
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Trouble.UNCERTAIN
    return _STATUSES.get(error.status, Trouble.REFUSED)
