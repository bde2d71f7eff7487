"""The bot's profile: commands and descriptions per language, set only where they differ from what Telegram has."""

from __future__ import annotations

import logging

from telegram import Bot, BotCommand, BotCommandScopeAllPrivateChats

from bot.i18n import DEFAULT, Language, Languages

log = logging.getLogger(__name__)


def commands(t: Language) -> tuple[tuple[str, str], ...]:
    """The commands of a private chat with their descriptions, in the order shown."""
    return (
        ("quiz", t.gettext("choose a quiz")),
        ("resume", t.gettext("show the present question again")),
        ("stop", t.gettext("end the quiz and see the result")),
        ("progress", t.gettext("how far you have come")),
        ("language", t.gettext("change the language")),
        ("help", t.gettext("what I can do")),
        ("privacy", t.gettext("what is stored, and how to delete it")),
    )


async def publish(bot: Bot, languages: Languages) -> None:
    """Bring the profile up to date in every language; the default one is English.

    Raises:
        TelegramError: Telegram refused or did not answer; the bot works without it.
    """
    for tag in languages.tags:
        t, code = languages[tag], None if tag == DEFAULT else tag
        await _commands(bot, t, code)
        about = t.gettext(
            "I ask questions one at a time, explain every answer and keep your place. Press Start, and we begin."
        )
        if (await bot.get_my_description(language_code=code)).description != about:
            await bot.set_my_description(about, language_code=code)
        short = t.gettext("A tutor: one question at a time, every answer explained.")
        if (await bot.get_my_short_description(language_code=code)).short_description != short:
            await bot.set_my_short_description(short, language_code=code)


async def _commands(bot: Bot, t: Language, code: str | None) -> None:
    wanted = [BotCommand(name, about) for name, about in commands(t)]
    scope = BotCommandScopeAllPrivateChats()
    if list(await bot.get_my_commands(scope=scope, language_code=code)) != wanted:
        await bot.set_my_commands(wanted, scope=scope, language_code=code)
        log.info("commands in %s brought up to date", t.tag)
