"""The rules of a group quiz in words, before and when it begins."""

from __future__ import annotations

from bot.bank import Quiz, Rich, Span
from bot.i18n import Language
from bot.present.question import line
from bot.present.talk import titled


def rules(t: Language, quiz: Quiz, length: int, pace: str, *, joined: bool, final: bool) -> Rich:
    """How a group quiz will be run.

    Args:
        t: The language of the place.
        quiz: Which quiz.
        length: Questions at most; 0 asks them all.
        pace: `h`, the host reveals; `a`, when all have answered; else seconds per question.
        joined: Whether only those who joined may answer.
        final: Whether answers may not change.
    """
    rows = (length_words(t, length), pace_words(t, pace), joining(t, joined=joined), changing(t, final=final))
    return (line(Span(titled(quiz.title, t), bold=True)), line("\n".join(rows)))


def length_words(t: Language, length: int) -> str:
    """How many questions."""
    return t.ngettext("At most {n} question", "At most {n} questions", length) if length else t.gettext("All questions")


def pace_words(t: Language, pace: str) -> str:
    """Who moves the quiz on."""
    match pace:
        case "h":
            return t.gettext("The host reveals the answers")
        case "a":
            return t.gettext("Reveal when all have answered")
        case _:
            return t.ngettext("{n} second per question", "{n} seconds per question", int(pace))


def joining(t: Language, *, joined: bool) -> str:
    """Who may answer."""
    return t.gettext("Only those who joined may answer") if joined else t.gettext("Everybody may answer")


def changing(t: Language, *, final: bool) -> str:
    """Whether answers may change."""
    return t.gettext("Answers are final") if final else t.gettext("Answers may change until the reveal")


def asking(t: Language, *, polls: bool) -> str:
    """How questions are asked, where a platform has polls."""
    return t.gettext("Questions as polls where possible") if polls else t.gettext("Questions with buttons")
