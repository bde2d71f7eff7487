"""A measure: a ratio with a bar. Both sides of a ratio are run in turns, so that a busy machine hurts both alike."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Literal


@dataclass(frozen=True)
class Measure:
    """One line of the report."""

    name: str
    bar: float
    side: Literal["at least", "at most"]
    run: Callable[[], tuple[float, str]]
    """Gives the figure and what it was made of."""

    def holds(self, figure: float) -> bool:
        return figure >= self.bar if self.side == "at least" else figure <= self.bar


def in_turns(one: Callable[[], float], other: Callable[[], float], rounds: int) -> tuple[float, float]:
    """Medians of two costs that are measured in turns, the first of each being thrown away."""
    ones, others = [], []
    for _ in range(rounds + 1):
        gc.collect()
        ones.append(one())
        gc.collect()
        others.append(other())
    return median(ones[1:]), median(others[1:])
