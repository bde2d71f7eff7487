"""`kontrolka check --online`: what the platforms say about our tokens and how the bots are set up there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.i18n import Language
from bot.settings import Settings

if TYPE_CHECKING:
    from telegram import WebhookInfo


def telegram(settings: Settings, t: Language) -> tuple[bool, str]:
    """Ask Telegram who we are and what is set up; nothing is changed there.

    Returns:
        Whether everything is right, and what was found, a line each.
    """
    if not settings.telegram_token:
        return True, t.gettext("off, no token")
    return asyncio.run(_telegram(settings, settings.telegram_token, t))


async def _telegram(settings: Settings, token: str, t: Language) -> tuple[bool, str]:
    from telegram.error import InvalidToken, TelegramError

    from bot.chats.telegram import bot_of

    try:
        async with bot_of(token, settings.telegram_api_url) as bot:
            me, webhook = await bot.get_me(), await bot.get_webhook_info()
    except InvalidToken:
        return False, t.gettext(
            "Telegram does not accept this token: copy it again from BotFather into TELEGRAM_TOKEN."
        )
    except TelegramError as error:
        return False, t.gettext(
            "Telegram did not answer: {error}. Check the network, and TELEGRAM_API_URL if it is set.",
            error=error.message,
        )
    lines = [f"@{me.username}"]
    lines.append(
        t.gettext(
            "It reads every message in groups; commands and replies are enough. To limit it: BotFather, /setprivacy, "
            "Enable."
        )
        if me.can_read_all_group_messages
        else t.gettext("In groups it reads only commands and replies, which is enough.")
    )
    if me.can_join_groups is False:
        lines.append(t.gettext("It cannot be added to groups. To allow it: BotFather, /setjoingroups, Enable."))
    good, words = _delivery(settings.telegram_webhook_url, webhook, t)
    return good, "\n".join((*lines, *words))


def discord(settings: Settings, t: Language) -> tuple[bool, str]:
    """Ask Discord who we are; nothing is changed there.

    Returns:
        Whether everything is right, and what was found.
    """
    if not settings.discord_token:
        return True, t.gettext("off, no token")
    return asyncio.run(_discord(settings.discord_token, settings.discord_api_url, t))


async def _discord(token: str, api: str | None, t: Language) -> tuple[bool, str]:
    from aiohttp import ClientError
    from discord import HTTPException, LoginFailure

    from bot.chats.discord import name_of

    try:
        return True, f"@{await name_of(token, api)}"
    except LoginFailure:
        return False, t.gettext(
            "Discord does not accept this token: copy it again from the developer portal into DISCORD_TOKEN."
        )
    except (HTTPException, ClientError, OSError) as error:
        return False, t.gettext(
            "Discord did not answer: {error}. Check the network, and DISCORD_API_URL if it is set.",
            error=type(error).__name__,
        )


def _delivery(wanted: str | None, webhook: WebhookInfo, t: Language) -> tuple[bool, list[str]]:
    """How updates reach us, and whether they do."""
    found, words, good = webhook.url, [], True
    if found and not wanted:
        words.append(t.gettext("A webhook is set to {url}; the next start removes it and fetches updates.", url=found))
    elif wanted and found != wanted:
        words.append(t.gettext("The webhook is not set yet; the next start sets it to {url}.", url=wanted))
    else:
        words.append(t.gettext("Updates come by webhook.") if found else t.gettext("Updates are fetched."))
    if found and webhook.last_error_message:
        good = False
        words.append(
            t.gettext(
                "Telegram cannot deliver to {url}: {error}. Check the address, the certificate and the proxy in front "
                "of it.",
                url=found,
                error=webhook.last_error_message,
            )
        )
    if webhook.pending_update_count:
        words.append(
            t.ngettext(
                "{n} update waits there; it will be processed at the next start.",
                "{n} updates wait there; they will be processed at the next start.",
                webhook.pending_update_count,
            )
        )
    return good, words
