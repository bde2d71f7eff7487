"""The daily question for its moderator: the panel, past results, and what has gone wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from bot.bank import Paragraph, Rich, Span
from bot.i18n import Language
from bot.present.question import line


@dataclass(frozen=True, slots=True)
class Panel:
    """What a panel says, in plain values; the caller has looked them up."""

    at: time
    city: str
    weekdays: frozenset[int]
    quiz: str
    """Its title."""
    locales: tuple[str, ...]
    """Names of languages."""
    open_s: int
    reply: bool
    silent: bool
    pin: bool
    names: bool
    quiet: tuple[time, time] | None
    paused: bool
    broken: str
    runs: Sequence[datetime]
    """The next runs in the place's zone."""
    skipped: date | None


def panel(t: Language, p: Panel) -> Rich:
    """Everything that is set, and the next runs in local time."""
    rows = [
        (t.gettext("Time"), f"{t.clock(p.at)}, {p.city}"),
        (t.gettext("Days"), weekdays(t, p.weekdays)),
        (t.gettext("Questions"), p.quiz),
        (t.gettext("Language"), " + ".join(p.locales)),
        (t.gettext("Open for"), duration(t, p.open_s)),
        (t.gettext("Answer"), t.gettext("in a reply") if p.reply else t.gettext("in the post itself")),
        (t.gettext("Names of those who were right"), _yes(t, p.names)),
        (t.gettext("Without sound"), _yes(t, p.silent)),
        (t.gettext("Pinned"), _yes(t, p.pin)),
        (t.gettext("Quiet hours for late questions"), quiet(t, p.quiet)),
    ]
    settings = "\n".join(f"{label}: {value}" for label, value in rows)
    blocks: list[Paragraph] = [line(Span(t.gettext("Daily question"), bold=True)), line(settings)]
    if p.broken:
        blocks.append(line(Span(broken(t, p.broken), bold=True)))
    elif p.paused:
        blocks.append(line(Span(t.gettext("Paused: nothing is posted."), bold=True)))
    else:
        runs = "\n".join(t.moment(run) for run in p.runs)
        blocks.append(line(Span(t.gettext("Next:"), bold=True), f"\n{runs}"))
        if p.skipped is not None:
            blocks.append(line(t.gettext("Skipped: {day}.", day=t.day(p.skipped))))
    return tuple(blocks)


def _yes(t: Language, yes: bool) -> str:
    return t.gettext("yes") if yes else t.gettext("no")


def weekdays(t: Language, days: frozenset[int]) -> str:
    """Some days of the week in words."""
    if len(days) == 7:
        return t.gettext("every day")
    if days == frozenset(range(5)):
        return t.gettext("on workdays")
    return ", ".join(t.weekday(day) for day in sorted(days))


def duration(t: Language, seconds: int) -> str:
    """A duration in hours, or in minutes if it is shorter than one."""
    if seconds < 3600:
        return t.ngettext("{n} minute", "{n} minutes", seconds // 60)
    return t.ngettext("{n} hour", "{n} hours", seconds // 3600)


def quiet(t: Language, hours: tuple[time, time] | None) -> str:
    """Quiet hours in words."""
    return t.gettext("none") if hours is None else f"{t.clock(hours[0])}–{t.clock(hours[1])}"


def broken(t: Language, why: str) -> str:
    """Why a place cannot be posted to, and what to do.

    Args:
        t: The moderator's language.
        why: `kicked`, `rights`, `gone`, `closed` or `archived`; anything else is said in general.
    """
    match why:
        case "kicked":
            return t.gettext("I was removed from the chat. Add me again and press “Resume”.")
        case "rights":
            return t.gettext("I lack the permission to send messages. Grant it and press “Resume”.")
        case "gone":
            return t.gettext("This topic or channel no longer exists. Set up the daily question somewhere else.")
        case "closed":
            return t.gettext("The topic is closed. Reopen it and press “Resume”.")
        case "archived":
            return t.gettext("The thread is archived or locked. Reopen it and press “Resume”.")
        case _:
            return t.gettext("I cannot post here. Check my permissions and press “Resume”.")


@dataclass(frozen=True, slots=True)
class Past:
    """One past run."""

    on: date
    state: str
    """`begun`, `missed`, `skipped` or `empty`."""
    stem: str
    """The beginning of the question; empty if none was asked or the bank has it no longer."""
    answered: int
    right: int
    void: bool


def past(t: Language, runs: Sequence[Past]) -> Rich:
    """How the latest runs went, the newest first."""
    heading = line(Span(t.gettext("Past questions"), bold=True))
    if not runs:
        return (heading, line(t.gettext("Nothing has been asked yet.")))
    return (heading, *(line(Span(t.day(run.on), bold=True), f": {_went(t, run)}") for run in runs))


def _went(t: Language, run: Past) -> str:
    match run.state:
        case "missed":
            return t.gettext("missed, it could not be posted in time")
        case "skipped":
            return t.gettext("skipped, as you asked")
        case "empty":
            return t.gettext("nothing was left to ask")
    figures = t.ngettext(
        "{n} answer, {right} right.", "{n} answers, {right} right.", run.answered, right=t.number(run.right)
    )
    if run.void:
        figures += " " + t.gettext("Void: it counts for nobody.")
    return f"{figures} {run.stem}".strip()


def news(t: Language, payload: Mapping[str, str], place: str, days: Sequence[date]) -> str:
    """What a moderator is told about a daily question.

    Args:
        t: The moderator's language.
        payload: As the tutor wrote it: `news` and, for a broken place, `why`.
        place: What the place is called; may be empty.
        days: The local date it is about, or the first and the last; empty if it is about none.
    """
    where = f" ({place})" if place else ""
    day = t.day(days[0]) if days else ""
    match payload["news"]:
        case "missed" if days[0] != days[-1]:
            return t.gettext(
                "The daily questions from {day} to {last}{place} were missed: "
                "I was not running, and it was too late to catch up.",
                day=day,
                last=t.day(days[-1]),
                place=where,
            )
        case "missed":
            return t.gettext(
                "The daily question for {day}{place} was missed: I was not running, and it was too late to catch up.",
                day=day,
                place=where,
            )
        case "failed":
            return t.gettext(
                "The daily question for {day}{place} was not asked because of an error of mine. "
                "The operator will find it in the log.",
                day=day,
                place=where,
            )
        case "empty":
            return t.gettext(
                "There was nothing to ask on {day}{place}: choose other questions with /daily.", day=day, place=where
            )
        case _:
            reason = broken(t, payload.get("why", ""))
            return t.gettext("The daily question{place} is on hold. {reason}", place=where, reason=reason)


def stands_still(t: Language, place: str, why: str) -> str:
    """That a quiz in a place stands still because nothing can be sent there, and what to do."""
    where = f" ({place})" if place else ""
    return t.gettext("The quiz{place} is on hold. {reason}", place=where, reason=broken(t, why))
