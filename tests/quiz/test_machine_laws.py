"""The laws at the top of the machine, and what they mean for people: one story each."""

from __future__ import annotations

import json
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest

from bot.quiz import (
    GRACE,
    Answer,
    Ask,
    Ending,
    Expire,
    GiveHint,
    Hint,
    Join,
    Leave,
    Mark,
    News,
    Next,
    Notice,
    Opened,
    Pause,
    Phase,
    Reason,
    Refuse,
    Resume,
    Retire,
    Reveal,
    Select,
    Session,
    Show,
    Skip,
    Start,
    Stop,
    Summarise,
    Tally,
    Tell,
    current,
    score,
)
from tests.quiz.world import CLOCK, HOST, MANY, MODERATOR, MODES, ONE, A, B, C, Room, at, chosen

GROUPS = [mode for mode, policy in MODES.items() if not policy.solo]
EXAMS = [mode for mode in MODES if mode.startswith("exam")]
SEVERAL = [mode for mode in GROUPS if mode != "daily"]


def opened(mode: str, *people: int) -> Room:
    """A room whose first question stands open since noon, with some people who take part."""
    room = Room.for_mode(mode).start()
    for person in people:
        room.do(Join, person)
    room.do(Opened, CLOCK)
    return room


# --- 1. An answer names session and position


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "daily"])
def test_an_answer_to_the_question_before_is_refused_with_what_was_recorded_there(mode: str) -> None:
    room = opened(mode)
    room.answer(HOST, "a")
    if not room.session.policy.solo and room.session.phase is not Phase.REVEALED:
        room.do(Reveal)
    room.do(Next)
    before = room.session
    step = room.answer(HOST, "b", position=0)
    assert step.effects == (Refuse(Reason.STALE, room.attempts[0]),)
    assert step.session is before
    assert len(room.attempts) == 1


# --- 2. One attempt counts per session, position and learner


@pytest.mark.parametrize("mode", MODES)
def test_a_double_tap_is_recorded_once_however_often_it_comes(mode: str) -> None:
    room = opened(mode, A)
    person = HOST if room.session.policy.solo else A
    room.answer(person, "a")
    for _ in range(3):
        step = room.answer(person, "a", position=0)
        assert step.refused
        assert step.refused.recorded == room.attempts[0]
    assert len(room.attempts) == 1


@pytest.mark.parametrize("mode", ["exam", "group", "group by the clock", "group until all have answered"])
def test_a_change_is_a_new_attempt_with_the_next_revision(mode: str) -> None:
    room = opened(mode, A)
    person = HOST if room.session.policy.solo else A
    for options in ("a", "b", "a"):
        assert not room.answer(person, options).refused
    assert [attempt.revision for attempt in room.attempts] == [0, 1, 2]
    assert room.answer(person, "a").effects == (Refuse(Reason.SAME, room.attempts[-1]),)


@pytest.mark.parametrize("mode", ["learn", "group, once", "group by the clock, once", "daily"])
def test_where_nothing_may_change_the_first_answer_stands(mode: str) -> None:
    room = opened(mode, A)
    person = HOST if room.session.policy.solo else A
    room.answer(person, "c")
    assert room.answer(person, "a", "b").effects == (Refuse(Reason.ALREADY, room.attempts[0]),)
    assert [attempt.grade for attempt in room.attempts] == [0]


def test_the_same_options_in_another_order_are_the_same_answer() -> None:
    room = opened("exam")
    room.answer(HOST, "a", "b")
    assert room.answer(HOST, "b", "a").effects == (Refuse(Reason.SAME, room.attempts[0]),)


def test_two_presses_of_two_devices_and_one_redelivery_make_two_answers_for_two_questions() -> None:
    room = Room.for_mode("learn", (ONE, MANY)).start()
    room.answer(HOST, "b")
    for option in ("b", "a", "b"):  # a second press, another device, the same update again
        assert room.answer(HOST, option, position=0).effects == (Refuse(Reason.ALREADY, room.attempts[0]),)
    room.do(Next)
    assert room.answer(HOST, "a", position=0).effects == (Refuse(Reason.STALE, room.attempts[0]),)
    room.answer(HOST, "a", "b")
    assert [(attempt.position, attempt.grade) for attempt in room.attempts] == [(0, Fraction(1)), (1, Fraction(1))]
    assert score((attempt.grade for attempt in room.attempts), 2) == 1


# --- 3. Refused means the very same session


@pytest.mark.parametrize("mode", MODES)
def test_refused_means_the_very_same_session_no_attempt_and_nothing_but_the_refusal(mode: str) -> None:
    room = opened(mode)
    before = room.session
    for step in (
        room.do(Opened, CLOCK),
        room.do(Start),
        room.do(Expire, CLOCK),
        room.do(Skip, C),
        room.do(Next, C),
        room.answer(HOST, "z"),
        room.answer(HOST, "a", position=3),
    ):
        assert step.session is before
        assert step.attempt is None
        assert [type(effect) for effect in step.effects] == [Refuse]


# --- 4. Closed stays closed


@pytest.mark.parametrize("mode", MODES)
def test_closed_stays_closed_whatever_is_sent(mode: str) -> None:
    room = opened(mode)
    room.do(Stop)
    closed = room.session
    assert closed.closed
    for kind in (Start, Join, Leave, Opened, Hint, Skip, Next, Reveal, Expire, Pause, Resume, Stop):
        for by in (HOST, MODERATOR, CLOCK):
            step = room.do(kind, by, at=at(1e6))
            assert step.effects == (Refuse(Reason.CLOSED),)
            assert step.session is closed
    assert room.answer(HOST, "a").effects == (Refuse(Reason.CLOSED),)
    assert room.do(Select, option="a").effects == (Refuse(Reason.CLOSED),)


# --- 5. Who may steer


@pytest.mark.parametrize("kind", [Next, Reveal, Skip, Pause, Resume, Stop])
@pytest.mark.parametrize("mode", GROUPS)
def test_in_a_session_for_many_a_learner_cannot_steer(mode: str, kind: type) -> None:
    room = opened(mode, A)
    for by in (A, C):
        assert room.do(kind, by).effects == (Refuse(Reason.NOT_ALLOWED),)


@pytest.mark.parametrize("by", [HOST, MODERATOR, CLOCK])
@pytest.mark.parametrize("mode", SEVERAL)
def test_host_moderator_and_clock_steer_a_session_for_many_to_its_end(mode: str, by: int | None) -> None:
    room = opened(mode, A)
    assert not room.do(Pause, by).refused
    assert not room.do(Resume, by).refused
    assert not room.do(Reveal, by).refused
    assert not room.do(Next, by).refused
    assert not room.do(Skip, by).refused
    assert not room.do(Stop, by).refused


@pytest.mark.parametrize("mode", ["learn", "exam"])
def test_nobody_touches_the_session_of_another_but_a_moderator_may_stop_it(mode: str) -> None:
    room = opened(mode)
    for by in (A, MODERATOR):
        assert room.answer(by, "a").effects == (Refuse(Reason.NOT_YOURS),)
    assert room.do(Stop, A).effects == (Refuse(Reason.NOT_YOURS),)
    assert room.do(Stop, MODERATOR).session.closed


def test_a_person_cannot_pretend_to_be_the_clock() -> None:
    room = opened("group by the clock")
    for by in (HOST, MODERATOR):
        assert room.do(Expire, by, at=at(1e6)).effects == (Refuse(Reason.NOT_ALLOWED),)
        assert room.do(Opened, by).effects == (Refuse(Reason.NOT_ALLOWED),)


@pytest.mark.parametrize("mode", GROUPS)
def test_the_clock_neither_joins_nor_leaves_nor_answers(mode: str) -> None:
    room = opened(mode)
    for step in (
        room.do(Join, CLOCK),
        room.do(Leave, CLOCK),
        room.do(Answer, CLOCK, response=chosen("a")),
        room.do(Select, CLOCK, option="a"),
        room.do(Hint, CLOCK),
    ):
        assert step.effects == (Refuse(Reason.NOT_ALLOWED),)


def test_who_takes_an_exam_against_the_clock_cannot_stop_the_clock_not_even_before_the_question_arrived() -> None:
    for mode in ("exam with limits", "exam with a limit for the whole"):
        room = Room.for_mode(mode).start()
        assert room.do(Pause).effects == (Refuse(Reason.NOT_NOW),)
        room.do(Opened, CLOCK)
        assert room.do(Pause).effects == (Refuse(Reason.NOT_NOW),)
        room.answer(HOST, "a")
        room.do(Next)
        assert room.do(Pause).effects == (Refuse(Reason.NOT_NOW),)
    assert not Room.for_mode("exam").start().do(Pause).refused


# --- 6. A position only grows


@pytest.mark.parametrize("mode", SEVERAL)
def test_every_item_is_asked_once_in_the_order_of_the_plan(mode: str) -> None:
    room, asked = Room.for_mode(mode), []
    step = room.do(Start)
    while not room.session.closed:
        asked += [effect.position for effect in step.effects if isinstance(effect, Ask)]
        room.do(Reveal)
        step = room.do(Next)
    assert asked == [0, 1, 2, 3]
    assert room.session.dropped == frozenset()


def test_items_that_are_gone_are_passed_over_in_one_notice_and_count_for_nobody() -> None:
    room = opened("learn")
    room.answer(HOST, "a")
    room.gone.update({"one", "typed"})
    step = room.do(Next)
    assert step.effects == (Retire(0), Notice(News.GONE, count=2), Ask(3))
    assert step.session.dropped == {1, 2}


def test_what_was_dropped_stays_dropped_when_more_is() -> None:
    room = opened("group")
    room.do(Skip)
    room.gone.add("typed")
    room.do(Reveal)
    room.do(Next)
    assert room.session.position == 3
    assert room.session.dropped == {0, 2}


@pytest.mark.parametrize("mode", MODES)
def test_a_plan_of_which_nothing_is_left_closes_at_the_start(mode: str) -> None:
    room = Room.for_mode(mode)
    room.gone.update({"many", "one", "typed", "counted"})
    step = room.do(Start)
    assert step.effects == (Notice(News.GONE, count=len(room.session.plan)), Summarise())
    assert step.session.closed
    assert step.session.position == 0
    assert len(step.session.dropped) == len(room.session.plan)


@pytest.mark.parametrize("kind", [Next, Skip])
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "daily"])
def test_an_item_that_goes_while_it_is_asked_counts_for_nobody_and_is_said_once(mode: str, kind: type) -> None:
    room = opened(mode)
    room.gone.add("many")
    step = room.do(kind)
    assert step.effects == (Retire(0), Notice(News.GONE, count=1), Ask(1))
    assert step.session.dropped == {0}
    assert step.attempt is None


@pytest.mark.parametrize("mode", GROUPS)
def test_an_item_that_goes_while_it_is_asked_is_never_revealed(mode: str) -> None:
    room = opened(mode)
    room.gone.add("many")
    step = room.do(Reveal)
    assert not any(isinstance(effect, Show) for effect in step.effects)
    assert step.session.dropped == {0}
    assert Notice(News.GONE, count=1) in step.effects


def test_an_item_that_goes_while_its_clock_runs_is_passed_over_when_the_time_is_up() -> None:
    for mode in ("group by the clock", "exam with limits"):
        room = opened(mode)
        room.gone.add("many")
        step = room.do(Expire, CLOCK, at=at(60))
        assert step.session.dropped == {0}
        assert step.session.position == 1
        assert not any(isinstance(effect, Show) for effect in step.effects)


@pytest.mark.parametrize("mode", ["learn", "exam", "group"])
def test_an_item_that_goes_after_it_was_answered_keeps_its_grade(mode: str) -> None:
    room = opened(mode)
    room.answer(HOST, "a", "b")
    if mode == "group":
        room.do(Reveal)
    room.gone.add("many")
    step = room.do(Next)
    assert step.effects == (Retire(0), Ask(1))
    assert step.session.dropped == frozenset()


@pytest.mark.parametrize("mode", GROUPS)
def test_what_the_host_of_a_group_skips_counts_for_nobody(mode: str) -> None:
    room = opened(mode, A)
    room.answer(A, "a")
    step = room.do(Skip)
    assert step.attempt is None
    assert step.session.dropped == {0}
    assert step.effects[:2] == (Retire(0), Notice(News.DROPPED))


@pytest.mark.parametrize("mode", ["learn", *EXAMS])
def test_who_skips_alone_has_an_attempt_of_grade_0_that_counts(mode: str) -> None:
    room = opened(mode)
    step = room.do(Skip)
    assert step.attempt
    assert step.attempt.response.skipped
    assert step.attempt.grade == 0
    assert step.session.dropped == frozenset()
    if mode == "learn":
        assert step.effects == (Tell(HOST, 0, step.attempt, feedback=True),)
    else:
        assert step.effects == (Retire(0), Ask(1))


# --- 7. The clock of an item starts when its message was really sent


def test_the_clock_of_an_item_starts_when_its_message_was_sent_not_when_it_was_demanded() -> None:
    room = Room.for_mode("group by the clock").start()
    assert room.session.deadline is None
    room.do(Opened, CLOCK, at=at(4.2))
    assert room.session.opened_at == at(4.2)
    assert room.session.deadline == at(34.2)


def test_a_second_opened_does_not_move_the_clock() -> None:
    room = opened("group by the clock")
    assert room.do(Opened, CLOCK, at=at(9)).refused == Refuse(Reason.NOT_NOW)
    assert room.session.deadline == at(30)


@pytest.mark.parametrize("kind", [Answer, Select, Hint])
def test_a_tap_proves_that_the_message_was_sent(kind: type) -> None:
    rest: dict[str, Any] = {Answer: {"response": chosen("a")}, Select: {"option": "a"}}.get(kind, {})
    room = Room.for_mode("group by the clock").start()
    room.do(kind, A, at=at(3), **rest)
    assert room.session.phase is Phase.OPEN
    assert room.session.deadline == at(33)


@pytest.mark.parametrize("kind", [Answer, Select])
def test_a_tap_proves_it_by_the_time_of_the_platform_where_there_is_one(kind: type) -> None:
    rest: dict[str, Any] = {Answer: {"response": chosen("a")}, Select: {"option": "a"}}[kind]
    room = Room.for_mode("group by the clock").start()
    room.do(kind, A, at=at(3), sent_at=at(1), **rest)
    assert room.session.deadline == at(31)


def test_skipping_proves_too_that_the_first_message_was_sent() -> None:
    room = Room.for_mode("exam with a limit for the whole").start()
    room.do(Skip, at=at(3))
    assert room.session.ends_at == at(73)


def test_only_an_open_item_has_a_deadline() -> None:
    for mode in ("group by the clock", "exam with limits"):
        for end in (Reveal, Skip, Stop):
            room = opened(mode)
            assert room.session.deadline == at(30)
            room.do(end)
            if room.session.phase is Phase.OPEN:
                assert room.session.policy.solo  # alone there is no reveal
            else:
                assert room.session.deadline is None


def test_the_clock_of_the_whole_starts_with_the_first_message_and_runs_on() -> None:
    room = Room.for_mode("exam with a limit for the whole").start()
    assert room.session.ends_at is None
    room.do(Opened, CLOCK, at=at(5))
    room.answer(HOST, "a", at=at(20))
    room.do(Next, at=at(21))
    room.do(Opened, CLOCK, at=at(22))
    assert room.session.ends_at == at(75)
    assert room.session.deadline is None


def test_answers_around_the_deadline_are_judged_by_the_platforms_own_time() -> None:
    room = Room.for_mode("group by the clock").start()
    room.do(Opened, CLOCK, at=at(4.2))  # the deadline is 34.2
    assert not room.answer(A, "a", "b", at=at(34.1)).refused
    assert not room.answer(B, "a", "b", at=at(35), sent_at=at(34.1)).refused
    assert room.answer(C, "a", "b", at=at(34.3), sent_at=at(34.3)).refused == Refuse(Reason.LATE)
    assert room.do(Select, C, option="a", at=at(34.3), sent_at=at(34.3)).refused == Refuse(Reason.LATE)
    assert not room.answer(C, "c", at=at(34.2), sent_at=at(34.2)).refused


def test_where_the_platform_tells_no_time_an_answer_has_two_seconds_of_grace() -> None:
    assert timedelta(seconds=2) == GRACE
    room = opened("group by the clock")
    assert not room.answer(A, "a", at=at(32)).refused
    assert room.answer(B, "a", at=at(32.001)).refused == Refuse(Reason.LATE)
    assert room.do(Select, B, option="a", at=at(32.001)).refused == Refuse(Reason.LATE)


def test_the_limit_of_the_whole_makes_late_before_the_limit_of_the_item_does() -> None:
    room = opened("exam with limits")  # 30 for the item, 70 for the whole
    for position in (0, 1):
        room.do(Skip, at=at(25 + 25 * position))
        room.do(Opened, CLOCK, at=at(25 + 25 * position))
    assert (room.session.deadline, room.session.ends_at) == (at(80), at(70))
    assert room.answer(HOST, text="safetensors", at=at(72.1)).refused == Refuse(Reason.LATE)
    assert not room.answer(HOST, text="safetensors", at=at(72)).refused


def test_the_deadline_moves_with_a_pause() -> None:
    room = opened("group by the clock")
    room.do(Pause, at=at(10))
    room.do(Resume, at=at(110))
    assert room.session.deadline == at(130)


def test_a_pause_in_which_the_clock_went_back_takes_no_time_away() -> None:
    room = opened("group by the clock")
    room.do(Pause, at=at(10))
    room.do(Resume, at=at(5))
    assert room.session.deadline == at(30)


def test_the_clock_of_a_message_that_was_sent_during_a_pause_starts_where_the_pause_ends() -> None:
    room = Room.for_mode("group by the clock").start()
    room.do(Pause, at=at(10))
    room.do(Opened, CLOCK, at=at(15))
    room.do(Resume, at=at(100))
    assert room.session.deadline == at(130)


def test_a_message_sent_during_a_pause_takes_nothing_from_the_time_of_the_whole() -> None:
    room = opened("exam with limits")
    room.do(Skip, at=at(10))
    room.do(Pause, CLOCK, at=at(20))
    room.do(Opened, CLOCK, at=at(50))
    room.do(Resume, at=at(100))
    assert room.session.ends_at == at(70 + 80)
    assert room.session.deadline == at(130)


# --- 8. Expire


def test_expire_writes_no_attempt_and_the_item_is_lost_for_who_did_not_answer() -> None:
    room = opened("exam with limits")
    step = room.do(Expire, CLOCK, at=at(32))
    assert step.attempt is None
    assert step.effects == (Retire(0), Notice(News.TIME_UP), Ask(1))
    assert step.session.dropped == frozenset()


def test_expire_reveals_an_item_of_a_group() -> None:
    room = opened("group by the clock")
    step = room.do(Expire, CLOCK, at=at(32))
    assert step.effects == (Retire(0), Show(0))
    assert step.session.phase is Phase.REVEALED


def test_expire_ends_a_daily_question() -> None:
    room = opened("daily")
    step = room.do(Expire, CLOCK, at=at(3602))
    assert step.effects == (Retire(0), Show(0, last=True))
    assert step.session.closed


def test_the_limit_of_the_whole_ends_an_exam_and_leaves_what_is_recorded() -> None:
    room = opened("exam with a limit for the whole")
    room.answer(HOST, "a")
    step = room.do(Expire, CLOCK, at=at(72))
    assert step.effects == (Retire(0), Notice(News.SESSION_TIME_UP), Summarise())
    assert step.session.closed
    assert len(room.attempts) == 1


def test_the_limit_of_the_whole_ends_an_exam_also_where_nobody_knows_that_the_message_was_sent() -> None:
    room = opened("exam with a limit for the whole")
    room.do(Skip)
    assert room.session.phase is Phase.ASKED
    assert room.do(Expire, CLOCK, at=at(72)).session.closed


@pytest.mark.parametrize("seconds", [-5, 0, 29.9, 30, 31.999])
def test_expire_before_its_time_is_refused(seconds: float) -> None:
    for mode in ("exam with limits", "group by the clock"):
        assert opened(mode).do(Expire, CLOCK, at=at(seconds)).effects == (Refuse(Reason.NOT_DUE),)


@pytest.mark.parametrize("seconds", [0, 70, 71.999])
def test_the_whole_does_not_end_before_its_time(seconds: float) -> None:
    room = opened("exam with a limit for the whole")
    assert room.do(Expire, CLOCK, at=at(seconds)).effects == (Refuse(Reason.NOT_DUE),)


@pytest.mark.parametrize("mode", ["learn", "exam", "group", "group, once", "group of those who joined"])
def test_a_session_without_a_limit_never_expires(mode: str) -> None:
    assert opened(mode).do(Expire, CLOCK, at=at(1e9)).effects == (Refuse(Reason.NOT_DUE),)


def test_an_item_closes_once_even_if_the_clock_and_the_last_answer_come_together() -> None:
    room = opened("group until all have answered, once, told at once", A)
    room.answer(HOST, "a", at=at(32))
    last = room.answer(A, "a", at=at(32))
    clock = room.do(Expire, CLOCK, at=at(32))
    shown = [effect for step in (last, clock) for effect in step.effects if isinstance(effect, Show)]
    assert shown == [Show(0)]
    assert clock.effects == (Refuse(Reason.NOT_DUE),)


def test_after_a_restart_the_clock_says_what_it_missed_and_the_session_is_over() -> None:
    room = opened("exam with limits")
    room.answer(HOST, "a", at=at(5))
    room.session = Session.from_json(json.loads(json.dumps(room.session.to_json())))  # nothing else survives
    room.do(Expire, CLOCK, at=at(4000))
    assert room.session.closed
    assert room.answer(HOST, "b", at=at(4001)).effects == (Refuse(Reason.CLOSED, room.attempts[0]),)


def test_after_a_short_restart_the_old_button_still_counts_with_the_time_that_was_left() -> None:
    room = opened("exam with limits")
    room.session = Session.from_json(json.loads(json.dumps(room.session.to_json())))
    assert room.shown() == (Ask(0, again=True),)
    assert not room.answer(HOST, "a", "b", at=at(22)).refused
    assert room.session.deadline == at(30)


# --- 9. The present state can be shown again


def test_an_exam_shows_again_what_is_recorded_and_ticked() -> None:
    room = opened("exam")
    room.answer(HOST, "c")
    room.do(Select, option="b")
    room.do(Select, option="a")
    assert room.shown() == (Ask(0, chosen=("a", "b"), recorded=room.attempts[0], again=True),)


def test_learning_shows_again_the_feedback_that_was_given() -> None:
    room = opened("learn")
    told = room.answer(HOST, "a").effects
    assert room.shown() == told == (Tell(HOST, 0, room.attempts[0], feedback=True),)


def test_what_was_recorded_and_is_deleted_since_can_still_be_left() -> None:
    room = opened("learn")
    room.answer(HOST, "a")
    room.attempts.clear()
    assert room.shown() == (Ask(0, again=True),)
    assert room.do(Next).session.position == 1


def test_a_group_is_shown_no_answer_of_anybody_before_the_reveal() -> None:
    room = opened("group", A)
    room.do(Select, HOST, option="b")
    room.answer(HOST, "a")
    asked_by_the_host = room.facts(Resume(by=HOST, at=room.now))
    assert asked_by_the_host.earlier
    assert current(room.session, asked_by_the_host) == (Ask(0, again=True),)


def test_the_last_reveal_shown_again_says_too_that_it_is_the_last() -> None:
    room = opened("group")
    room.gone.update({"one", "typed", "counted"})
    shown = room.do(Reveal).effects
    assert Show(0, last=True) in shown
    assert room.shown() == (Show(0, last=True),)


def test_a_pause_is_shown_as_a_pause_and_afterwards_the_question_is_shown_again() -> None:
    room = opened("learn")
    assert room.do(Pause).effects == (Retire(0), Notice(News.PAUSED))
    assert room.shown() == (Notice(News.PAUSED),)
    assert room.do(Resume).effects == (Notice(News.RESUMED), Ask(0, again=True))


# --- 10. JSON


@pytest.mark.parametrize("mode", MODES)
def test_a_session_survives_json_at_every_step_and_the_copy_goes_on_as_the_original_would(mode: str) -> None:
    room = opened(mode)
    while not room.session.closed:
        copy = Session.from_json(json.loads(json.dumps(room.session.to_json())))
        assert copy == room.session
        room.session = copy
        room.do(Stop if room.session.position == 2 else Skip)
        if not room.session.closed and room.session.phase is Phase.REVEALED:
            room.do(Next)
    assert Session.from_json(json.loads(json.dumps(room.session.to_json()))) == room.session


# --- when everybody who takes part has answered


ALL = ["group until all have answered", "group until all have answered, once, told at once"]


@pytest.mark.parametrize("mode", ALL)
def test_the_last_answer_of_those_who_take_part_reveals(mode: str) -> None:
    room = opened(mode, A)
    assert Tally(0, 1) in room.answer(A, "a").effects
    step = room.answer(HOST, "a")
    told = MODES[mode].change == "never"
    assert step.effects == (Tell(HOST, 0, room.attempts[1], feedback=told), Retire(0), Show(0))
    assert step.attempt == room.attempts[1]


@pytest.mark.parametrize("mode", ALL)
def test_who_answers_without_having_joined_takes_part_but_others_are_still_waited_for(mode: str) -> None:
    room = opened(mode, A)
    room.answer(HOST, "a")
    room.answer(B, "a")
    assert room.session.phase is Phase.OPEN
    assert Show(0) in room.answer(A, "a").effects


@pytest.mark.parametrize("mode", ALL)
def test_nobody_is_waited_for_who_has_left(mode: str) -> None:
    room = opened(mode, A)
    room.answer(A, "a")
    step = room.do(Leave, HOST)
    assert step.effects == (Notice(News.LEFT, HOST), Retire(0), Show(0))


@pytest.mark.parametrize("mode", ALL)
def test_an_item_does_not_end_because_everybody_left(mode: str) -> None:
    room = opened(mode, A)
    room.answer(A, "a")
    room.do(Leave, A)
    assert room.do(Leave, HOST).effects == (Notice(News.LEFT, HOST),)
    assert room.session.phase is Phase.OPEN


@pytest.mark.parametrize("mode", ALL)
def test_who_answered_left_and_comes_back_alone_has_nobody_to_wait_for(mode: str) -> None:
    room = opened(mode, A)
    room.answer(A, "a")
    room.do(Leave, A)
    room.do(Leave, HOST)
    assert room.do(Join, A).effects == (Notice(News.JOINED, A), Retire(0), Show(0))


@pytest.mark.parametrize("mode", ALL)
def test_the_last_one_missing_may_leave_during_a_pause_and_the_reveal_follows_it(mode: str) -> None:
    room = opened(mode, A)
    room.answer(A, "a")
    room.do(Pause)
    assert room.do(Leave, HOST).effects == (Notice(News.LEFT, HOST),)
    assert room.do(Resume, MODERATOR).effects == (Notice(News.RESUMED), Retire(0), Show(0))


def test_an_answer_changed_is_counted_once() -> None:
    room = opened("group", A)
    assert Tally(0, 1) in room.answer(A, "a").effects
    assert Tally(0, 1) in room.answer(A, "b").effects
    room.do(Leave, A)
    assert Tally(0, 1) in room.answer(A, "c").effects  # back again by answering


# --- hints, ticks, ends


@pytest.mark.parametrize("mode", MODES)
def test_a_hint_is_given_to_who_asked_and_costs_nothing(mode: str) -> None:
    room = opened(mode)
    assert room.do(Hint).effects == (GiveHint(HOST, 0),)
    assert room.answer(HOST, "a", "b").attempt.grade == 1  # type: ignore[union-attr]


def test_ticks_are_of_one_person_and_in_the_order_of_the_item() -> None:
    room = opened("group", A, B)
    assert room.do(Select, A, option="c").effects == (Mark(A, 0, ("c",)),)
    assert room.do(Select, A, option="a").effects == (Mark(A, 0, ("a", "c")),)
    assert room.do(Select, B, option="b").effects == (Mark(B, 0, ("b",)),)
    assert room.do(Select, A, option="c").effects == (Mark(A, 0, ("a",)),)
    assert room.attempts == []


@pytest.mark.parametrize("mode", GROUPS)
def test_a_group_is_told_right_or_wrong_at_once_only_where_nothing_may_change(mode: str) -> None:
    told = [effect for effect in opened(mode, A).answer(A, "a").effects if isinstance(effect, Tell)]
    assert [effect.feedback for effect in told] == [mode in ("group, once, told at once", "daily", ALL[1])]


@pytest.mark.parametrize("mode", EXAMS)
def test_an_exam_tells_nothing_but_that_the_answer_is_recorded(mode: str) -> None:
    (told,) = opened(mode).answer(HOST, "a").effects
    assert isinstance(told, Tell)
    assert not told.feedback


def test_the_feedback_of_the_last_item_says_that_nothing_follows() -> None:
    room = opened("learn")
    room.gone.update({"typed", "counted"})
    assert room.answer(HOST, "a").effects == (Tell(HOST, 0, room.attempts[0], feedback=True, last=False),)
    room.do(Next)
    assert room.answer(HOST, "a").effects == (Tell(HOST, 1, room.attempts[1], feedback=True, last=True),)
    step = room.do(Next)
    assert step.effects == (Retire(1), Notice(News.GONE, count=2), Summarise())
    assert step.session.closed


@pytest.mark.parametrize("mode", MODES)
def test_stopping_says_that_it_was_stopped(mode: str) -> None:
    room = opened(mode)
    assert room.do(Stop).effects == (Retire(0), Summarise())
    assert room.session.ending is Ending.STOPPED
    assert room.session.paused_at is None


def test_a_pause_can_be_stopped() -> None:
    room = opened("group")
    room.do(Pause)
    assert room.do(Stop, MODERATOR).session.closed
    assert room.session.paused_at is None


def test_an_attempt_is_dated_by_the_place_and_names_its_item() -> None:
    room = opened("group")
    attempt = room.answer(A, "a", at=at(9)).attempt
    assert attempt
    assert (attempt.session, attempt.position, attempt.item, attempt.learner) == ("s1", 0, "many", A)
    assert (attempt.at, attempt.on) == (at(9), room.now.date())
