"""The terminal: the tutor for one person, without any account."""

from bot.chats.terminal.dialogue import PLATFORM, Dialogue
from bot.chats.terminal.keyboard import Event, Keyboard, Line
from bot.chats.terminal.page import WIDTH, page
from bot.chats.terminal.wanted import Wanted

__all__ = ["PLATFORM", "WIDTH", "Dialogue", "Event", "Keyboard", "Line", "Wanted", "page"]
