"""The daily question: a group session with a plan of one item, on one local date, exactly once.

What happens on a date is recorded in the commit that begins the session and demands the post, so neither a crash nor a
second ticker can have it twice. What is missed is caught up within two hours or recorded as missed. A date whose run
should have happened is never passed over: it is asked, recorded, or moved by whoever changes the schedule.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import date, datetime
from itertools import chain, islice
from zoneinfo import ZoneInfo

from bot.bank import Bank
from bot.quiz import Step, draw
from bot.quiz import daily as daily_policy
from bot.quiz.schedules import Quiet, Schedule, catch_up
from bot.store import Daily, Due, Run, Tx
from bot.tutor.play import Busy, Empty, begin

log = logging.getLogger(__name__)

DAILY = "daily"
"""Kind of the due row of a daily question; its subject names place and daily question, its payload the local date."""

NOTICE = "notice"
"""Kind of a post that tells a moderator something; its payload has `news`, `daily` and more."""

MISSED, FAILED, EMPTY, BROKEN = "missed", "failed", "empty", "broken"
"""News for a moderator: runs were not caught up, one was lost to a fault of the program, nothing was left to ask, the
place cannot be posted to."""


def schedule_of(daily: Daily) -> Schedule:
    """When a daily question runs."""
    return Schedule(daily.at, ZoneInfo(daily.zone), daily.weekdays)


def next_runs(tx: Tx, daily: Daily, after: datetime, count: int) -> list[tuple[date, datetime]]:
    """The next runs: local date and moment, UTC; one that is late comes first.

    A date that is recorded already or is to be skipped is left out.
    """
    due = tx.due.of(DAILY, _subject(daily))
    late = [(_planned(due)[0], due.at)] if due is not None and _planned(due)[1] <= after else []
    later = (run for run in schedule_of(daily).runs(after) if run[0] not in dict(late))
    runs = (run for run in chain(late, later) if run[0] != daily.skip and tx.dailies.run(daily.id, run[0]) is None)
    return list(islice(runs, count))


def _subject(daily: Daily) -> str:
    return f"place:{daily.place}:daily:{daily.id}"


def _planned(due: Due) -> tuple[date, datetime]:
    """The local date of a run and when it should happen, UTC; held back by quiet hours, it is due later than that."""
    return date.fromisoformat(due.payload["on"]), datetime.fromisoformat(due.payload["due"])


def keep(tx: Tx, daily: Daily, at: datetime) -> Daily:
    """Keep a new or changed daily question and have its next run due.

    A run that should have happened by now stays due, unless the change itself moves it to a later hour, or does away
    with it; then it is recorded.

    Args:
        tx: The transaction.
        daily: With id 0 if it is new.
        at: Now, UTC.

    Returns:
        The same with its id, and without a date to skip that is over.
    """
    if not daily.id:
        daily = replace(daily, id=tx.dailies.add(daily))
        _plan(tx, daily, at)
        return daily
    before, due = tx.dailies.get(daily.id), tx.due.of(DAILY, _subject(daily))
    late = None
    if before is not None and due is not None and _planned(due)[1] <= at:
        late = _settle(tx, before, _planned(due), at)
    if daily.skip is not None and _is_over(tx, daily, daily.skip, at):
        daily = replace(daily, skip=None)
    tx.dailies.save(daily)
    if late is None or late[1] > at or not _stays(tx, daily, late[0], at):
        _plan(tx, daily, at)
    return daily


def _is_over(tx: Tx, daily: Daily, on: date, at: datetime) -> bool:
    return on < at.astimezone(ZoneInfo(daily.zone)).date() or tx.dailies.run(daily.id, on) is not None


def _stays(tx: Tx, daily: Daily, on: date, at: datetime) -> bool:
    """Whether a late run still stands after a change; one that the change does away with is recorded."""
    if daily.broken:  # which is told
        tx.dailies.record(Run(daily.id, on, "missed", None, None, at))
        return False
    if daily.paused or on.weekday() not in daily.weekdays:
        tx.dailies.record(Run(daily.id, on, "skipped", None, None, at))
        return False
    return schedule_of(daily).moment(on) <= at


def remove(tx: Tx, daily: Daily) -> None:
    """Take a daily question away; what was asked stays, and what is open ends as it was set up."""
    tx.due.cancel(DAILY, _subject(daily))
    tx.dailies.remove(daily.id)


def _plan(tx: Tx, daily: Daily, after: datetime) -> None:
    """Have the next run due that is not recorded yet; none while it stands still."""
    if daily.paused or daily.broken:
        tx.due.cancel(DAILY, _subject(daily))
        return
    runs = schedule_of(daily).runs(after)
    run = next(run for run in runs if tx.dailies.run(daily.id, run[0]) is None)
    _schedule(tx, daily, run, run[1])


def _schedule(tx: Tx, daily: Daily, run: tuple[date, datetime], at: datetime) -> None:
    on, moment = run
    payload = {"daily": daily.id, "on": on.isoformat(), "due": moment.isoformat()}
    tx.due.schedule(DAILY, _subject(daily), at, payload)


def _settle(tx: Tx, daily: Daily, run: tuple[date, datetime], at: datetime) -> tuple[date, datetime]:
    """Record what can happen no longer, from a planned run on: as missed, which is told once, or as skipped.

    Returns:
        The first run that still can happen: local date and moment, UTC, which may have passed.
    """
    missed: list[date] = []
    for on, moment in chain([run], schedule_of(daily).runs(run[1])):
        if tx.dailies.run(daily.id, on) is not None:
            continue
        if moment <= at and on == daily.skip:
            tx.dailies.record(Run(daily.id, on, "skipped", None, None, at))
            tx.dailies.save(replace(daily, skip=None))
        elif _run_at(daily, moment, at) is None:
            tx.dailies.record(Run(daily.id, on, "missed", None, None, at))
            missed.append(on)
        else:
            break
    if missed:
        tell_moderator(tx, daily, MISSED, at, on=missed[0].isoformat(), until=missed[-1].isoformat())
    return on, moment


def _run_at(daily: Daily, moment: datetime, at: datetime) -> datetime | None:
    """When a planned run happens, as things stand now; None if it is too late."""
    quiet = None if daily.quiet is None else Quiet(*daily.quiet)
    return moment if moment > at else catch_up(moment, at, ZoneInfo(daily.zone), quiet)


def run_due(tx: Tx, bank: Bank, due: Due, at: datetime, session: str) -> Step | None:
    """Carry out a run that is due.

    Args:
        tx: The transaction.
        bank: Where the item comes from.
        due: The claimed row.
        at: Now, UTC.
        session: A fresh session id.

    Returns:
        The step that asks the question; None if it is held back, left out, or was missed.
    """
    daily = tx.dailies.get(due.payload["daily"])
    if daily is None or daily.paused or daily.broken:
        return None
    on, moment = _settle(tx, daily, _planned(due), at)
    daily = tx.dailies.get(daily.id) or daily
    run_at = _run_at(daily, moment, at)
    assert run_at is not None
    if run_at > at:
        _schedule(tx, daily, (on, moment), run_at)
        return None
    begun = _begin(tx, bank, daily, on, at, session)
    match begun:
        case Empty():
            tx.dailies.record(Run(daily.id, on, "empty", None, None, at))
            tell_moderator(tx, daily, EMPTY, at, on=on.isoformat())
        case Busy(other):
            log.error("session %s has the slot of daily question %d on %s", other.id, daily.id, on)
            _lose(tx, daily, on, at)
    _plan(tx, daily, moment)
    return begun if isinstance(begun, Step) else None


def give_up(tx: Tx, due: Due, at: datetime) -> None:
    """A run that cannot be carried out is lost, which is told, and the next one is due."""
    daily = tx.dailies.get(due.payload["daily"])
    if daily is not None and not daily.paused and not daily.broken:
        on, moment = _planned(due)
        _lose(tx, daily, on, at)
        _plan(tx, daily, moment)


def _lose(tx: Tx, daily: Daily, on: date, at: datetime) -> None:
    tx.dailies.record(Run(daily.id, on, "missed", None, None, at))
    tell_moderator(tx, daily, FAILED, at, on=on.isoformat())


def post_now(tx: Tx, bank: Bank, daily: Daily, at: datetime, session: str) -> Step | None:
    """Ask today's question at once, also if it was missed or skipped; the run of today's local date is then done.

    Returns:
        The step that asks it; None if today's has been asked, or nothing is left to ask.
    """
    on = at.astimezone(ZoneInfo(daily.zone)).date()
    run = tx.dailies.run(daily.id, on)
    if run is not None and run.state == "begun":
        return None
    begun = _begin(tx, bank, daily, on, at, session)
    due = tx.due.of(DAILY, _subject(daily))
    if not isinstance(begun, Step):
        return None
    if due is not None and _planned(due)[0] == on:
        _plan(tx, daily, at)
    return begun


def _begin(tx: Tx, bank: Bank, daily: Daily, on: date, at: datetime, session: str) -> Step | Busy | Empty:
    """Begin the question of a date and record it; nothing is recorded if it cannot begin."""
    item = choose(tx, bank, daily, session)
    if item is None:
        return Empty(())
    begun = begin(
        tx,
        bank,
        session=session,
        place=daily.place,
        slot=f"daily:{daily.id}:{on.isoformat()}",
        host=daily.moderator,
        quiz=(item,),
        policy=daily_policy(daily.open_s),
        locales=daily.locales,
        at=at,
    )
    if isinstance(begun, Step):
        tx.dailies.record(Run(daily.id, on, "begun", session, item, at))
        tx.dailies.save(replace(daily, next_item="", skip=None if daily.skip == on else daily.skip))
    return begun


def choose(tx: Tx, bank: Bank, daily: Daily, seed: str, *, other_than: str = "") -> str | None:
    """The item of the next run: the one a moderator chose, else the least recently asked in this place.

    Args:
        tx: The transaction.
        bank: Where items come from.
        daily: For which daily question.
        seed: Decides among items that were never asked.
        other_than: An item that is not wanted.

    Returns:
        An item's id; None if the quiz has nothing in these languages.
    """
    live = [item for item in bank.live(daily.locales) if item.id != other_than]
    if daily.next_item and any(item.id == daily.next_item for item in live):
        return daily.next_item
    quiz = bank.quiz(daily.quiz)
    if quiz is None:
        return None
    blueprint = replace(quiz.blueprint, count=None, random=True)
    plan = draw(blueprint, live, seed, last_asked=tx.dailies.asked(daily.place), length=1)
    return None if plan is None else plan[0].item


def hand_over(tx: Tx, daily: Daily, learner: int) -> Daily:
    """Another moderator answers for it from now on."""
    changed = replace(daily, moderator=learner)
    tx.dailies.save(changed)
    return changed


def void_run(tx: Tx, run: Run) -> bool:
    """A bad item: what was answered on that date counts for nobody.

    Returns:
        False if there is nothing to void, or it was voided already.
    """
    session = tx.session(run.session) if run.session is not None else None
    if session is None or 0 in session.dropped:
        return False
    tx.save_session(session, replace(session, dropped=session.dropped | {0}))
    return True


def break_place(tx: Tx, place: int, why: str, at: datetime) -> int:
    """A place cannot be posted to: its daily questions stand still, each moderator is told once.

    Args:
        tx: The transaction.
        place: Which place.
        why: A platform's word for it, such as `kicked`; kept for the panel.
        at: Now, UTC.

    Returns:
        How many stand still now that did not before.
    """
    broken = [replace(daily, broken=why) for daily in tx.dailies.of_place(place) if not daily.broken]
    for daily in broken:
        keep(tx, daily, at)
        tell_moderator(tx, daily, BROKEN, at, why=why)
    return len(broken)


def tell_moderator(tx: Tx, daily: Daily, news: str, at: datetime, **more: str) -> None:
    """Have the moderator told, once: in the private chat if there is one, else in the place itself."""
    place = tx.place(daily.place)
    private = tx.private_place(daily.moderator, place.platform) if place is not None else None
    if private is None and news == BROKEN:
        return  # nobody can be told; the panel says it
    payload = {"news": news, "daily": str(daily.id), **more}
    tx.posts.demand(private or daily.place, NOTICE, at, payload=payload)
