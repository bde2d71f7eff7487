"""Streaks: days in a row with an answer, counted from the local dates stored with the attempts.

A day that was missed does not end a streak if it is the only one of its calendar week within the streak: each week has
one freeze. Nothing else is stored, so a change of zone rewrites nothing; it only changes what day it is today.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bot.store import Place, Tx
from bot.tutor.boards import today, week_of

_DAY = timedelta(days=1)

_REACH = 3
"""Days from one answer to the next at most: the last day of a week and the first of the next one are missed."""


@dataclass(frozen=True, slots=True)
class Streak:
    """How many days in a row somebody answered."""

    days: int
    """Days with an answer in the streak that is running; 0 if none is."""
    best: int
    """Days with an answer in the longest one so far, this one included."""
    today: bool
    """Whether today has an answer."""
    frozen: date | None
    """The day of this week that the freeze has bridged; None while it is there to be used."""


def streak(days: Collection[date], day: date, first_week_day: int) -> Streak:
    """Count the streaks in some days.

    Args:
        days: The local dates with an answer, in any order.
        day: Today; a later date with an answer (the zone has changed) counts as today.
        first_week_day: The day a week begins with, 0 is Monday.

    Returns:
        Figures; a running streak is one that an answer today would still lengthen.
    """
    answered = sorted(set(days))
    if not answered:
        return Streak(0, 0, today=False, frozen=None)
    day = max(day, answered[-1])
    best = max(k - first + 1 for k, first in enumerate(_begins(answered, first_week_day)))
    done = answered[-1] == day
    first = _begins(answered if done else [*answered, day], first_week_day)[-1]
    running = answered[first:]
    this_week = (week_of(day, first_week_day) + i * _DAY for i in range(7))
    missed = (d for d in this_week if running and running[0] < d < day and d not in running)
    return Streak(len(running), best, done, next(missed, None))


def _begins(days: Sequence[date], first_week_day: int) -> list[int]:
    """For each day the index of the first day of the longest streak that reaches it; ascending days are handed in."""
    found = [0]
    missed_in: dict[date, int] = {}  # by week: the index of the day after the one missed last
    for k in range(1, len(days)):
        first = found[-1]
        if (days[k] - days[k - 1]).days > _REACH:
            first = k
        else:
            for i in range(1, (days[k] - days[k - 1]).days):
                week = week_of(days[k - 1] + i * _DAY, first_week_day)
                first = max(first, missed_in.get(week, 0))
                missed_in[week] = k
        found.append(first)
    return found


def streak_of(tx: Tx, learner: int, place: Place, at: datetime, first_week_day: int) -> Streak:
    """The streak of a learner: of all answers in a private chat, elsewhere of those in this place.

    Args:
        tx: The transaction; it only reads.
        learner: Whose.
        place: Where it was asked; its zone says what day it is, in a private chat the learner's.
        at: Now, UTC.
        first_week_day: The day a week begins with, 0 is Monday.
    """
    days = tx.boards.days(learner, None if place.private_to == learner else place)
    return streak(days, today(tx, place, at), first_week_day)
