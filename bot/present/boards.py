"""Boards, streaks and linked accounts in words, and a board as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from bot.bank import Paragraph, Rich, Span
from bot.i18n import Language
from bot.present.group import isolated
from bot.present.question import line
from bot.store import guard

ROWS = 30
"""Lines of a board at most; what a tie has more is counted. Chosen by us: it fits a message of every platform."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board."""

    rank: int
    """From 1."""
    name: str
    """Empty if nobody knows it."""
    score: Fraction
    answers: int
    took: timedelta
    own: bool = False
    """Whether it is the asker's."""


@dataclass(frozen=True, slots=True)
class Top:
    """What a board says, in plain values; the caller has looked them up."""

    period: str
    """`week`, `month` or `all`."""
    since: date | None
    """The first day it covers; None for `all`."""
    rows: Sequence[Row]
    """Best first, whole ties."""
    own: Row | None
    """The asker's, also if it is one of the rows; None if there is none."""
    people: int
    """How many are ranked."""
    by_time: bool
    """Whether time breaks ties."""
    least: int
    """Answers it takes to be ranked."""
    hidden: bool
    """Whether the asker is hidden and alone reads this: nobody else is told."""
    unranked: str = ""
    """The asker's name if it may be said that they are not on the board."""


def top(t: Language, board: Top) -> Rich:
    """A board with the asker's own line."""
    blocks: list[Paragraph] = [line(Span(_heading(t, board), bold=True))]
    if not board.rows:
        blocks.append(
            line(t.gettext("Nobody is on this board yet. What counts is answers for many that were revealed."))
        )
    else:
        shown = board.rows[:ROWS]
        blocks.append(line("\n".join(_row(t, row, board) for row in shown)))
        if more := len(board.rows) - len(shown):
            blocks.append(
                line(t.ngettext("and {n} more with the same result", "and {n} more with the same result", more))
            )
        if board.own is not None and not any(row.own for row in shown):
            blocks.append(line("…\n" + _row(t, board.own, board)))
        blocks.append(line(t.ngettext("{n} person is ranked.", "{n} people are ranked.", board.people)))
        if board.unranked:
            blocks.append(line(t.gettext("{name} is not on this board yet.", name=isolated(board.unranked))))
    if board.least > 1:
        blocks.append(
            line(
                t.ngettext(
                    "To be ranked, you need at least {n} answer.",
                    "To be ranked, you need at least {n} answers.",
                    board.least,
                ),
            )
        )
    if board.by_time:
        blocks.append(line(t.gettext("When points are equal, the faster person is ahead.")))
    if board.hidden:
        blocks.append(line(t.gettext("You are hidden from all boards.")))
    return tuple(blocks)


def _heading(t: Language, board: Top) -> str:
    if board.since is None:
        return t.gettext("All-time board")
    day = t.day(board.since)
    if board.period == "month":
        return t.gettext("Monthly board from {day}", day=day)
    return t.gettext("Weekly board from {day}", day=day)


def _row(t: Language, row: Row, board: Top) -> str:
    points = t.ngettext("{n} point", "{n} points", row.score)
    took = f", {_span(row.took)}" if board.by_time else ""
    return f"{row.rank}. {isolated(row.name)} — {points}{took}"


def _span(took: timedelta) -> str:
    """A span as hours, minutes and seconds, such as `0:01:05`."""
    seconds = round(took.total_seconds())
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def board_file(t: Language, rows: Iterable[Row]) -> bytes:
    """A whole board as CSV that a spreadsheet in this language reads without asking.

    UTF-8 with BOM, semicolons and decimal commas where the language writes decimal commas, lines end in CR LF; names
    that look like formulas are guarded by an apostrophe, numbers are not touched.
    """
    point = t.decimal_point
    out = io.StringIO(newline="")
    out.write("\ufeff")
    writer = csv.writer(out, delimiter=";" if point == "," else ",", lineterminator="\r\n")
    writer.writerow(("rank", "name", "points", "points_exact", "answers", "seconds"))
    for row in rows:
        points = f"{float(row.score):.6f}".rstrip("0").rstrip(".").replace(".", point)
        exact = f"{row.score.numerator}/{row.score.denominator}"
        seconds = str(round(row.took.total_seconds()))
        writer.writerow((row.rank, guard(row.name), points, exact, row.answers, seconds))
    return out.getvalue().encode()


def streak(t: Language, *, days: int, best: int, today: bool, frozen: date | None, city: str) -> Rich:
    """How many days in a row somebody has answered.

    Args:
        t: The reader's language.
        days: With an answer, in the streak that is running.
        best: In the longest one.
        today: Whether today has an answer.
        frozen: The missed day of this week that was bridged; None if there is none.
        city: By whose time days are counted; empty is UTC, because nobody has chosen one.
    """
    head = t.ngettext("{n} day in a row.", "{n} days in a row.", days) if days else t.gettext("No streak right now.")
    blocks = [line(Span(head, bold=True))]
    if not today:
        go_on = (
            t.gettext("Today’s answer is still missing.") if days else t.gettext("Answer today to start a new streak.")
        )
        blocks.append(line(go_on))
    if best > days:
        blocks.append(line(t.ngettext("Your longest row: {n} day.", "Your longest row: {n} days.", best)))
    if frozen is not None:
        blocks.append(line(t.gettext("One missed day a week is forgiven; this week’s: {day}", day=t.day(frozen))))
    elif days:
        blocks.append(line(t.gettext("One missed day a week does not break the streak.")))
    if city:
        blocks.append(line(t.gettext("Days are counted in {city} time.", city=city)))
    else:
        blocks.append(line(t.gettext("Days are counted in UTC.")))
    return tuple(blocks)


def link_code(t: Language, code: str, minutes: int) -> Rich:
    """A one-time code, and what it does."""
    return (
        line(t.gettext("Your code:"), " ", Span(code, code=True)),
        line(
            t.ngettext(
                "On the other platform send me /link with this code within {n} minute. It works once.",
                "On the other platform send me /link with this code within {n} minutes. It works once.",
                minutes,
            )
        ),
        line(
            t.gettext(
                "Your answers and ranks there will be merged with those here. Keep the code secret: anyone can use it."
            )
        ),
    )


def accounts(t: Language, first: str, others: Sequence[str]) -> Rich:
    """Which accounts belong together.

    Args:
        t: The reader's language.
        first: The name of the platform with which the history stays.
        others: Those of the linked accounts; empty if there are none.
    """
    if not others:
        return (line(t.gettext("No other account is linked. To link one, send /link.")),)
    return (
        line(t.gettext("Linked with {first}: {others}.", first=first, others=", ".join(others))),
        line(t.gettext("An unlinked account starts over. All answers stay with {first}.", first=first)),
    )
