"""Learners who play while the program is killed: nothing that was acknowledged is lost or doubled.

Few kills, so that the suite stays quick; `python -m bench.crash` kills hundreds of times.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.crash import Crowd, Figures, crash


def test_killed_under_load_every_learner_comes_back_to_where_he_stood(tmp_path: Path) -> None:
    figures = crash(tmp_path, kills=5, learners=12, seed=4, most=400)
    assert figures.kills == 5
    assert figures.answers > 50
    assert figures.in_flight > 0
    assert figures.good, (figures.lost, figures.doubled, figures.misplaced)


@pytest.mark.parametrize(
    ("found", "good"),
    [
        (("s", "2", "open"), True),
        (("s", "2", "revealed"), True),
        (("s", "1", "open"), False),
        (("s", "3", "asked"), False),
        (("-", "-", "closed"), False),
    ],
)
def test_the_harness_sees_who_came_back_to_another_place(found: tuple[str, str, str], good: bool) -> None:
    figures, crowd = Figures(), Crowd()
    crowd.standing["7"] = ("s", "2", "open")
    crowd.asked["7"] = ("answer", "s", 2, "a")
    crowd.read(f"at 7 {' '.join(found)}\n", figures)
    assert (figures.misplaced == []) == good
