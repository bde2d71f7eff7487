"""Moderators: who may administer a group or channel, remembered for a minute at most."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from telegram import ChatMember, ChatMemberAdministrator, ChatMemberOwner

from bot.chats.telegram.sending import Sender

FRESH = timedelta(seconds=60)
"""How long it is remembered who administers a chat. Chosen by us."""

CHATS = 5000
"""Chats of which it is remembered. Chosen by us: about 2 MB."""

NOBODY = frozenset({1087968824, 136817688, 777000})
"""Accounts that stand for many: anonymous administrators, chats that write, Telegram itself.
Source: python-telegram-bot 22.8, `telegram.constants.ChatID`."""


@dataclass(frozen=True, slots=True)
class Admins:
    """Who administers a chat."""

    moderators: frozenset[int] = frozenset()
    """Accounts: in a channel only who may post."""
    anonymous: frozenset[int] = frozenset()
    """Accounts of those who act in the name of the chat."""
    may_post: bool = True
    """Whether we may post there, as far as the list tells: in a channel, only administrators may."""
    may_pin: bool = False


class Moderators:
    """Looks up who administers a chat."""

    def __init__(self, sender: Sender, now: Callable[[], datetime]) -> None:
        self._sender, self._now = sender, now
        self._known: dict[int, tuple[datetime, asyncio.Future[Admins]]] = {}

    async def of(self, chat: int, *, channel: bool = False, anew: bool = False) -> Admins:
        """Who administers a chat; nobody if Telegram does not say.

        Args:
            chat: A group or channel.
            channel: Which of the two it is.
            anew: Whether what is remembered does not do.
        """
        known = self._known.pop(chat, None)
        if known is None or anew or not timedelta(0) <= self._now() - known[0] < FRESH:
            known = self._now(), asyncio.ensure_future(self._ask(chat, channel=channel))
        self._known[chat] = known
        if len(self._known) > CHATS:
            del self._known[next(iter(self._known))]
        return await asyncio.shield(known[1])

    def forget(self, chat: int) -> None:
        """What is remembered of a chat is out of date."""
        self._known.pop(chat, None)

    async def _ask(self, chat: int, *, channel: bool) -> Admins:
        members = await self._sender.administrators(chat)
        if members is None:
            self._known.pop(chat, None)
            return Admins(may_post=False)
        people = [member for member in members if not member.user.is_bot and (not channel or _may_post(member))]
        me = next((member for member in members if member.user.id == self._sender.me), None)
        return Admins(
            frozenset(member.user.id for member in people),
            frozenset(member.user.id for member in people if getattr(member, "is_anonymous", False) and not channel),
            may_post=not channel or (me is not None and _may_post(me)),
            may_pin=me is not None and _may_pin(me, channel=channel),
        )


def _may_post(member: ChatMember) -> bool:
    return isinstance(member, ChatMemberOwner) or (
        isinstance(member, ChatMemberAdministrator) and bool(member.can_post_messages)
    )


def _may_pin(member: ChatMember, *, channel: bool) -> bool:
    if isinstance(member, ChatMemberOwner):
        return True
    right = "can_edit_messages" if channel else "can_pin_messages"
    return isinstance(member, ChatMemberAdministrator) and bool(getattr(member, right))
