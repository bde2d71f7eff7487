"""The clock: what is due is carried out, once, however late the program comes to it."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from bot.bank import Bank
from bot.quiz import Expire, Next, Pause, Step
from bot.store import Due, Tx
from bot.tutor.daily import DAILY, give_up, run_due
from bot.tutor.play import AWAY, EXPIRE, NEXT, act

log = logging.getLogger(__name__)

PRUNE = "prune"
"""Kind of the one due row that removes what was kept long enough; its subject is `store`."""

_STORE = "store"

PRUNE_EVERY = timedelta(days=1)
"""Chosen by us: what is kept is kept for days."""

LEASE = timedelta(minutes=1)
"""How long a claimed row stays with whoever claimed it. Chosen by us: work on a row takes milliseconds."""

BATCH = 100
"""Rows claimed at once. Chosen by us: about 20 ms of the writer's time."""

TRIES = 5
"""How often a row that cannot be carried out is tried. Chosen by us: with the lease, five minutes."""


def keep_house(tx: Tx, at: datetime) -> None:
    """At start: have what is kept only for a while removed every day."""
    if tx.due.of(PRUNE, _STORE) is None:
        tx.due.schedule(PRUNE, _STORE, at)


def claim(tx: Tx, at: datetime) -> list[Due]:
    """Take the rows that are due, at most `BATCH`, the longest due first; to be committed before they are fired."""
    return tx.due.claim(at, BATCH, LEASE)


def fire(tx: Tx, bank: Bank, due: Due, at: datetime, new_id: str) -> Step | None:
    """Carry out one claimed row, in a transaction of its own: one that fails holds up no other.

    A row that raises stays claimed and is tried again when its lease is over, `TRIES` times in all.

    Args:
        tx: The transaction.
        bank: Where items come from.
        due: The row.
        at: Now, UTC.
        new_id: A fresh session id, for a row that begins a session.

    Returns:
        The step that changed something; None if there was nothing to do any longer.
    """
    if not tx.due.finish(due):  # scheduled anew meanwhile, or claimed by somebody else
        return None
    if due.claims > TRIES:
        log.error("%s of %s was tried %d times in vain and is given up", due.kind, due.subject, TRIES)
        if due.kind == DAILY:
            give_up(tx, due, at)
        return None
    if due.kind == EXPIRE:
        return _expire(tx, bank, due.subject, at)
    if due.kind == DAILY:
        return run_due(tx, bank, due, at, new_id)
    if due.kind == AWAY:
        return _pause(tx, bank, due.subject, at)
    if due.kind == NEXT:
        return _next(tx, bank, due.subject, int(due.payload["position"]), at)
    if due.kind == PRUNE:
        _prune(tx, at)
    else:
        log.error("%s of %s is due, but nobody knows what that is", due.kind, due.subject)
    return None


def _expire(tx: Tx, bank: Bank, session: str, at: datetime) -> Step | None:
    stored = tx.session(session)
    if stored is None:
        return None
    step = act(tx, bank, session, Expire(by=None, position=stored.position, at=at))
    return None if step is None or step.refused else step


def _pause(tx: Tx, bank: Bank, session: str, at: datetime) -> Step | None:
    step = act(tx, bank, session, Pause(by=None, at=at))
    return None if step is None or step.refused else step


def _next(tx: Tx, bank: Bank, session: str, position: int, at: datetime) -> Step | None:
    step = act(tx, bank, session, Next(by=None, position=position, at=at))
    return None if step is None or step.refused else step


def _prune(tx: Tx, at: datetime) -> None:
    """Remove one slice; the next one is due at once, so that others are served in between."""
    removed = tx.prune_some(at)
    if removed:
        log.info("removed what was kept long enough: %s", ", ".join(f"{n} of {table}" for table, n in removed.items()))
    tx.due.schedule(PRUNE, _STORE, at if removed else at + PRUNE_EVERY)
