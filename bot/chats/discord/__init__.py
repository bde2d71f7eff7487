"""Discord: application commands, buttons, menus and forms over discord.py."""

from bot.chats.discord.bot import DiscordBot

__all__ = ["DiscordBot"]
