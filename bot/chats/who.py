"""Who is there: the learner, the place and the language behind an update."""

from __future__ import annotations

from dataclasses import dataclass

from bot.i18n import Language


@dataclass(frozen=True, slots=True)
class Who:
    """A person who is alone with the tutor."""

    learner: int
    place: int
    chat: int
    """The platform's id of what is written to: the chat, or where the platform opens private chats itself, the
    person."""
    t: Language
