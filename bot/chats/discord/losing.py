"""Losing: a channel, a thread or a server is gone. Its open sessions stand still, and each person is told once."""

from __future__ import annotations

import discord

from bot.chats.context import Context
from bot.chats.discord.layout import of_words
from bot.chats.discord.sending import Sender
from bot.chats.discord.who import PLATFORM
from bot.chats.posts import unreachable
from bot.chats.standing import stand_still
from bot.i18n import Language
from bot.present import line
from bot.quiz import Pause
from bot.store import Tx
from bot.tutor import act


class Losing:
    """Sees to what is left behind in places that are gone."""

    def __init__(self, context: Context, sender: Sender) -> None:
        self._context, self._sender = context, sender

    async def lose(self, channel: discord.abc.GuildChannel | discord.Thread, why: str = "gone") -> None:
        """A channel with its threads, or one thread, is gone.

        Args:
            channel: What is gone.
            why: `gone`, or `kicked` if we are no longer in the server.
        """
        if isinstance(channel, discord.Thread):
            await self.lose_address(str(channel.parent_id), str(channel.id), why)
        else:
            await self.lose_address(str(channel.id), None, why)

    async def lose_address(self, chat: str, thread: str | None, why: str = "gone") -> None:
        """A place is gone.

        Args:
            chat: The channel.
            thread: The thread in it; None for all of them and the channel itself.
            why: As for `lose`.
        """
        context, at = self._context, self._context.now()

        def work(tx: Tx) -> list[tuple[int, Language]]:
            hosts: list[tuple[int, Language]] = []
            for place in tx.places_at(PLATFORM, chat):
                if place.unreachable_at is not None or thread not in (None, place.thread):
                    continue
                stand_still(tx, context.bank, place.id, why, at)
                unreachable(tx, place.id, at)
                for session in tx.open_sessions(place.id):
                    if not session.policy.solo:
                        continue
                    act(tx, context.bank, session.id, Pause(by=None, at=at))
                    learner = tx.learner(session.host)
                    t = context.languages.negotiate(learner.locale if learner else None, *session.locales)
                    accounts = tx.accounts_of(session.host)
                    hosts += [(int(account), t) for platform, account in accounts if platform == PLATFORM]
            return hosts

        for user, t in dict(await context.store.run(work)).items():
            words = t.gettext(
                "I no longer have access to the channel where your quiz was open, so the quiz is on hold. Your answers "
                "are saved. To start a quiz here: /quiz start"
            )
            await self._sender.send(user, of_words((line(words),)))
