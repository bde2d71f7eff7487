"""Links: accounts on several platforms that belong to one person, joined by a one-time code.

The code is shown to the account with which everything will stay, and typed on the other one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from bot.store import Tx

VALID = timedelta(minutes=10)
"""How long a code can be used. Chosen by us: time to change to the other platform."""

TRIES = 5
"""Codes a learner may try within `TRIES_WITHIN`. Chosen by us, with the length of a code."""

TRIES_WITHIN = timedelta(hours=1)

_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0 O, 1 I L, and U, which is easily taken for V."""

_LENGTH = 8
"""Of a code: 6.6 * 10^11 of them, of which a learner can try five an hour."""

_CYRILLIC = str.maketrans("АВЕКМНРСТУХ", "ABEKMHPCTYX")
"""Letters that look the same, for whoever types a code on a Russian keyboard."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A code to be typed on the other platform."""

    code: str
    """Two groups of four with a hyphen between; shown once, stored nowhere."""
    until: datetime
    """UTC, excluded."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Two learners are one now."""

    learner: int
    """Who remains."""


@dataclass(frozen=True, slots=True)
class WrongCode:
    """The code is unknown, has run out, or was used."""

    left: int
    """Tries left in this hour."""


@dataclass(frozen=True, slots=True)
class OwnCode:
    """The code was typed where it was shown; it stays valid."""


@dataclass(frozen=True, slots=True)
class TooManyTries:
    """Nothing was tried: there were too many tries within an hour."""


def offer(tx: Tx, learner: int, at: datetime, dice: str) -> Offer:
    """Make a code for a learner; one made before is valid no longer.

    Args:
        tx: The transaction.
        learner: With whom everything will stay.
        at: Now, UTC.
        dice: 64 random bits in base 36, for this code alone.
    """
    number, letters = int(dice, 36), ""
    for _ in range(_LENGTH):
        number, index = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[index]
    tx.links.keep_code(_digest(letters), learner, at + VALID, at)
    return Offer(f"{letters[:4]}-{letters[4:]}", at + VALID)


def join(tx: Tx, learner: int, typed: str, at: datetime) -> Joined | WrongCode | OwnCode | TooManyTries:
    """Join the learner who types a code to the one it was made for.

    Args:
        tx: The transaction.
        learner: Who typed it; is no more if it is right, and everything of theirs belongs to the other.
        typed: In any case, with spaces and hyphens anywhere.
        at: Now, UTC.
    """
    tried = tx.links.tries(learner, at - TRIES_WITHIN)
    if tried >= TRIES:
        return TooManyTries()
    tx.links.add_try(learner, at)
    digest = _digest(_letters(typed))
    owner = tx.links.code_of(digest, at)
    if owner == learner:
        return OwnCode()
    if owner is None:
        return WrongCode(TRIES - tried - 1)
    tx.links.drop_code(digest)
    tx.links.merge(learner, owner, at)
    return Joined(owner)


def withdraw(tx: Tx, typed: str) -> None:
    """A code that others may have read is valid no longer; nothing tells whether it was.

    Args:
        tx: The transaction.
        typed: As for `join`.
    """
    tx.links.drop_code(_digest(_letters(typed)))


def unlink(tx: Tx, learner: int, platform: str, account: str, at: datetime) -> int | None:
    """Let an account stand for somebody new again; everything that was answered stays with the first account.

    Args:
        tx: The transaction.
        learner: Who wants it.
        platform: The platform's name.
        account: One that was linked.
        at: Now, UTC.

    Returns:
        The new learner; None if it is not an account of the learner, or the first one.
    """
    if not any((a.platform, a.account) == (platform, account) and a.linked_at for a in tx.links.accounts(learner)):
        return None
    return tx.links.split(platform, account, at)


def _letters(typed: str) -> str:
    return "".join(c for c in typed.upper() if c.isalnum()).translate(_CYRILLIC)


def _digest(letters: str) -> str:
    return sha256(letters.encode()).hexdigest()
