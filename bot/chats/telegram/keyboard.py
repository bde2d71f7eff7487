"""Keyboards: choices and actions become rows of buttons.

A button's label has no documented limit; what is longer than fits a phone's width is cut off by the client, so options
stand in the message and the buttons carry letters, except where every option is short.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.constants import KeyboardButtonStyle

from bot.chats.payload import Pick, Tap
from bot.present import Action, Choice, Message, Verb

ROW = 4
"""Letters in one row. Chosen by us; Telegram shows at most 8."""

WIDE = 34
"""Characters of actions that share a row. Chosen by us: about the width of a phone."""


def keyboard(message: Message) -> InlineKeyboardMarkup | None:
    """The buttons of a message; None if it has none."""
    rows: list[list[InlineKeyboardButton]] = []
    if message.choices and any(choice.right is None for choice in message.choices):
        buttons = [_letter(message, choice) for choice in message.choices]
        rows += [buttons[i : i + ROW] for i in range(0, len(buttons), ROW)]
    rows += _rows((_action(message, action), action.words) for action in message.actions)
    return InlineKeyboardMarkup(rows) if rows else None


def menu(choices: Sequence[tuple[str, Pick | Tap]], *, primary: int | None = None) -> InlineKeyboardMarkup:
    """Buttons of a menu, packed into rows by their width.

    Args:
        choices: Words and what they pick, in order.
        primary: Which one most people will want.
    """
    return InlineKeyboardMarkup(
        _rows((_button(words, str(pick), primary=i == primary), words) for i, (words, pick) in enumerate(choices))
    )


def _letter(message: Message, choice: Choice) -> InlineKeyboardButton:
    verb = Verb.SELECT if message.several else Verb.ANSWER
    words = f"✓ {choice.letter}" if choice.chosen else choice.letter
    return _button(words, str(Tap(message.session, message.position, verb, choice.id)))


def _action(message: Message, action: Action) -> InlineKeyboardButton:
    return _button(action.words, str(Tap(message.session, message.position, action.verb)), primary=action.primary)


def _button(words: str, payload: str, *, primary: bool = False) -> InlineKeyboardButton:
    style = KeyboardButtonStyle.PRIMARY if primary else None
    return InlineKeyboardButton(words, callback_data=payload, style=style)


def _rows(buttons: Iterable[tuple[InlineKeyboardButton, str]]) -> list[list[InlineKeyboardButton]]:
    rows: list[list[InlineKeyboardButton]] = []
    width = WIDE + 1
    for button, words in buttons:
        if width + len(words) > WIDE or len(rows[-1]) == ROW:
            rows.append([])
            width = 0
        rows[-1].append(button)
        width += len(words)
    return rows
