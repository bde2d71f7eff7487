"""Ranks: standard competition ranking (1, 2, 2, 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def ranks(ordered: Sequence[T], tied: Callable[[T, T], bool]) -> list[int]:
    """The rank of each, from 1; those that are tied share one, and the next leaves as many out.

    Args:
        ordered: Best first; those that are tied stand together.
        tied: Whether two neighbours share a rank.
    """
    found: list[int] = []
    for i, one in enumerate(ordered):
        found.append(found[-1] if i and tied(ordered[i - 1], one) else i + 1)
    return found
