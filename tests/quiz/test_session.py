"""Sessions as data: a JSON form that loses nothing, and what voids and results mean."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.quiz import (
    Attempt,
    Ending,
    Phase,
    Plan,
    Planned,
    Policy,
    Response,
    Result,
    Session,
    Void,
    policy_from_json,
    policy_to_json,
)
from tests.quiz.world import MODES, at, session_of

IDS = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=3, max_size=12)
MOMENTS = st.none() | st.datetimes(timezones=st.just(UTC))
PLANS = st.lists(
    st.builds(Planned, IDS, st.lists(st.sampled_from("abcd"), unique=True, max_size=4).map(tuple)),
    min_size=1,
    max_size=5,
    unique_by=lambda entry: entry.item,
).map(lambda entries: Plan(tuple(entries)))
SESSIONS = st.builds(
    Session,
    id=IDS,
    place=st.integers(0, 2**53),
    slot=st.text(max_size=20),
    host=st.integers(0, 2**53),
    quiz=st.text(max_size=20),
    policy=st.sampled_from(list(MODES.values())),
    locales=st.sampled_from([("ru",), ("en", "ru")]),
    plan=PLANS,
    position=st.integers(0, 4),
    phase=st.sampled_from(Phase),
    opened_at=MOMENTS,
    deadline=MOMENTS,
    ends_at=MOMENTS,
    paused_at=MOMENTS,
    dropped=st.frozensets(st.integers(0, 4)),
    ending=st.none() | st.sampled_from(Ending),
)


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


@given(SESSIONS)
def test_a_session_comes_back_from_json_as_it_was(session: Session) -> None:
    assert Session.from_json(through_json(session.to_json())) == session


@given(SESSIONS)
def test_the_json_form_names_every_field_and_is_written_the_same_each_time(session: Session) -> None:
    data = session.to_json()
    assert list(data) == [field.name for field in fields(Session)]
    assert json.dumps(data) == json.dumps(Session.from_json(through_json(data)).to_json())


def test_microseconds_and_the_zone_of_a_moment_survive() -> None:
    moment = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
    session = replace(session_of(MODES["exam with limits"]), opened_at=moment, deadline=moment + timedelta(seconds=30))
    back = Session.from_json(through_json(session.to_json()))
    assert back.opened_at == moment
    assert back.opened_at is not None
    assert back.opened_at.utcoffset() == timedelta(0)


@pytest.mark.parametrize("policy", list(MODES.values()), ids=list(MODES))
def test_a_policy_comes_back_from_json_as_it_was(policy: Policy) -> None:
    data = policy_to_json(policy)
    assert set(data) == {field.name for field in fields(Policy)}
    assert policy_from_json(through_json(data)) == policy


def test_rules_that_contradict_each_other_do_not_come_back_either() -> None:
    data = policy_to_json(MODES["learn"]) | {"item_limit_s": 30}
    with pytest.raises(ValueError, match="no limit"):
        policy_from_json(data)


def test_a_session_knows_its_item_and_whether_it_is_over() -> None:
    session = session_of(MODES["learn"])
    assert session.item == "many"
    assert replace(session, position=2).item == "typed"
    assert [phase for phase in Phase if replace(session, phase=phase).closed] == [Phase.CLOSED]


@pytest.mark.parametrize(
    ("item", "seconds", "covered"),
    [("one", -1, False), ("one", 0, True), ("one", 59, True), ("one", 60, False), ("two", 30, False)],
)
def test_a_void_covers_its_item_from_its_first_moment_until_before_its_last(
    item: str, seconds: float, covered: bool
) -> None:
    assert Void("one", at(0), at(60)).covers(item, at(seconds)) is covered


def test_a_void_without_an_end_is_still_in_force() -> None:
    assert Void("one", at(0), None).covers("one", at(1e9))
    assert not Void("one", at(0), None).covers("one", at(-1))


def test_a_result_without_an_attempt_has_grade_0() -> None:
    attempt = Attempt("s", 0, "one", 1, Response(("a",)), Fraction(1, 3), 0, at(0), date(2026, 3, 1))
    assert Result(0, "one", None, True).grade == 0
    assert Result(0, "one", attempt, True).grade == Fraction(1, 3)
