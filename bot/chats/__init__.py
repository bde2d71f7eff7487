"""Chats: adapters that turn a platform's updates into commands, and messages into the platform's calls."""
