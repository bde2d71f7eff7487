"""Telegram: private chats over the Bot API."""

from bot.chats.telegram.bot import TelegramBot, Webhook, bot_of
from bot.chats.telegram.receiving import TwoPollersError

__all__ = ["TelegramBot", "TwoPollersError", "Webhook", "bot_of"]
