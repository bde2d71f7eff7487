"""A streak is what a naive recount of the local dates says, whatever the clocks and the calendar do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.quiz import LEARN, Answer, Opened, Response, Skip, Step, Stop
from bot.store import Tx
from bot.tutor import Streak, act, begin, solo_slot, streak, streak_of
from tests.tutor.desk import NOON, bank_of, single
from tests.tutor.ledger import ledger, undone

BANK = bank_of(single("one"))
DAY = timedelta(days=1)
MONDAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tx]:
    with ledger(tmp_path_factory.mktemp("streaks") / "kontrolka.db") as tx:
        yield tx


@pytest.fixture
def tx(book: Tx) -> Iterator[Tx]:
    with undone(book):
        yield book


def holds(days: set[date], first: date, end: date, first_week_day: int) -> bool:
    """Whether no week has more than one missed day from the first day up to, but without, the end."""
    missed: dict[date, int] = {}
    day = first
    while day < end:
        if day not in days:
            week = day
            while week.weekday() != first_week_day:
                week -= DAY
            missed[week] = missed.get(week, 0) + 1
        day += DAY
    return all(count <= 1 for count in missed.values())


def naive(days: set[date], today: date, first_week_day: int) -> tuple[int, int]:
    """Days of the running streak and of the longest one."""
    today = max([today, *days])
    inside = lambda first, last: sum(first <= day <= last for day in days)  # noqa: E731
    running = [inside(first, today) for first in days if holds(days, first, today, first_week_day)]
    best = [inside(a, b) for a in days for b in days if a <= b and holds(days, a, b, first_week_day)]
    return max(running, default=0), max(best, default=0)


@given(
    st.sets(st.integers(0, 40)).map(lambda offsets: {date(2028, 2, 10) + o * DAY for o in offsets}),
    st.integers(0, 50).map(lambda o: date(2028, 2, 8) + o * DAY),
    st.sampled_from((0, 5, 6)),
)
@example({date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1)}, date(2028, 3, 2), 0)
@example({date(2027, 2, 28), date(2027, 3, 1)}, date(2027, 3, 1), 0)
@example({date(2026, 12, 31), date(2027, 1, 1)}, date(2027, 1, 2), 6)
def test_a_streak_is_what_a_naive_recount_says(days: set[date], today: date, first_week_day: int) -> None:
    found = streak(days, today, first_week_day)
    assert (found.days, found.best) == naive(days, today, first_week_day)
    assert found.today == (bool(days) and max(days) >= today)


def days_of(pattern: str, last: date) -> set[date]:
    """One letter a day, `x` with an answer, the last one being `last`."""
    return {last - i * DAY for i, sign in enumerate(reversed(pattern)) if sign == "x"}


SUNDAY = MONDAY - DAY


@pytest.mark.parametrize(
    ("week", "today", "wanted"),
    [
        ("", SUNDAY, Streak(0, 0, today=False, frozen=None)),
        ("xxxxxxx", SUNDAY, Streak(7, 7, today=True, frozen=None)),
        ("xxxxxx.", SUNDAY, Streak(6, 6, today=False, frozen=None)),
        ("xxx.xxx", SUNDAY, Streak(6, 6, today=True, frozen=SUNDAY - 3 * DAY)),
        ("xx.x.xx", SUNDAY, Streak(3, 3, today=True, frozen=SUNDAY - 2 * DAY)),
        ("xxxxxx.", MONDAY + DAY, Streak(6, 6, today=False, frozen=MONDAY)),
        ("xxxxxx.", MONDAY + 2 * DAY, Streak(0, 6, today=False, frozen=None)),
    ],
)
def test_one_missed_day_a_week_is_bridged(week: str, today: date, wanted: Streak) -> None:
    assert streak(days_of(week, SUNDAY), today, 0) == wanted


def play(tx: Tx, learner: int, place: int, when: datetime, *, skip: bool = False) -> None:
    name = f"s{when.timestamp():.0f}-{place}"
    begun = begin(
        tx, BANK, session=name, place=place, slot=solo_slot(learner), host=learner, quiz=("one",), policy=LEARN,
        locales=("en",), at=when,
    )  # fmt: skip
    assert isinstance(begun, Step)
    act(tx, BANK, name, Opened(by=None, position=0, at=when))
    answer = Answer(by=learner, position=0, at=when, response=Response(("b",)))
    act(tx, BANK, name, Skip(by=learner, position=0, at=when) if skip else answer)
    act(tx, BANK, name, Stop(by=learner, at=when))


def moment(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=UTC)


def test_a_day_ends_at_midnight_in_the_city_the_learner_chose(tx: Tx) -> None:
    a = tx.learner_of("telegram", "A", NOON)
    place = tx.place_of("telegram", "A", at=NOON, private_to=a)
    tx.set_learner_zone(a, "Asia/Almaty")  # UTC+5
    play(tx, a, place.id, moment(9, 18, 59))  # 23:59 on the ninth
    play(tx, a, place.id, moment(9, 19, 0))  # midnight
    assert streak_of(tx, a, place, moment(10, 18, 59), 0) == Streak(2, 2, today=True, frozen=None)
    assert streak_of(tx, a, place, moment(10, 19, 0), 0) == Streak(2, 2, today=False, frozen=None)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
def test_another_city_rewrites_no_day_that_is_past(tx: Tx, zone: str) -> None:
    a = tx.learner_of("telegram", "A", NOON)
    place = tx.place_of("telegram", "A", at=NOON, private_to=a)
    tx.set_learner_zone(a, "Asia/Almaty")
    for day in (9, 10, 11):
        play(tx, a, place.id, moment(day, 23))
    before = tx.boards.days(a)
    tx.set_learner_zone(a, zone)
    assert tx.boards.days(a) == before == [date(2026, 11, 10), date(2026, 11, 11), date(2026, 11, 12)]
    found = streak_of(tx, a, place, moment(11, 23, 30), 0)
    assert (found.days, found.today) == (3, True)


def test_a_wrong_answer_keeps_a_streak_and_a_skip_does_not(tx: Tx) -> None:
    a = tx.learner_of("telegram", "A", NOON)
    place = tx.place_of("telegram", "A", at=NOON, private_to=a)
    play(tx, a, place.id, moment(9, 12))
    play(tx, a, place.id, moment(10, 12), skip=True)
    assert streak_of(tx, a, place, moment(10, 13), 0).days == 1
    assert streak_of(tx, a, place, moment(10, 13), 0).today is False


def test_in_a_group_only_its_own_days_count_and_in_private_all_do(tx: Tx) -> None:
    a = tx.learner_of("telegram", "A", NOON)
    private = tx.place_of("telegram", "A", at=NOON, private_to=a)
    shared = tx.place_of("telegram", "-1", at=NOON)
    tx.set_place(replace(shared, zone="Europe/Berlin"))
    play(tx, a, private.id, moment(9, 12))
    play(tx, a, shared.id, moment(10, 12))
    assert streak_of(tx, a, private, moment(10, 13), 0).days == 2
    assert streak_of(tx, a, shared, moment(10, 13), 0).days == 1
