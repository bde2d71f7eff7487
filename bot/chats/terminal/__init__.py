"""The terminal: the tutor for one person, without any account."""

from bot.chats.terminal.dialogue import Dialogue
from bot.chats.terminal.keyboard import Event, Keyboard, Line
from bot.chats.terminal.page import WIDTH, page

__all__ = ["WIDTH", "Dialogue", "Event", "Keyboard", "Line", "page"]
