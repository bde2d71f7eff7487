"""The bot as a process of its own: what `kontrolka run` does for one platform, with the settings of the environment."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from bot import log as logs
from bot.app import opened, tick
from bot.chats.discord import DiscordBot
from bot.settings import Settings


async def main() -> int:
    settings = Settings.from_env(os.environ)
    logs.set_up(secrets=(settings.discord_token,))
    assert settings.discord_token is not None
    async with opened(settings) as context:
        bot = DiscordBot(context, settings.discord_token, api=settings.discord_api_url)
        served = asyncio.create_task(bot.run())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, served.cancel)
        clock = asyncio.create_task(tick(context, bot.deliver))
        try:
            await served
        except asyncio.CancelledError:
            return 0
        finally:
            clock.cancel()
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
