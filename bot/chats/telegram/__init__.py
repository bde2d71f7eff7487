"""Telegram: private chats over the Bot API."""

from bot.chats.telegram.bot import TelegramBot, Webhook
from bot.chats.telegram.receiving import TwoPollersError

__all__ = ["TelegramBot", "TwoPollersError", "Webhook"]
