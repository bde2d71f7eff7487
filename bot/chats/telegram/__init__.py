"""Telegram over python-telegram-bot: private chats, groups, topics and channels."""
