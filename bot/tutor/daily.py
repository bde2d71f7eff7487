"""The daily question: a group session with a plan of one item, on one local date, exactly once.

What happens on a date is recorded in the commit that begins the session and demands the post, so neither a crash nor a
second ticker can have it twice. What is missed is caught up within two hours or recorded as missed.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from itertools import islice
from zoneinfo import ZoneInfo

from bot.bank import Bank
from bot.quiz import Step, draw
from bot.quiz import daily as daily_policy
from bot.quiz.schedules import Quiet, Schedule, catch_up
from bot.store import Daily, Due, Run, Tx
from bot.tutor.play import Busy, begin

DAILY = "daily"
"""Kind of the due row of a daily question; its subject names place and daily question, its payload the local date."""

NOTICE = "notice"
"""Kind of a post that tells a moderator something; its payload has `news`, `daily` and more."""

MISSED, EMPTY, BROKEN = "missed", "empty", "broken"
"""News for a moderator: a run was not caught up, nothing was left to ask, the place cannot be posted to."""


def schedule_of(daily: Daily) -> Schedule:
    """When a daily question runs."""
    return Schedule(daily.at, ZoneInfo(daily.zone), daily.weekdays)


def next_runs(daily: Daily, after: datetime, count: int) -> list[tuple[date, datetime]]:
    """The next runs: local date and moment, UTC; a date that is to be skipped is left out."""
    runs = (run for run in schedule_of(daily).runs(after) if run[0] != daily.skip)
    return list(islice(runs, count))


def _subject(daily: Daily) -> str:
    return f"place:{daily.place}:daily:{daily.id}"


def keep(tx: Tx, daily: Daily, at: datetime) -> Daily:
    """Keep a new or changed daily question and have its next run due; a change of time replaces the run that was due.

    Args:
        tx: The transaction.
        daily: With id 0 if it is new.
        at: Now, UTC.

    Returns:
        The same with its id.
    """
    if daily.id:
        tx.dailies.save(daily)
    else:
        daily = replace(daily, id=tx.dailies.add(daily))
    _plan(tx, daily, at)
    return daily


def remove(tx: Tx, daily: Daily) -> None:
    """Take a daily question away; what was asked stays, and what is open ends as it was set up."""
    tx.due.cancel(DAILY, _subject(daily))
    tx.dailies.remove(daily.id)


def _plan(tx: Tx, daily: Daily, after: datetime) -> None:
    """Have the next run due that is not recorded yet; none while it stands still."""
    if daily.paused or daily.broken:
        tx.due.cancel(DAILY, _subject(daily))
        return
    for on, moment in schedule_of(daily).runs(after):
        if tx.dailies.run(daily.id, on) is None:
            payload = {"daily": daily.id, "on": on.isoformat(), "due": moment.isoformat()}
            tx.due.schedule(DAILY, _subject(daily), moment, payload)
            return


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
    on, moment = date.fromisoformat(due.payload["on"]), datetime.fromisoformat(due.payload["due"])
    quiet = None if daily.quiet is None else Quiet(*daily.quiet)
    run_at = catch_up(moment, at, ZoneInfo(daily.zone), quiet)
    if run_at is not None and run_at > at:
        tx.due.schedule(DAILY, _subject(daily), run_at, due.payload)
        return None
    step: Step | None = None
    if daily.skip == on:
        daily = replace(daily, skip=None)
        tx.dailies.save(daily)
        tx.dailies.record(Run(daily.id, on, "skipped", None, None, at))
    elif run_at is None:
        tx.dailies.record(Run(daily.id, on, "missed", None, None, at))
        tell_owner(tx, daily, MISSED, at, on=on.isoformat())
    else:
        step = _begin(tx, bank, daily, on, at, session)
    _plan(tx, tx.dailies.get(daily.id) or daily, max(at, moment))
    return step


def post_now(tx: Tx, bank: Bank, daily: Daily, at: datetime, session: str) -> Step | None:
    """Ask today's question at once; the run of today's local date is then done.

    Returns:
        The step that asks it; None if today's has been asked, or nothing is left to ask.
    """
    on = at.astimezone(ZoneInfo(daily.zone)).date()
    if tx.dailies.run(daily.id, on) is not None:
        return None
    step = _begin(tx, bank, daily, on, at, session)
    _plan(tx, tx.dailies.get(daily.id) or daily, at)
    return step


def _begin(tx: Tx, bank: Bank, daily: Daily, on: date, at: datetime, session: str) -> Step | None:
    item = choose(tx, bank, daily, session)
    step = None
    if item is not None:
        begun = begin(
            tx,
            bank,
            session=session,
            place=daily.place,
            slot=f"daily:{daily.id}:{on.isoformat()}",
            host=daily.owner,
            quiz=(item,),
            policy=daily_policy(daily.open_s),
            locales=daily.locales,
            at=at,
        )
        if isinstance(begun, Busy):
            return None
        step = begun if isinstance(begun, Step) else None
    if step is None:
        tx.dailies.record(Run(daily.id, on, "empty", None, None, at))
        tell_owner(tx, daily, EMPTY, at, on=on.isoformat())
        return None
    tx.dailies.record(Run(daily.id, on, "begun", session, item, at))
    if daily.next_item:
        tx.dailies.save(replace(daily, next_item=""))
    return step


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
    changed = replace(daily, owner=learner)
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
        tell_owner(tx, daily, BROKEN, at, why=why)
    return len(broken)


def tell_owner(tx: Tx, daily: Daily, news: str, at: datetime, **more: str) -> None:
    """Have the moderator told, once: in the private chat if there is one, else in the place itself."""
    place = tx.place(daily.place)
    private = tx.private_place(daily.owner, place.platform) if place is not None else None
    if private is None and news == BROKEN:
        return  # nobody can be told; the panel says it
    payload = {"news": news, "daily": str(daily.id), **more}
    tx.posts.demand(private or daily.place, NOTICE, at, payload=payload)
