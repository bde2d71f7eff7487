"""Policies: a mode is a handful of rules, and rules that contradict each other cannot be made."""

from __future__ import annotations

from itertools import product

import pytest

from bot.quiz import LEARN, Answerers, Change, Feedback, Pace, Policy, daily, exam, group


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"change": Change.UNTIL_REVEAL}, "allows no change"),
        ({"answerers": Answerers.EVERYONE, "change": Change.UNTIL_REVEAL}, "allows no change"),
        ({"answerers": Answerers.EVERYONE, "feedback": Feedback.AT_END}, "only a solo session"),
        ({"answerers": Answerers.JOINED, "feedback": Feedback.AT_END}, "only a solo session"),
        ({"answerers": Answerers.EVERYONE, "session_limit_s": 60}, "only a solo session"),
        ({"feedback": Feedback.ON_REVEAL}, "no reveal"),
        ({"feedback": Feedback.AT_END, "pace": Pace.CLOCK, "item_limit_s": 60}, "paced by its host"),
        ({"feedback": Feedback.AT_END, "pace": Pace.ALL_ANSWERED}, "paced by its host"),
        ({"answerers": Answerers.EVERYONE, "pace": Pace.CLOCK}, "needs a limit per item"),
        ({"item_limit_s": 60}, "learning has no limit"),
        ({"session_limit_s": 60}, "learning has no limit"),
        ({"feedback": Feedback.AT_END, "item_limit_s": 0}, "positive"),
        ({"feedback": Feedback.AT_END, "session_limit_s": 0}, "positive"),
        ({"answerers": Answerers.EVERYONE, "item_limit_s": -1}, "positive"),
    ],
)
def test_rules_that_contradict_each_other_are_refused(rules: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Policy(**rules)  # type: ignore[arg-type]


def test_learning_tells_at_once_and_never_hurries() -> None:
    assert (LEARN.feedback, LEARN.change, LEARN.pace) == (Feedback.AT_ONCE, Change.NEVER, Pace.HOST)
    assert LEARN.solo
    assert not LEARN.limited


def test_an_exam_tells_at_the_end_and_lets_answers_change() -> None:
    assert (exam().feedback, exam().change) == (Feedback.AT_END, Change.UNTIL_REVEAL)
    assert exam().solo
    assert not exam().limited


def test_either_limit_makes_an_exam_one_against_the_clock() -> None:
    assert exam(item_limit_s=60).limited
    assert exam(session_limit_s=600).limited
    assert (exam(item_limit_s=60).item_limit_s, exam(session_limit_s=600).session_limit_s) == (60, 600)


def test_a_group_is_for_everyone_or_for_those_who_joined() -> None:
    assert group().answerers is Answerers.EVERYONE
    assert group(open_to_all=False).answerers is Answerers.JOINED
    assert not group().solo
    assert not group(open_to_all=False).solo


def test_a_group_sees_nothing_before_the_reveal_unless_answers_stand() -> None:
    assert (group().feedback, group().change) == (Feedback.ON_REVEAL, Change.UNTIL_REVEAL)
    with pytest.raises(ValueError, match="allows no change"):
        group(feedback=Feedback.AT_ONCE)
    assert group(feedback=Feedback.AT_ONCE, change=Change.NEVER).feedback is Feedback.AT_ONCE


@pytest.mark.parametrize(
    ("pace", "change", "limit_s", "open_to_all"), list(product(Pace, Change, [None, 30], [True, False]))
)
def test_every_pace_goes_with_every_change_and_limit(
    pace: Pace, change: Change, limit_s: int | None, open_to_all: bool
) -> None:
    if pace is Pace.CLOCK and limit_s is None:
        with pytest.raises(ValueError, match="needs a limit"):
            group(pace=pace, change=change, item_limit_s=limit_s, open_to_all=open_to_all)
    else:
        made = group(pace=pace, change=change, item_limit_s=limit_s, open_to_all=open_to_all)
        assert (made.pace, made.change, made.item_limit_s) == (pace, change, limit_s)


def test_a_daily_question_is_for_everyone_once_told_at_once_and_closed_by_the_clock() -> None:
    rules = daily(open_s=3600)
    assert (rules.answerers, rules.feedback, rules.change) == (Answerers.EVERYONE, Feedback.AT_ONCE, Change.NEVER)
    assert (rules.pace, rules.item_limit_s, rules.session_limit_s) == (Pace.CLOCK, 3600, None)
