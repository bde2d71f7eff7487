"""The clock: what is due is carried out, once, however late the program comes to it."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.bank import Bank
from bot.quiz import Expire, Step
from bot.store import Tx
from bot.tutor.play import EXPIRE, act

LEASE = timedelta(minutes=1)
"""How long a claimed row stays with whoever claimed it. Chosen by us: work on a row takes milliseconds."""

BATCH = 100
"""Rows carried out in one transaction. Chosen by us: about 20 ms of the writer's time."""


def fire(tx: Tx, bank: Bank, at: datetime) -> list[Step]:
    """Carry out the rows that are due.

    Returns:
        The steps that changed something, in the order they were due, at most `BATCH`.
    """
    steps = []
    for row in tx.due.claim(at, BATCH, LEASE):
        if row.kind == EXPIRE and (session := tx.session(row.subject)) is not None:
            step = act(tx, bank, session.id, Expire(by=None, position=session.position, at=at))
            if step is not None and not step.refused:
                steps.append(step)
        tx.due.finish(row)
    return steps
