"""`kontrolka run`: serve the platforms whose tokens are set."""

from __future__ import annotations

import click

from bot.i18n import Language
from bot.settings import Settings


def serve(settings: Settings, t: Language) -> int:
    """Serve until stopped.

    Returns:
        2 if there is no token.
    """
    if not settings.telegram_token and not settings.discord_token:
        click.echo(
            t.gettext(
                "No token is set, so there is no platform to serve.\n"
                "Without any account: kontrolka play\n"
                "Telegram: ask @BotFather for a token (/newbot) and set TELEGRAM_TOKEN.\n"
                "Discord: make an application in the developer portal, copy the token of its bot and set DISCORD_TOKEN."
            ),
            err=True,
        )
        return 2
    click.echo(t.gettext("This version serves the terminal only: kontrolka play"), err=True)
    return 2
