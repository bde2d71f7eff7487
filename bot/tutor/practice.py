"""Practising: the mistakes of a learner as a plan of their own. A right answer takes an item off the list."""

from __future__ import annotations

from bot.bank import Bank
from bot.store import Progress

SITTING = 20
"""Items practised in one session. Chosen by us: ten minutes or so; what is left comes next time."""


def to_practise(known: Progress, bank: Bank, tag: str) -> tuple[str, ...]:
    """What a learner may practise in a language.

    Args:
        known: The learner's figures.
        bank: Where the items come from; retired ones are passed over.
        tag: The language in which the items have to be complete.

    Returns:
        Ids of items whose last answer that counts did not earn full marks, the one answered longest ago first.
    """
    live = {item.id for item in bank.live([tag])}
    return tuple(item for item in known.mistakes if item in live)
