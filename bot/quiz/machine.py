"""The session machine: `advance(session, command, facts) -> Step`. Pure; no clock, no dice, no I/O, no words.

Laws (each a test over every phase x command, and a state machine of random commands by several people):

1. An answer names session and position. What names another position is refused and changes nothing.
2. One attempt counts per session, position and learner. A change is a new attempt with the next revision; a repeated
   tap of the same answer is not a change.
3. Refused means the very same session, no attempt, and no effect but the refusal.
4. Closed stays closed.
5. In a session for many only the host, a moderator or the clock may Next, Reveal, Skip, Pause, Resume or Stop.
6. A position only grows, by one item at a time or past items that are gone; a dropped position counts for nobody.
   An item that goes while it is asked is dropped when it is left, and never revealed.
7. The clock of an item starts at `Opened`, when its message was really sent. A tap on the message proves the same.
   Only an open item has a deadline.
8. `Expire` writes no attempt, and does nothing before its time. Without a limit there is nothing to expire.
9. `current(session, facts)` can show the present state again at any time, and showing it changes nothing.
10. A session's JSON form gives back an equal session.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import assert_never

from bot.quiz.commands import (
    Answer,
    AtPosition,
    Command,
    Expire,
    Hint,
    Join,
    Leave,
    Next,
    Opened,
    Pause,
    Resume,
    Reveal,
    Select,
    Skip,
    Start,
    Stop,
)
from bot.quiz.effects import (
    Ask,
    Effect,
    GiveHint,
    Mark,
    News,
    Notice,
    Reason,
    Refuse,
    Retire,
    Show,
    Summarise,
    Tally,
    Tell,
)
from bot.quiz.grading import Response, grade, readings
from bot.quiz.items import Item, Kind
from bot.quiz.policy import Answerers, Change, Feedback, Pace
from bot.quiz.session import Attempt, Ending, Phase, Session

GRACE = timedelta(seconds=2)
"""How late a response may be received when the platform does not say when it was sent. Chosen by us."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the tutor looked up for one command.

    The learner is the one the command is by; for a command of the clock in a solo session, the host.
    """

    today: date
    """The local date of the place."""
    item: Item | None
    """The item at the session's present position; None if the bank has it no longer."""
    accepted: tuple[str, ...] = ()
    """Accepted forms of a text item, all languages together."""
    earlier: Attempt | None = None
    """The learner's last attempt at the position the command names (at the present one if it names none)."""
    draft: tuple[str, ...] = ()
    """What the learner has ticked at the present position."""
    is_joined: bool = False
    joined: int = 0
    """How many take part."""
    answered: int = 0
    """How many of those who take part have an attempt at the present position."""
    gone: frozenset[str] = field(default_factory=frozenset)
    """Items of the plan that the bank has no longer."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one command did."""

    session: Session
    effects: tuple[Effect, ...]
    attempt: Attempt | None = None
    """To be written, if any."""

    @property
    def refused(self) -> Refuse | None:
        """The refusal, if the command was refused."""
        return next((effect for effect in self.effects if isinstance(effect, Refuse)), None)


def advance(session: Session, command: Command, facts: Facts) -> Step:
    """Carry out one command.

    Returns:
        The next session with its effects in order, or the very same session with one `Refuse`.
    """
    if reason := _forbidden(session, command, facts):
        return _refuse(session, reason, facts)
    match command:
        case Start():
            return _ask_from(session, 0, facts, ())
        case Join():
            return _join(session, command, facts)
        case Leave():
            return _leave(session, command, facts)
        case Opened():
            return _open(session, command)
        case Select():
            return _select(session, command, facts)
        case Answer():
            return _answer(session, command, facts)
        case Hint():
            return Step(_opened(session, command.at), (GiveHint(_person(command.by), session.position),))
        case Skip():
            return _skip(session, command, facts)
        case Next():
            return _move_on(session, facts, ())
        case Reveal():
            return _reveal(session, facts, ())
        case Expire():
            return _expire(session, command, facts)
        case Pause():
            paused = replace(session, paused_at=command.at)
            return Step(paused, (Retire(session.position), Notice(News.PAUSED)))
        case Resume():
            return _resume(session, command, facts)
        case Stop():
            return _close(session, Ending.STOPPED, ())
        case _:
            assert_never(command)


def current(session: Session, facts: Facts) -> tuple[Effect, ...]:
    """The effects that show the present state again; they change nothing.

    Args:
        session: In any phase.
        facts: Looked up for the host (solo) or for whoever asks.
    """
    if session.phase is Phase.NEW:
        return ()
    if session.closed:
        return (Summarise(),)
    if session.paused_at is not None:
        return (Notice(News.PAUSED),)
    if session.phase is not Phase.REVEALED:
        recorded = facts.earlier if session.policy.solo else None
        draft = facts.draft if session.policy.solo else ()
        return (Ask(session.position, chosen=draft, recorded=recorded, again=True),)
    if not session.policy.solo:
        return (Show(session.position, last=_is_last(session, facts)),)
    if facts.earlier is None:  # what was recorded has been deleted since
        return (Ask(session.position, again=True),)
    return (_tell(session, facts.earlier, facts),)


# --- what is allowed


def _forbidden(session: Session, command: Command, facts: Facts) -> Reason | None:
    """The first reason, from the general to the particular, why a command may not be carried out."""
    if session.closed:
        return Reason.CLOSED
    if (session.phase is Phase.NEW) != isinstance(command, Start):
        return Reason.NOT_NOW
    if isinstance(command, AtPosition) and command.position != session.position:
        return Reason.STALE
    steering = isinstance(command, Next | Reveal | Skip | Pause | Resume | Stop | Start)
    steers = command.by is None or command.by == session.host or (command.moderator and not isinstance(command, Start))
    if session.policy.solo and command.by is not None and command.by != session.host:
        if not (isinstance(command, Stop) and command.moderator):
            return Reason.NOT_YOURS
    elif steering and not steers:
        return Reason.NOT_ALLOWED
    if isinstance(command, Opened | Expire) and command.by is not None:
        return Reason.NOT_ALLOWED
    if isinstance(command, Answer | Select | Hint | Join | Leave) and command.by is None:
        return Reason.NOT_ALLOWED
    return _not_now(session, command, facts)


def _not_now(session: Session, command: Command, facts: Facts) -> Reason | None:
    """Reasons that lie in the phase, the pause and the mode."""
    solo, revealed = session.policy.solo, session.phase is Phase.REVEALED
    if session.paused_at is not None and not isinstance(command, Resume | Stop | Join | Leave | Opened):
        return Reason.PAUSED
    match command:
        case Resume() if session.paused_at is None:
            return Reason.NOT_PAUSED
        case Pause() if solo and command.by is not None and session.policy.limited:
            return Reason.NOT_NOW  # a self-check against the clock cannot be stopped by the one who takes it
        case Join() | Leave() | Reveal() if solo:
            return Reason.NOT_NOW
        case Join() if facts.is_joined:
            return Reason.ALREADY_JOINED
        case Leave() if not facts.is_joined:
            return Reason.NOT_JOINED
        case Opened() if session.phase is not Phase.ASKED:
            return Reason.NOT_NOW
        case Reveal() | Skip() | Hint() if revealed:
            return Reason.ALREADY if solo and facts.earlier else Reason.NOT_NOW
        case Hint() | Select() | Answer() if facts.item is None:
            return Reason.GONE
        case Select() | Answer():
            return _answer_forbidden(session, command, facts)
        case Hint():
            return _not_joined(session, facts)
        case Skip() if solo and facts.earlier:
            return Reason.ALREADY
        case Next() if not revealed and facts.item is not None:
            return _next_forbidden(session, facts)
        case _:
            return None


def _not_joined(session: Session, facts: Facts) -> Reason | None:
    joined = session.policy.answerers is not Answerers.JOINED or facts.is_joined
    return None if joined else Reason.NOT_JOINED


def _answer_forbidden(session: Session, command: Select | Answer, facts: Facts) -> Reason | None:
    if facts.earlier and (session.policy.change is Change.NEVER or session.phase is Phase.REVEALED):
        return Reason.ALREADY
    if session.phase is Phase.REVEALED or _late(session, command):
        return Reason.LATE
    if reason := _not_joined(session, facts):
        return reason
    assert facts.item is not None  # _not_now looked
    if isinstance(command, Select):
        known = facts.item.kind is Kind.MULTIPLE and command.option in facts.item.options
        return None if known else Reason.UNKNOWN_OPTION
    if reason := _unreadable(facts.item, command.response):
        return reason
    if facts.earlier and _same(facts.earlier.response, command.response):
        return Reason.SAME
    return None


def _late(session: Session, command: Select | Answer) -> bool:
    if session.last_moment is None:
        return False
    if command.sent_at is not None:
        return command.sent_at > session.last_moment
    return command.at > session.last_moment + GRACE


def _unreadable(item: Item, response: Response) -> Reason | None:
    """Why a response does not fit the kind of its item."""
    if item.kind in (Kind.TEXT, Kind.NUMBER):
        if response.chosen or not response.text.strip():
            return Reason.NOTHING_CHOSEN
        return Reason.NOT_A_NUMBER if item.kind is Kind.NUMBER and not readings(response.text) else None
    if response.text or not set(response.chosen) <= set(item.options):
        return Reason.UNKNOWN_OPTION
    if not response.chosen:
        return Reason.NOTHING_CHOSEN
    many = len(response.chosen) > (1 if item.kind is Kind.SINGLE else len(set(response.chosen)))
    return Reason.UNKNOWN_OPTION if many else None


def _same(one: Response, other: Response) -> bool:
    return set(one.chosen) == set(other.chosen) and one.text == other.text


def _next_forbidden(session: Session, facts: Facts) -> Reason | None:
    if not session.policy.solo:
        return Reason.NOT_REVEALED
    return None if facts.earlier else Reason.UNANSWERED


# --- what happens


def _refuse(session: Session, reason: Reason, facts: Facts) -> Step:
    return Step(session, (Refuse(reason, facts.earlier),))


def _person(by: int | None) -> int:
    assert by is not None  # _forbidden refused the clock
    return by


def _opened(session: Session, at: datetime) -> Session:
    """The session with its clocks running since `at`; unchanged if they run already."""
    if session.phase is not Phase.ASKED:
        return session
    item_s, whole_s = session.policy.item_limit_s, session.policy.session_limit_s
    ends_at = session.ends_at
    if ends_at is None and whole_s is not None:
        ends_at = at + timedelta(seconds=whole_s)
    deadline = None if item_s is None else at + timedelta(seconds=item_s)
    return replace(session, phase=Phase.OPEN, opened_at=at, deadline=deadline, ends_at=ends_at)


def _open(session: Session, command: Opened) -> Step:
    if session.paused_at is None:
        return Step(_opened(session, command.at), ())
    # sent during the pause: its clock starts where the pause ends
    stood = _shifted(session, command.at)
    return Step(replace(_opened(stood, command.at), paused_at=command.at), ())


def _shifted(session: Session, at: datetime) -> Session:
    """A paused session with its deadlines moved by as long as it has stood still at `at`."""
    assert session.paused_at is not None
    stood = max(at - session.paused_at, timedelta(0))
    return replace(
        session,
        deadline=None if session.deadline is None else session.deadline + stood,
        ends_at=None if session.ends_at is None else session.ends_at + stood,
    )


def _join(session: Session, command: Join, facts: Facts) -> Step:
    notice = Notice(News.JOINED, _person(command.by))
    if _all_answered(session, facts.answered + (1 if facts.earlier else 0), facts.joined + 1):
        return _reveal(session, facts, (notice,))
    return Step(session, (notice,))


def _leave(session: Session, command: Leave, facts: Facts) -> Step:
    notice = Notice(News.LEFT, _person(command.by))
    remaining = facts.joined - 1
    answered = facts.answered - (1 if facts.earlier else 0)
    if _all_answered(session, answered, remaining):
        return _reveal(session, facts, (notice,))
    return Step(session, (notice,))


def _all_answered(session: Session, answered: int, joined: int) -> bool:
    waiting = session.phase in (Phase.ASKED, Phase.OPEN) and session.paused_at is None
    return waiting and session.policy.pace is Pace.ALL_ANSWERED and 0 < joined <= answered


def _select(session: Session, command: Select, facts: Facts) -> Step:
    assert facts.item is not None
    ticked = set(facts.draft) ^ {command.option}
    chosen = tuple(option for option in facts.item.options if option in ticked)
    marked = Mark(_person(command.by), session.position, chosen)
    return Step(_opened(session, command.sent_at or command.at), (marked,))


def _attempt(session: Session, command: Answer | Skip, facts: Facts, response: Response) -> Attempt:
    assert facts.item is not None
    return Attempt(
        session=session.id,
        position=session.position,
        item=facts.item.id,
        learner=_person(command.by),
        response=response,
        grade=grade(facts.item, response, facts.accepted),
        revision=facts.earlier.revision + 1 if facts.earlier else 0,
        at=command.at,
        on=facts.today,
    )


def _tell(session: Session, attempt: Attempt, facts: Facts) -> Tell:
    feedback = session.policy.feedback is Feedback.AT_ONCE
    return Tell(attempt.learner, attempt.position, attempt, feedback=feedback, last=_is_last(session, facts))


def _is_last(session: Session, facts: Facts) -> bool:
    return all(entry.item in facts.gone for entry in session.plan.entries[session.position + 1 :])


def _answer(session: Session, command: Answer, facts: Facts) -> Step:
    attempt = _attempt(session, command, facts, command.response)
    session = _opened(session, command.sent_at or command.at)
    tell = _tell(session, attempt, facts)
    if session.policy.solo:
        if tell.feedback:
            session = replace(session, phase=Phase.REVEALED)
        return Step(session, (tell,), attempt)
    answered = facts.answered + (0 if facts.earlier and facts.is_joined else 1)
    joined = facts.joined + (0 if facts.is_joined else 1)
    if _all_answered(session, answered, joined):
        return replace(_reveal(session, facts, (tell,)), attempt=attempt)
    return Step(session, (tell, Tally(session.position, answered)), attempt)


def _skip(session: Session, command: Skip, facts: Facts) -> Step:
    if facts.item is None:
        return _move_on(session, facts, ())
    if not session.policy.solo:
        dropped = replace(session, dropped=session.dropped | {session.position})
        return _move_on(dropped, facts, (Notice(News.DROPPED),))
    if command.by is None:
        return _move_on(session, facts, ())
    attempt = _attempt(session, command, facts, Response())
    if session.policy.feedback is Feedback.AT_ONCE:
        session = replace(_opened(session, command.at), phase=Phase.REVEALED)
        return Step(session, (_tell(session, attempt, facts),), attempt)
    return replace(_move_on(_opened(session, command.at), facts, ()), attempt=attempt)


def _reveal(session: Session, facts: Facts, before: tuple[Effect, ...]) -> Step:
    """Close the item for everybody; a session of one item is over then, and needs no summary."""
    if facts.item is None:
        return _move_on(session, facts, before)
    effects = (*before, Retire(session.position), Show(session.position, last=_is_last(session, facts)))
    revealed = replace(session, phase=Phase.REVEALED, deadline=None)
    return Step(revealed if len(session.plan) > 1 else _closed(revealed, Ending.FINISHED), effects)


def _expire(session: Session, command: Expire, facts: Facts) -> Step:
    if session.ends_at is not None and command.at >= session.ends_at + GRACE:
        return _close(session, Ending.TIME_UP, (Notice(News.SESSION_TIME_UP),))
    if session.phase is not Phase.OPEN or session.deadline is None or command.at < session.deadline + GRACE:
        return _refuse(session, Reason.NOT_DUE, facts)
    if not session.policy.solo:
        return _reveal(session, facts, ())
    return _move_on(session, facts, (Notice(News.TIME_UP),))


def _resume(session: Session, command: Resume, facts: Facts) -> Step:
    running = replace(_shifted(session, command.at), paused_at=None)
    resumed = Notice(News.RESUMED)
    if _all_answered(running, facts.answered, facts.joined):  # the last one missing left during the pause
        return _reveal(running, facts, (resumed,))
    return Step(running, (resumed, *current(running, facts)))


def _move_on(session: Session, facts: Facts, before: tuple[Effect, ...]) -> Step:
    """Leave the present position; if its item went before it was finished, it counts for nobody."""
    finished = session.phase is Phase.REVEALED or (session.policy.solo and facts.earlier is not None)
    gone = session.item in facts.gone and not finished
    return _ask_from(session, session.position + (0 if gone else 1), facts, (Retire(session.position), *before))


def _ask_from(session: Session, position: int, facts: Facts, before: tuple[Effect, ...]) -> Step:
    """Ask the first item from `position` on that the bank still has; close if there is none."""
    gone = 0
    while position + gone < len(session.plan) and session.plan[position + gone].item in facts.gone:
        gone += 1
    if gone:
        session = replace(session, dropped=session.dropped.union(range(position, position + gone)))
        before = (*before, Notice(News.GONE, count=gone))
    position += gone
    if position == len(session.plan):
        return Step(_closed(session, Ending.FINISHED), (*before, Summarise()))
    asked = replace(session, position=position, phase=Phase.ASKED, opened_at=None, deadline=None)
    return Step(asked, (*before, Ask(position)))


def _close(session: Session, ending: Ending, before: tuple[Effect, ...]) -> Step:
    return Step(_closed(session, ending), (Retire(session.position), *before, Summarise()))


def _closed(session: Session, ending: Ending) -> Session:
    return replace(session, phase=Phase.CLOSED, ending=ending, deadline=None, paused_at=None)
