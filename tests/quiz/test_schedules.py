"""Schedules: one run per local date, in every zone, whatever the clocks do."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.quiz.schedules import CATCH_UP, Quiet, Schedule, catch_up

BERLIN = ZoneInfo("Europe/Berlin")
SANTIAGO = ZoneInfo("America/Santiago")
ALMATY = ZoneInfo("Asia/Almaty")

FIRST, LAST = date(2026, 1, 1), date(2030, 12, 31)


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


@cache
def transitions() -> list[tuple[str, date]]:
    """Zone and local date of every change of offset from 2026 to 2030; zones with the same changes once."""
    seen: set[tuple[object, ...]] = set()
    found: list[tuple[str, date]] = []
    for name in sorted(available_timezones()):
        zone = ZoneInfo(name)
        offsets = []
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        while moment.year <= 2030:
            offsets.append(moment.astimezone(zone).utcoffset())
            moment += timedelta(days=1)
        if tuple(offsets) in seen:
            continue
        seen.add(tuple(offsets))
        days = [FIRST + timedelta(days=i) for i in range(1, len(offsets)) if offsets[i] != offsets[i - 1]]
        found += [(name, day) for day in days]
    assert len(found) > 100  # the database of zones is there
    return found


def test_every_local_date_around_every_change_of_clocks_has_exactly_one_run() -> None:
    for name, change in transitions():
        zone = ZoneInfo(name)
        for at in (time(0, 0), time(0, 30), time(1, 59), time(2, 30), time(3, 0), time(23, 59)):
            begin = datetime.combine(change - timedelta(days=4), time(12), tzinfo=zone).astimezone(UTC)
            runs = list(islice(Schedule(at, zone).runs(begin), 8))
            days = [day for day, _ in runs]
            moments = [moment for _, moment in runs]
            assert days == [days[0] + timedelta(days=i) for i in range(8)], (name, change, at)
            assert moments == sorted(set(moments)), (name, change, at)
            for day, moment in runs:
                local = moment.astimezone(zone)
                gap_before_midnight = local.date() == day + timedelta(days=1) and local.time() == time(0)
                assert local.date() == day or gap_before_midnight, (name, change, at)


@given(
    change=st.deferred(lambda: st.sampled_from(transitions())),
    at=st.times().map(lambda t: t.replace(second=0, microsecond=0)),
    weekdays=st.frozensets(st.integers(0, 6), min_size=1),
)
def test_asking_again_after_each_run_gives_the_same_runs(
    change: tuple[str, date], at: time, weekdays: frozenset[int]
) -> None:
    name, day = change
    schedule = Schedule(at, ZoneInfo(name), weekdays)
    after = datetime.combine(day, time(0), tzinfo=UTC) - timedelta(days=9)
    asked_once = list(islice(schedule.runs(after), 12))
    asked_each_time = []
    for _ in range(12):
        run = next(schedule.runs(after))
        asked_each_time.append(run)
        after = run[1]
    assert asked_each_time == asked_once
    assert {d.weekday() for d, _ in asked_once} <= weekdays


def test_a_time_in_the_gap_runs_at_the_first_valid_moment() -> None:
    runs = [m for _, m in islice(Schedule(time(2, 30), BERLIN).runs(utc(2027, 3, 26, 12)), 3)]
    assert runs == [utc(2027, 3, 27, 1, 30), utc(2027, 3, 28, 1, 0), utc(2027, 3, 29, 0, 30)]
    kyiv = [m for _, m in islice(Schedule(time(3, 30), ZoneInfo("Europe/Kyiv")).runs(utc(2027, 3, 27, 12)), 1)]
    assert kyiv == [utc(2027, 3, 28, 1, 0)]


def test_midnight_runs_once_each_day_across_the_gap() -> None:
    days = [d for d, _ in islice(Schedule(time(0), BERLIN).runs(utc(2027, 3, 26, 12)), 5)]
    assert days == [date(2027, 3, 27) + timedelta(days=i) for i in range(5)]


def test_where_clocks_jump_at_midnight_the_run_comes_after_the_jump() -> None:
    runs = dict(islice(Schedule(time(0, 30), SANTIAGO).runs(utc(2026, 9, 4, 12)), 3))
    assert runs[date(2026, 9, 6)].astimezone(SANTIAGO).time() == time(1, 0)


def test_a_time_that_comes_twice_runs_at_the_first() -> None:
    schedule = Schedule(time(2, 30), BERLIN)
    assert schedule.moment(date(2026, 10, 25)) == utc(2026, 10, 25, 0, 30)
    assert next(schedule.runs(utc(2026, 10, 25, 0, 45))) == (date(2026, 10, 26), utc(2026, 10, 26, 1, 30))


def test_once_a_week_means_the_same_wall_time() -> None:
    tuesdays = Schedule(time(16), BERLIN, frozenset({1}))
    assert [m for _, m in islice(tuesdays.runs(utc(2026, 10, 20)), 3)] == [
        utc(2026, 10, 20, 14),
        utc(2026, 10, 27, 15),
        utc(2026, 11, 3, 15),
    ]


def test_a_zone_without_shifts_runs_at_the_same_moment_of_every_day() -> None:
    moscow = Schedule(time(2, 30), ZoneInfo("Europe/Moscow"))
    assert {m.time() for _, m in islice(moscow.runs(utc(2027, 3, 1)), 60)} == {time(23, 30)}


def test_almaty_is_five_hours_ahead() -> None:
    assert next(Schedule(time(9), ALMATY).runs(utc(2026, 12, 4, 1))) == (date(2026, 12, 4), utc(2026, 12, 4, 4))


def test_a_run_missed_for_more_than_two_hours_is_skipped() -> None:
    due = utc(2026, 12, 3, 4)
    assert catch_up(due, due + CATCH_UP, ALMATY, None) == due + CATCH_UP
    assert catch_up(due, due + CATCH_UP + timedelta(seconds=1), ALMATY, None) is None


def test_quiet_hours_hold_a_late_run_back_until_they_end_or_skip_it() -> None:
    quiet = Quiet(time(22), time(8))
    held = catch_up(utc(2026, 12, 4, 2), utc(2026, 12, 4, 2, 30), ALMATY, quiet)  # due 07:00, it is 07:30 there
    assert held == utc(2026, 12, 4, 3)
    assert catch_up(utc(2026, 12, 4, 0, 59, 50), utc(2026, 12, 4, 1, 30), ALMATY, quiet) is None  # 08:00 is too late


def test_quiet_hours_do_not_hold_back_what_was_asked_for_at_that_hour() -> None:
    due = utc(2026, 12, 4, 0)  # 05:00 there
    assert catch_up(due, due + timedelta(seconds=20), ALMATY, Quiet(time(22), time(8))) == due + timedelta(seconds=20)


@pytest.mark.parametrize(
    ("local", "ends"),
    [(time(21, 59), None), (time(22), time(8)), (time(3), time(8)), (time(7, 59), time(8)), (time(8), None)],
)
def test_quiet_hours_over_midnight(local: time, ends: time | None) -> None:
    moment = datetime.combine(date(2026, 12, 4), local, tzinfo=ALMATY).astimezone(UTC)
    until = Quiet(time(22), time(8)).until(moment, ALMATY)
    assert (None if until is None else until.astimezone(ALMATY).time()) == ends


def test_a_schedule_without_a_weekday_is_refused() -> None:
    with pytest.raises(ValueError, match="weekdays"):
        Schedule(time(9), BERLIN, frozenset())
