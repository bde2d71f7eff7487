"""Ranks: ties share one, the next leaves as many out."""

from __future__ import annotations

import pytest

from bot.quiz import ranks


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([], []),
        ([7], [1]),
        ([9, 9, 9], [1, 1, 1]),
        ([9, 8, 8, 7], [1, 2, 2, 4]),
        ([9, 9, 8, 7, 7, 1], [1, 1, 3, 4, 4, 6]),
    ],
)
def test_ties_share_a_rank_and_leave_the_next_ones_out(scores: list[int], expected: list[int]) -> None:
    assert ranks(scores, lambda one, other: one == other) == expected
