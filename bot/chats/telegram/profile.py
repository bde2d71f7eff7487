"""The bot's profile: commands and descriptions per language, set only where they differ from what Telegram has."""

from __future__ import annotations

import logging
from collections.abc import Callable

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from bot.i18n import DEFAULT, Language, Languages

log = logging.getLogger(__name__)


def commands(t: Language) -> tuple[tuple[str, str], ...]:
    """The commands of a private chat with their descriptions, in the order shown."""
    return (
        ("quiz", t.gettext("choose a quiz")),
        ("resume", t.gettext("show the current question again")),
        ("stop", t.gettext("end the quiz and see the result")),
        ("progress", t.gettext("your progress")),
        ("streak", t.gettext("how many days in a row you have answered")),
        ("top", t.gettext("whether boards show you")),
        ("link", t.gettext("join your accounts on Discord and Telegram")),
        ("unlink", t.gettext("part linked accounts again")),
        ("daily", t.gettext("set up a question every day for a channel or group")),
        ("language", t.gettext("change the language")),
        ("help", t.gettext("what I can do")),
        ("privacy", t.gettext("what is stored, and how to delete it")),
    )


def group_commands(t: Language) -> tuple[tuple[str, str], ...]:
    """The commands of a group for everybody."""
    return (
        ("quiz", t.gettext("a quiz for everybody")),
        ("join", t.gettext("take part")),
        ("leave", t.gettext("take part no longer")),
        ("reveal", t.gettext("reveal the answer")),
        ("next", t.gettext("the next question")),
        ("skip", t.gettext("leave the question out")),
        ("pause", t.gettext("pause the quiz")),
        ("resume", t.gettext("go on, or show the question again")),
        ("stop", t.gettext("end the quiz and see the board")),
        ("top", t.gettext("who has the most points here")),
        ("streak", t.gettext("how many days in a row you have answered")),
        ("help", t.gettext("what can be done here")),
    )


def moderators_commands(t: Language) -> tuple[tuple[str, str], ...]:
    """The commands of a group for its moderators."""
    more = (
        ("daily", t.gettext("a question every day")),
        ("language", t.gettext("change the language here")),
    )
    return (*more, *group_commands(t))


SCOPES: tuple[tuple[BotCommandScope, Callable[[Language], tuple[tuple[str, str], ...]]], ...] = (
    (BotCommandScopeAllPrivateChats(), commands),
    (BotCommandScopeAllGroupChats(), group_commands),
    (BotCommandScopeAllChatAdministrators(), moderators_commands),
)
"""Who is offered which commands."""


async def publish(bot: Bot, languages: Languages) -> None:
    """Bring the profile up to date in every language; the default one is English.

    Raises:
        TelegramError: Telegram refused or did not answer; the bot works without it.
    """
    for tag in languages.tags:
        t, code = languages[tag], None if tag == DEFAULT else tag
        await _commands(bot, t, code)
        about = t.gettext(
            "I ask questions one at a time, explain every answer and remember where you stopped. Press Start to begin."
        )
        if (await bot.get_my_description(language_code=code)).description != about:
            await bot.set_my_description(about, language_code=code)
        short = t.gettext("A tutor: one question at a time, every answer explained.")
        if (await bot.get_my_short_description(language_code=code)).short_description != short:
            await bot.set_my_short_description(short, language_code=code)


async def _commands(bot: Bot, t: Language, code: str | None) -> None:
    for scope, offered in SCOPES:
        wanted = [BotCommand(name, about) for name, about in offered(t)]
        if list(await bot.get_my_commands(scope=scope, language_code=code)) != wanted:
            await bot.set_my_commands(wanted, scope=scope, language_code=code)
            log.info("commands for %s in %s brought up to date", scope.type, t.tag)
