"""Notices and refusals: what happened in passing, and why nothing happened."""

from __future__ import annotations

from typing import assert_never

from bot.i18n import Language
from bot.present.question import short_answer
from bot.quiz import News, Reason, Refuse, Session


def refusal(session: Session, refuse: Refuse, t: Language) -> str:
    """Why a command changed nothing, with what is recorded, in at most 200 characters of one line.

    Source of the limit: Telegram Bot API, answerCallbackQuery.text.
    """
    recorded = ""
    if refuse.recorded is not None and not refuse.recorded.response.skipped:
        recorded = short_answer(session.plan[refuse.recorded.position], refuse.recorded)
    return _fitted(_reason(t, refuse.reason, recorded))


def _fitted(text: str) -> str:
    """A long typed answer is the only part of a refusal that can be long."""
    return text if len(text) <= 200 else text[:199] + "…"


def _reason(t: Language, reason: Reason, recorded: str) -> str:
    match reason:
        case Reason.STALE | Reason.ALREADY | Reason.SAME:
            return _standing(t, reason, recorded)
        case Reason.CLOSED:
            return t.gettext("This quiz is over.")
        case Reason.LATE:
            return t.gettext("Too late: the time for this question is over.")
        case Reason.PAUSED:
            return t.gettext("The quiz is paused.")
        case Reason.NOT_PAUSED:
            return t.gettext("The quiz is not paused.")
        case Reason.NOT_YOURS:
            return t.gettext("This is somebody else's quiz. Start your own.")
        case Reason.NOT_ALLOWED:
            return t.gettext("Only the host or a moderator can do that.")
        case Reason.NOT_JOINED:
            return t.gettext("You are not taking part. Join first.")
        case Reason.ALREADY_JOINED:
            return t.gettext("You are taking part already.")
        case Reason.NOT_NOW | Reason.NOT_DUE:
            return t.gettext("That is not possible right now.")
        case Reason.UNANSWERED:
            return t.gettext("Answer this question or skip it first.")
        case Reason.NOT_REVEALED:
            return t.gettext("Reveal the answer first.")
        case Reason.UNKNOWN_OPTION:
            return t.gettext("There is no such option here.")
        case Reason.NOTHING_CHOSEN:
            return t.gettext("Choose at least one option first.")
        case Reason.NOT_A_NUMBER:
            return t.gettext("Please type a number without a unit, for example 3 or 2.5.")
        case Reason.GONE:
            return t.gettext("This question was withdrawn and does not count.")
        case _:
            assert_never(reason)


def _standing(t: Language, reason: Reason, recorded: str) -> str:
    """Refusals that say what stands; nothing recorded means that the item was skipped or never answered."""
    if reason is Reason.STALE and recorded:
        return t.gettext("You have moved on from this question. Your answer: {answer}.", answer=recorded)
    if reason is Reason.STALE:
        return t.gettext("The quiz has moved on from this question.")
    if recorded:
        return t.gettext("Already recorded: {answer}.", answer=recorded)
    return t.gettext("This question has already been skipped.")


def notice(news: News, t: Language, *, name: str = "", count: int = 1) -> str:
    """Something the people of a session are told in passing.

    Args:
        news: What happened.
        t: The language it is told in.
        name: Who joined or left.
        count: How many items were withdrawn.
    """
    match news:
        case News.TIME_UP:
            return t.gettext("Time is up for this question.")
        case News.SESSION_TIME_UP:
            return t.gettext("Time is up.")
        case News.GONE:
            return t.ngettext(
                "{n} question was withdrawn in the meantime and does not count.",
                "{n} questions were withdrawn in the meantime and do not count.",
                count,
            )
        case News.DROPPED:
            return t.gettext("The question was skipped and does not count.")
        case News.PAUSED:
            return t.gettext("The quiz is paused.")
        case News.RESUMED:
            return t.gettext("The quiz continues.")
        case News.JOINED:
            return t.gettext("{name} has joined the quiz.", name=name)
        case News.LEFT:
            return t.gettext("{name} has left the quiz.", name=name)
        case _:
            assert_never(news)
