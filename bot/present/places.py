"""What is said in a group or channel besides questions: hello, help, and why something is not for everybody."""

from __future__ import annotations

from bot.bank import Rich
from bot.i18n import Language
from bot.present.talk import paragraphs


def hello(t: Language) -> Rich:
    """The first words to a group."""
    return paragraphs(
        t.gettext(
            "Hello! I ask this group questions and explain the answers.\n\n"
            "/quiz — a quiz for everybody\n"
            "/daily — a question every day (for moderators)\n"
            "/help — what else there is"
        )
    )


def group_help(t: Language) -> Rich:
    """What can be done in a group."""
    return paragraphs(
        t.gettext(
            "Answer with the buttons: only you see whether you were right.\n\n"
            "/quiz — a quiz for everybody\n"
            "/join, /leave — take part, or no longer\n"
            "/next, /reveal, /skip, /pause, /resume, /stop — for the host and moderators\n"
            "/top, /streak — who leads here, and how many days in a row you have answered\n"
            "/daily, /language — for moderators\n\n"
            "I read only commands, presses and replies to me."
        )
    )


def not_scored(t: Language) -> str:
    """Why somebody who acts in the name of a chat gets no points; at most 200 characters."""
    return t.gettext(
        "Anonymous administrators and channels are not scored: nobody could tell whose answer it is. Answer in your "
        "own name."
    )
