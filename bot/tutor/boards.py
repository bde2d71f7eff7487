"""Boards: who earned how much in a place, by week, month or all time.

Standard competition ranking (1, 2, 2, 4) by the sum of grades; time breaks ties only where the place chose so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from bot.quiz import ranks
from bot.store import Place, Tally, Tx

TOP = 10
"""Places shown; a tie at the last of them is shown whole. Chosen by us."""

_TIES, _LEAST, _NAMES = "ties", "min_answers", "names"
"""Names of the settings of a place."""


class Period(StrEnum):
    """What a board covers. The value is written into buttons, so it never changes."""

    WEEK = "week"
    MONTH = "month"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a board."""

    rank: int
    """From 1; equal ones share it, and the next one leaves as many out."""
    learner: int
    name: str
    """As the place knows the person; empty if it does not."""
    score: Fraction
    """Sum of grades."""
    answers: int
    """At least 1."""
    took: timedelta
    """From the questions to the answers, added up."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board as one person asked for it."""

    period: Period
    since: date | None
    """The first local date it covers; None is all time."""
    top: tuple[Standing, ...]
    """The best, whole ties."""
    own: Standing | None
    """The asker's line; None if the asker is hidden, has not answered, or not often enough."""
    people: int
    """How many are ranked."""
    by_time: bool
    """Whether time breaks ties."""
    least: int
    """Answers it takes to be ranked."""
    hidden: bool
    """Whether the asker chose to be hidden."""


def rank(tallies: Iterable[Tally], *, by_time: bool, least: int = 1) -> list[Standing]:
    """Rank what people earned, without names.

    Args:
        tallies: One per learner.
        by_time: Whether of two with the same score the one who took less time is ahead.
        least: Answers it takes to be ranked.

    Returns:
        Best first; inside a shared rank by time, then by who was known first.
    """
    ordered = sorted((t for t in tallies if t.answers >= least), key=lambda t: (-t.score, t.took, t.learner))
    places = ranks(ordered, lambda one, other: one.score == other.score and (not by_time or one.took == other.took))
    return [
        Standing(rank, tally.learner, "", tally.score, tally.answers, tally.took)
        for rank, tally in zip(places, ordered, strict=True)
    ]


def board(tx: Tx, place: Place, asker: int, period: Period, at: datetime, first_week_day: int) -> Board:
    """The board of a place, a whole chat with its threads.

    Args:
        tx: The transaction; it only reads.
        place: Which place; its zone says what day it is.
        asker: The learner who asked.
        period: What it covers.
        at: Now, UTC.
        first_week_day: The day a week begins with, 0 is Monday.
    """
    by_time, least = ties_by_time(tx, place), least_answers(tx, place)
    since, periods = _covered(period, today(tx, place, at), first_week_day)
    standings = rank(tx.boards.tallies(place, periods), by_time=by_time, least=least)
    top = [standing for standing in standings[: TOP + 1] if standing.rank <= TOP]
    if len(top) == TOP + 1:
        top = [standing for standing in standings if standing.rank <= TOP]
    own = next((standing for standing in standings if standing.learner == asker), None)
    names = tx.boards.names(place, [s.learner for s in (*top, *((own,) if own else ()))])
    return Board(
        period=period,
        since=since,
        top=tuple(_named(top, names)),
        own=None if own is None else replace(own, name=names.get(asker, "")),
        people=len(standings),
        by_time=by_time,
        least=least,
        hidden=is_hidden(tx, asker),
    )


def everybody(tx: Tx, place: Place, period: Period, at: datetime, first_week_day: int) -> list[Standing]:
    """Every line of the board of a place, for its moderators."""
    _, periods = _covered(period, today(tx, place, at), first_week_day)
    tallies = tx.boards.tallies(place, periods)
    standings = rank(tallies, by_time=ties_by_time(tx, place), least=least_answers(tx, place))
    return _named(standings, tx.boards.names(place, [standing.learner for standing in standings]))


def _named(standings: Sequence[Standing], names: Mapping[int, str]) -> list[Standing]:
    return [replace(standing, name=names.get(standing.learner, "")) for standing in standings]


def today(tx: Tx, place: Place, at: datetime) -> date:
    """The local date of a place."""
    return at.astimezone(ZoneInfo(tx.zone_of(place.id) or "UTC")).date()


def _covered(period: Period, day: date, first_week_day: int) -> tuple[date | None, list[str]]:
    """The first date of the period a day lies in, and the periods of tallies it is made of."""
    match period:
        case Period.WEEK:
            since = week_of(day, first_week_day)
            return since, [(since + timedelta(days=i)).isoformat() for i in range(7)]
        case Period.MONTH:
            return day.replace(day=1), [day.isoformat()[:7]]
        case Period.ALL:
            return None, [""]


def week_of(day: date, first_week_day: int) -> date:
    """The first day of the week a day lies in.

    Args:
        day: Any.
        first_week_day: The day a week begins with, 0 is Monday.
    """
    return day - timedelta(days=(day.weekday() - first_week_day) % 7)


# --- what a place and a person choose


def ties_by_time(tx: Tx, place: Place) -> bool:
    """Whether time breaks ties in the chat of a place."""
    return tx.chat_of(place).settings.get(_TIES) == "time"


def least_answers(tx: Tx, place: Place) -> int:
    """How many answers it takes to be ranked in the chat of a place; at least 1."""
    return max(1, int(tx.chat_of(place).settings.get(_LEAST, 1)))


def names_shown(tx: Tx, place: Place) -> bool:
    """Whether a group quiz in the chat of a place names who was right; a daily question has a setting of its own."""
    return bool(tx.chat_of(place).settings.get(_NAMES, True))


def set_names_shown(tx: Tx, place: Place, shown: bool) -> None:
    """Keep for a whole chat whether group quizzes name who was right."""
    _set(tx, place, _NAMES, None if shown else False)


def set_ties_by_time(tx: Tx, place: Place, by_time: bool) -> None:
    """Keep for a whole chat whether time breaks ties."""
    _set(tx, place, _TIES, "time" if by_time else None)


def set_least_answers(tx: Tx, place: Place, least: int) -> None:
    """Keep for a whole chat how many answers it takes to be ranked."""
    _set(tx, place, _LEAST, least if least > 1 else None)


def _set(tx: Tx, place: Place, name: str, value: Any) -> None:
    chat = tx.chat_of(place)
    settings = {key: known for key, known in chat.settings.items() if key != name}
    tx.set_place(replace(chat, settings=settings if value is None else {**settings, name: value}))


def is_hidden(tx: Tx, learner: int) -> bool:
    """Whether a learner stands on no board."""
    return bool(tx.hidden_among([learner]))


def hide(tx: Tx, learner: int, hidden: bool) -> None:
    """A learner wants to stand on no board and in no list of names, in any place, or does again."""
    tx.set_hidden(learner, hidden)
