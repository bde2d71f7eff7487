"""Photos: the pictures of a question go before it, as messages of their own, with the description as caption."""

from __future__ import annotations

from pathlib import Path

from bot.bank import Picture
from bot.chats.telegram.limiter import Urgency
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.text import unlinked
from bot.present import Message


async def send_photos(
    sender: Sender, chat: int, message: Message, root: Path, *, thread: int | None = None, silent: bool = False
) -> bool:
    """Send the pictures of a message, each file once.

    Args:
        sender: Sends.
        chat: Where to.
        message: What is about to be sent.
        root: The bank's root.
        thread: The topic, if there is one.
        silent: Whether nobody's phone makes a sound.

    Returns:
        Whether the text may leave its pictures out. If not, it has to describe them.
    """
    captions: dict[str, list[str]] = {}
    for block in message.head:
        if isinstance(block, Picture):
            captions.setdefault(block.path, []).append(block.alt)
    shown = True
    for path, alts in captions.items():
        caption = unlinked("\n".join(dict.fromkeys(alts)))
        sent = await sender.photo(chat, root / path, caption, thread=thread, silent=silent, urgency=Urgency.QUESTION)
        shown = shown and isinstance(sent, int)
    return shown
