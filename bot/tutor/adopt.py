"""Adopting a bank: what was asked under an id must mean the same for ever."""

from __future__ import annotations

from datetime import datetime

from bot.bank import Bank
from bot.store import Tx


def adopt(tx: Tx, bank: Bank, at: datetime) -> list[str]:
    """Remember the fingerprints of new items and compare those of known ones.

    Returns:
        Ids of items whose kind, options or key changed since they were first seen; if there are any, nothing is
        remembered.
    """
    known = tx.fingerprints()
    changed = [item for item, print_ in bank.fingerprints.items() if known.get(item, print_) != print_]
    if not changed:
        tx.add_fingerprints({item: p for item, p in bank.fingerprints.items() if item not in known}, at)
    return changed
