"""A bank full of mistakes is reported in one run: each with its place and its remedy.

`mistakes.txt` is what the author of `mistakes/` reads.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.bank import ContentError, check, load

HERE = Path(__file__).parent


def test_every_mistake_is_reported_in_one_run_with_place_and_remedy() -> None:
    said = [str(problem) for problem in check(HERE / "mistakes")]
    assert said == (HERE / "mistakes.txt").read_text(encoding="utf-8").splitlines()
    assert len({problem.what for problem in check(HERE / "mistakes")}) >= 25


def test_every_problem_has_a_place_what_is_wrong_and_what_to_do() -> None:
    problems = check(HERE / "mistakes")
    assert problems
    for problem in problems:
        assert problem.file
        assert problem.what
        assert problem.todo
        assert "\n" not in str(problem)


def test_load_raises_all_that_is_not_style_at_once() -> None:
    with pytest.raises(ContentError) as caught:
        load(HERE / "mistakes")
    rules = {problem.rule for problem in caught.value.problems}
    assert not any(rule.startswith("style.") for rule in rules)
    assert set(caught.value.problems) < set(check(HERE / "mistakes"))
