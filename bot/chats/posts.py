"""Posts of private chats: what a message that is due to leave says, and what follows when it has left or was lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from bot.bank import Bank
from bot.chats.dailies import news_of
from bot.i18n import Language
from bot.present import Message, question, summary
from bot.quiz import Opened, Session
from bot.store import Post, PostState, Tx
from bot.tutor import QUESTION, SUMMARY, act, results, standing
from bot.tutor.daily import NOTICE

REPORT = "report"
"""Asks what is wrong with an item; a reply to it is added to the report."""


def says(tx: Tx, bank: Bank, post: Post, t: Language, at: datetime) -> Message | None:
    """What a post says now.

    Args:
        tx: Where its session is looked up.
        bank: Where the words come from.
        post: A question or a summary of a solo session, or a notice.
        t: The language of its reader.
        at: Now, UTC.

    Returns:
        The message; None if its moment has passed.
    """
    if post.kind == NOTICE:
        return news_of(tx, post, t)
    session = tx.session(post.session) if post.session is not None else None
    if session is None:
        return None
    if post.kind == SUMMARY:
        return summary(session, results(tx, session, session.host), bank, t)
    if session.closed or session.position != post.position or session.item not in bank.entries:
        return None
    chosen, recorded = standing(tx, bank, session, at)
    left = None if session.ends_at is None else max(session.ends_at - at, timedelta(0))
    return question(session, session.position, bank, (t,), chosen=chosen, standing=recorded, left=left)


def arrived(tx: Tx, bank: Bank, post: Post, message: int, at: datetime) -> None:
    """A post was sent: its message is remembered, and the clock of its question starts."""
    tx.posts.sent(post.id, str(message), at)
    if post.kind == QUESTION and post.session is not None and post.position is not None:
        act(tx, bank, post.session, Opened(by=None, position=post.position, at=at))


def prove(tx: Tx, place: int, session: str, position: int, message: int, at: datetime) -> None:
    """A press on a message proves that it was sent, and when it was not known, which one it is."""
    if tx.posts.by_message(place, str(message)) is not None:
        return
    for post in reversed(tx.posts.of_session(session, position)):
        if post.message is None and post.state in (PostState.SENDING, PostState.UNCERTAIN):
            tx.posts.sent(post.id, str(message), at)
            return


def messages_of(tx: Tx, session: Session, position: int) -> tuple[int, ...]:
    """The messages that carry the question of a position, oldest first."""
    posts = tx.posts.of_session(session.id, position)
    return tuple(int(post.message) for post in posts if post.message is not None and post.kind == QUESTION)


def unreachable(tx: Tx, place: int, at: datetime) -> None:
    """Remember since when nothing can be sent to a place."""
    known = tx.place(place)
    if known is not None and known.unreachable_at is None:
        tx.set_place(replace(known, unreachable_at=at))
