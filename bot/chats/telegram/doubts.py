"""Doubts: posts of shared places of which nobody knows whether they have arrived.

Whoever answers for one is told in a post of its own, demanded in the commit that finds the doubt, so that a program
which is killed again tells it all the same. Being told twice does no harm.
"""

from __future__ import annotations

from datetime import datetime

from telegram import InlineKeyboardMarkup

from bot.chats.dailies import AGAIN
from bot.chats.many import GROUP
from bot.chats.payload import Pick
from bot.chats.telegram.keyboard import menu
from bot.chats.telegram.receiving import PLATFORM
from bot.i18n import Language
from bot.store import Post, Tx
from bot.tutor import QUESTION, REVEAL, SUMMARY
from bot.tutor.daily import NOTICE


def doubt(tx: Tx, post: Post, at: datetime) -> None:
    """Have whoever answers for an uncertain post told: a daily question's moderator in private, else the place."""
    if is_doubt(post):
        tx.posts.again(post.id)
        return
    session = tx.session(post.session) if post.session is not None else None
    if session is None or post.kind not in (QUESTION, REVEAL, SUMMARY):
        return
    daily = tx.dailies.of_session(session.id)
    answering = daily.moderator if daily is not None else session.host
    private = tx.private_place(answering, PLATFORM) if session.slot != GROUP else None
    payload = {"news": AGAIN, "post": str(post.id), "place": str(post.place)}
    tx.posts.demand(private or post.place, NOTICE, at, payload=payload)


def is_doubt(post: Post) -> bool:
    """Whether a post tells of a doubt."""
    return post.kind == NOTICE and post.payload.get("news") == AGAIN


def resend(post: Post, t: Language) -> InlineKeyboardMarkup | None:
    """The one button below what tells of a doubt; None below anything else."""
    if not is_doubt(post):
        return None
    return menu([(t.gettext("Send again"), Pick("resend", (post.payload["post"],)))])
