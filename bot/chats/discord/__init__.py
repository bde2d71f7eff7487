"""Discord: application commands, buttons, menus and forms over discord.py."""

from bot.chats.discord.bot import DiscordBot, name_of

__all__ = ["DiscordBot", "name_of"]
