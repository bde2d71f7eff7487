"""Playing: load a session, advance it, save what changed, return the step. Synchronous, over one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

from bot.bank import Bank, Quiz
from bot.quiz import (
    GRACE,
    Ask,
    AtPosition,
    Attempt,
    Blueprint,
    Command,
    Effect,
    Ending,
    Expire,
    Facts,
    Kind,
    Mark,
    News,
    Next,
    Notice,
    Pace,
    Phase,
    Policy,
    Result,
    Session,
    Show,
    Start,
    Step,
    Summarise,
    Void,
    advance,
    current,
    draw,
)
from bot.store import SlotTaken, Tx

QUESTION, REVEAL, SUMMARY = "question", "reveal", "summary"
"""Kinds of the posts of a session: its question, an answer revealed in a message of its own, how it went. Those of a
session for many are demanded here, in the commit of the step; where one person plays, the chat decides."""

EXPIRE = "expire"
"""Kind of the due row that ends an item or a session; its subject is the session's id."""

NEXT = "next"
"""Kind of the due row that goes on after a reveal where nobody has to press a button; its subject is the session."""

READING = timedelta(seconds=15)
"""How long a revealed answer stands before the next question, where the clock or everybody's answer sets the pace.
Chosen by us: time to read an explanation."""


AWAY = "away"
"""Kind of the due row that pauses a session whose host is gone; its subject is the session."""

HOST_AWAY = timedelta(minutes=30)
"""How long a session for many stands where its host, or a moderator, is to move it on; then it pauses, and any
moderator may resume it. Chosen by us: longer than a break, shorter than a lesson."""


@dataclass(frozen=True, slots=True)
class Busy:
    """The slot has an open session already."""

    session: Session


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing can be asked: no live item of the quiz is complete in the languages wanted."""

    locales: tuple[str, ...]
    """The languages in which there is something to ask."""


def solo_slot(learner: int) -> str:
    """The slot of a learner's own session in a place."""
    return f"solo:{learner}"


def begin(
    tx: Tx,
    bank: Bank,
    *,
    session: str,
    place: int,
    slot: str,
    host: int,
    quiz: Quiz | Sequence[str],
    policy: Policy,
    locales: tuple[str, ...],
    at: datetime,
    length: int | None = None,
    origin: str | None = None,
) -> Step | Busy | Empty:
    """Draw a plan and ask its first item.

    Args:
        tx: The transaction everything happens in.
        bank: Where the items come from.
        session: A fresh session id; it also decides every shuffle.
        place: Where the session lives.
        slot: At most one open session per place and slot.
        host: The learner who starts it.
        quiz: A quiz of the bank, or the ids of the items to ask in their order.
        policy: The rules.
        locales: The languages of public text; only items complete in all of them are drawn.
        at: Now, UTC.
        length: At most so many items; those asked longest ago, or never, go first.
        origin: The id of the update that asked for it: the same origin gives the same session again.

    Returns:
        The step that asks the first item (of an earlier call with the same origin: what shows it again).
    """
    if origin is not None and (known := tx.session_by_origin(origin)):
        return show(tx, bank, known, at=at)
    if busy := tx.open_session(place, slot):
        return Busy(busy)
    blueprint = quiz.blueprint if isinstance(quiz, Quiz) else Blueprint("", items=tuple(quiz))
    last_asked = _last_asked(tx, place, host, policy) if length or blueprint.count or blueprint.random else None
    plan = draw(blueprint, bank.live(locales), session, twins=bank.twins, length=length, last_asked=last_asked)
    if plan is None:
        spoken = sorted({tag for entry in bank.entries.values() for tag in entry.words})
        return Empty(tuple(t for t in spoken if draw(blueprint, bank.live([t]), session) is not None))
    new = Session(session, place, slot, host, blueprint.id, policy, locales, plan)
    try:
        tx.add_session(new, at, origin)
    except SlotTaken:  # cannot happen within one writer; the index is the last word
        taken = tx.open_session(place, slot)
        assert taken is not None
        return Busy(taken)
    if not policy.solo:
        tx.join(session, host, at)
    return _carry_out(tx, bank, new, Start(by=host, at=at))


def _last_asked(tx: Tx, place: int, host: int, policy: Policy) -> dict[str, int]:
    """When items were asked before, so that a quiz of some of them asks others next time: of the learner who plays
    alone, else of everybody in the place.
    """
    if not policy.solo:
        return tx.asked_in(place)
    return {item: round(known.at.timestamp()) for item, known in tx.progress_of(host).items.items()}


def act(tx: Tx, bank: Bank, session: str, command: Command) -> Step | None:
    """Carry out one command on a stored session; a deadline that has passed unnoticed is honoured first.

    Returns:
        What happened; None if there is no such session (it was deleted, or the payload is not ours).
    """
    stored = tx.session(session)
    if stored is None:
        return None
    before: tuple[Effect, ...] = ()
    if not isinstance(command, Expire) and _overdue(stored, command.at):
        expired = _carry_out(tx, bank, stored, Expire(by=None, position=stored.position, at=command.at))
        if not expired.refused:
            stored, before = expired.session, expired.effects
    step = _carry_out(tx, bank, stored, command)
    return replace(step, effects=(*before, *step.effects)) if before else step


def show(tx: Tx, bank: Bank, session: Session, *, at: datetime) -> Step:
    """What shows the present state of a session again; an item that is gone or out of time is left first.

    Returns:
        A step whose session has the same position, or a later one if the present item had to be left.
    """
    if _overdue(session, at):
        expired = _carry_out(tx, bank, session, Expire(by=None, position=session.position, at=at))
        if not expired.refused:
            return expired
    if not session.closed and session.item not in bank.entries and session.paused_at is None:
        return _carry_out(tx, bank, session, Next(by=None, position=session.position, at=at))
    facts = _facts(tx, bank, session, None, at)
    return Step(session, _completed(tx, session, current(session, facts)))


def timed(step: Step, at: datetime) -> Step:
    """A step that shows the present state again, its question with the time that is left for the whole at a moment."""
    ends_at = step.session.ends_at
    if ends_at is None:
        return step
    left = max(ends_at - at, timedelta(0))
    return replace(step, effects=tuple(replace(e, left=left) if isinstance(e, Ask) else e for e in step.effects))


def standing(tx: Tx, bank: Bank, session: Session, at: datetime) -> tuple[tuple[str, ...], Attempt | None]:
    """What a solo session's question shows of its host: the options ticked and the answer that may still change."""
    facts = _facts(tx, bank, session, None, at)
    return facts.draft, facts.earlier


def results(tx: Tx, session: Session, learner: int) -> tuple[Result, ...]:
    """How a session went for one learner, one result per position, in order.

    A session that was stopped ends where it was stopped: an item that nobody answered there is not part of it. One that
    was finished or ran out of time has every position.
    """
    attempts = {a.position: a for a in tx.counting_attempts(session.id) if a.learner == learner}
    voids = tx.voids()
    found = []
    for position, planned in enumerate(session.plan.entries):
        attempt = attempts.get(position)
        void = attempt is not None and _void(voids, attempt)
        found.append(Result(position, planned.item, attempt, position not in session.dropped and not void))
    return _reached(session, found) if session.ending is Ending.STOPPED else tuple(found)


def _reached(session: Session, found: Sequence[Result]) -> tuple[Result, ...]:
    """Those results of a stopped session that are part of it: up to the last that was passed, dropped or answered."""
    last = max((r.position for r in found if r.attempt or r.position in session.dropped), default=-1)
    return tuple(found[: max(last + 1, session.position)])


def _void(voids: Sequence[Void], attempt: Attempt) -> bool:
    return any(void.covers(attempt.item, attempt.at) for void in voids)


def _overdue(session: Session, at: datetime) -> bool:
    due = _alarm(session)
    return due is not None and at >= due


def _carry_out(tx: Tx, bank: Bank, session: Session, command: Command) -> Step:
    facts = _facts(tx, bank, session, command, command.at)
    step = advance(session, command, facts)
    if not step.refused:
        _save(tx, bank, session, step, command)
        if not session.policy.solo:
            _count_on(tx, session, step, facts)
            _demand_posts(tx, step, command.at)
    return replace(step, effects=_completed(tx, step.session, step.effects))


def _facts(tx: Tx, bank: Bank, session: Session, command: Command | None, at: datetime) -> Facts:
    """Look up what the machine needs to judge one command (None: to show the present state)."""
    solo = session.policy.solo
    learner = command.by if command is not None else None
    if learner is None and solo:
        learner = session.host
    position = command.position if isinstance(command, AtPosition) else session.position
    entry = bank.entries.get(session.item)
    multiple = entry is not None and entry.item.kind is Kind.MULTIPLE
    known = learner is not None and 0 <= position < len(session.plan)
    joined, answered = (0, 0) if solo else tx.crowd(session.id, session.position)
    return Facts(
        today=at.astimezone(_zone(tx, session.place)).date(),
        item=None if entry is None else entry.item,
        accepted=entry.accepted if entry is not None and entry.item.kind is Kind.TEXT else (),
        earlier=tx.last_attempt(session.id, position, learner) if known and learner is not None else None,
        draft=tx.draft(session.id, session.position, learner) if multiple and learner is not None else (),
        is_joined=not solo and learner is not None and tx.is_joined(session.id, learner),
        joined=joined,
        answered=answered,
        gone=bank.gone(session.plan.items),
    )


def _count_on(tx: Tx, session: Session, step: Step, facts: Facts) -> None:
    """Keep how many take part and have answered in step with an answer, a join or a leave at the present position."""
    joined, answered = facts.joined, facts.answered
    if step.attempt is not None and not facts.is_joined:
        joined += 1
    if step.attempt is not None and not (facts.earlier and facts.is_joined):
        answered += 1
    for effect in step.effects:
        match effect:
            case Notice(News.JOINED):
                joined, answered = joined + 1, answered + bool(facts.earlier)
            case Notice(News.LEFT):
                joined, answered = joined - 1, answered - bool(facts.earlier)
    if (joined, answered) != (facts.joined, facts.answered):
        tx.set_crowd(session.id, session.position, joined, answered)


def _demand_posts(tx: Tx, step: Step, at: datetime) -> None:
    session = step.session
    for effect in step.effects:
        match effect:
            case Ask(position, again=again) if not again or _by_poll(tx, session, position):  # a pause closed the poll
                tx.posts.demand(session.place, QUESTION, at, session=session.id, position=position)
            case Summarise():
                tx.posts.demand(session.place, SUMMARY, at, session=session.id, position=session.position)
            case Show(position) if _revealed_in_a_reply(tx, session, position):
                tx.posts.demand(session.place, REVEAL, at, session=session.id, position=position)
            case _:
                pass


def _by_poll(tx: Tx, session: Session, position: int) -> bool:
    """Whether a question was asked by a poll, which shows neither again what it asks nor what was right and why."""
    return any(post.poll is not None for post in tx.posts.of_session(session.id, position))


def _revealed_in_a_reply(tx: Tx, session: Session, position: int) -> bool:
    if _by_poll(tx, session, position):
        return True
    daily = tx.dailies.of_session(session.id)
    return daily is not None and daily.reply


def _zone(tx: Tx, place: int) -> ZoneInfo:
    return ZoneInfo(tx.zone_of(place) or "UTC")


def _save(tx: Tx, bank: Bank, before: Session, step: Step, command: Command) -> None:
    after = step.session
    if step.attempt is not None:
        tx.add_attempt(step.attempt)
        if not after.policy.solo:
            tx.join(after.id, step.attempt.learner, command.at)
    tx.save_session(before, after)
    for effect in step.effects:
        match effect:
            case Mark(learner, position, chosen):
                tx.set_draft(after.id, position, learner, chosen)
            case Notice(News.JOINED, learner) if learner is not None:
                tx.join(after.id, learner, command.at)
            case Notice(News.LEFT, learner) if learner is not None:
                tx.leave(after.id, learner, command.at)
            case _:
                pass
    if after.position != before.position or after.closed:
        entry = bank.entries.get(before.item)
        if entry is not None and entry.item.kind is Kind.MULTIPLE:
            tx.clear_drafts(after.id)
    _set_alarm(tx, before, after, command.at)


def _set_alarm(tx: Tx, before: Session, after: Session, at: datetime) -> None:
    """Keep the due rows of a session in step with its deadlines, its pace and its host."""
    resumed = before.paused_at is not None and after.paused_at is None  # what was due meanwhile was refused
    revealed = after.phase is Phase.REVEALED and (before.phase is not Phase.REVEALED or resumed)
    if revealed and after.policy.pace is not Pace.HOST:
        tx.due.schedule(NEXT, after.id, at + READING, {"position": after.position})
    if not after.policy.solo and after.policy.pace is Pace.HOST:
        if after.closed or after.paused_at is not None:
            tx.due.cancel(AWAY, after.id)
        elif resumed or (after.phase, after.position) != (before.phase, before.position):
            tx.due.schedule(AWAY, after.id, at + HOST_AWAY)
    was, now = _alarm(before), _alarm(after)
    if now is None and was is not None:
        tx.due.cancel(EXPIRE, after.id)
    elif now is not None and now != was:
        tx.due.schedule(EXPIRE, after.id, now)


def _alarm(session: Session) -> datetime | None:
    """When a session's clock has something to do; None if it never has, or while the session stands still."""
    if session.last_moment is None or session.closed or session.paused_at is not None:
        return None
    return session.last_moment + GRACE


def _completed(tx: Tx, session: Session, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """The effects with the attempts and results they show."""
    return tuple(_complete(tx, session, effect) for effect in effects)


def _complete(tx: Tx, session: Session, effect: Effect) -> Effect:
    match effect:
        case Summarise() if session.policy.solo:
            return replace(effect, results=results(tx, session, session.host))
        case Summarise():
            return replace(effect, scores=_scores(tx, session))
        case Show(position):
            attempts = tuple(a for a in tx.counting_attempts(session.id) if a.position == position)
            return replace(effect, attempts=attempts)
        case _:
            return effect


def _scores(tx: Tx, session: Session) -> tuple[tuple[int, Fraction], ...]:
    """Learner and sum of grades, best first, then by id: who answered something that counts and may be shown."""
    voids = tx.voids()
    sums: dict[int, Fraction] = {}
    for attempt in tx.counting_attempts(session.id):
        if attempt.position not in session.dropped and not _void(voids, attempt):
            sums[attempt.learner] = sums.get(attempt.learner, Fraction(0)) + attempt.grade
    hidden = tx.hidden_among(sums)
    shown = (pair for pair in sums.items() if pair[0] not in hidden)
    return tuple(sorted(shown, key=lambda pair: (-pair[1], pair[0])))
