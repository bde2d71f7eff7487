"""A program that is killed while it posts to many places.

Few kills, so that the suite stays quick; `python -m bench.fanout_kills` does the same with thousands of places.
"""

from __future__ import annotations

from pathlib import Path

from bench.fanout_kills import kills


async def test_killed_in_the_middle_every_place_has_its_question_once_or_its_moderator_is_asked(tmp_path: Path) -> None:
    figures = await kills(tmp_path, kills=2, places=90)
    assert figures.kills == 2
    assert figures.exactly_once > 50
    assert figures.problems == []
