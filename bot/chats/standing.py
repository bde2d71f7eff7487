"""Standing still: a shared place cannot be posted to any longer, so what runs there waits for somebody to mend it."""

from __future__ import annotations

from datetime import datetime

from bot.bank import Bank
from bot.chats.many import GROUP
from bot.quiz import Pause
from bot.store import PostState, Tx
from bot.tutor import act
from bot.tutor.daily import NOTICE, break_place


def stand_still(tx: Tx, bank: Bank, place: int, why: str, at: datetime) -> None:
    """Have daily questions and the quiz of a place stand still; whoever answers for them is told once, in private.

    Args:
        tx: The transaction.
        bank: Where items come from.
        place: Which place.
        why: `kicked`, `rights`, `gone`, `closed` or `archived`.
        at: Now, UTC.
    """
    break_place(tx, place, why, at)
    known, session = tx.place(place), tx.open_session(place, GROUP)
    if known is None or session is None:
        return
    for post in tx.posts.of_session(session.id):
        if post.state is PostState.PENDING:
            tx.posts.failed(post.id)
    if session.paused_at is not None:
        return
    act(tx, bank, session.id, Pause(by=None, at=at))
    private = tx.private_place(session.host, known.platform)
    if private is not None:
        tx.posts.demand(private, NOTICE, at, payload={"news": "quiz", "place": str(place), "why": why})
