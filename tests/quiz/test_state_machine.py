"""Random commands by several people, in every mode, against a model that keeps nothing but a list of attempts."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar, get_args

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bot.quiz import (
    GRACE,
    Answer,
    Answerers,
    Ask,
    AtPosition,
    Change,
    Command,
    Effect,
    Expire,
    Facts,
    Feedback,
    GiveHint,
    Hint,
    Item,
    Join,
    Leave,
    Mark,
    News,
    Next,
    Notice,
    Opened,
    Pace,
    Pause,
    Phase,
    Reason,
    Refuse,
    Response,
    Resume,
    Retire,
    Reveal,
    Select,
    Session,
    Show,
    Skip,
    Start,
    Step,
    Stop,
    Summarise,
    Tally,
    Tell,
    grade,
    score,
)
from tests.quiz.world import ACCEPTED, CLOCK, HOST, MANY, MODERATOR, MODES, ONE, TYPED, A, B, C, Room, chosen, typed

E = TypeVar("E")
T = TypeVar("T")
ITEMS = (MANY, ONE, TYPED)
PEOPLE = (HOST, MODERATOR, A, B, C)
STEERERS = (HOST, HOST, CLOCK, MODERATOR, A)
STEPS: tuple[type[Command], ...] = (Next, Next, Next, Skip, Reveal, Reveal)
AWAY = (0, 0, -1, 1)
"""How far from the present position a button is."""
OPTIONS = (("b",), ("a", "b"), ("c",))
RESPONSES = (
    *(chosen("a"), chosen("b"), chosen("a", "b"), chosen("c", "d"), chosen(), chosen("z")),
    *(typed("Safetensors"), typed("x")),
)
SECONDS = (1, 29, 30, 31.5, 35, 3605, -1, -40)
COMMANDS = list(get_args(Command))
STEERING = Next | Reveal | Skip | Pause | Resume | Stop | Start


class Sessions(RuleBasedStateMachine):
    """One session in one mode; what must hold is checked after every command."""

    mode: str

    @initialize(started=st.sampled_from([True, True, True, False]))
    def create(self, started: bool) -> None:
        self.room = Room.for_mode(self.mode, ITEMS)
        if started:
            self.send(Start, HOST)

    def send(self, command: type[Command], by: int | None, away: int = 0, **rest: Any) -> None:
        if issubclass(command, AtPosition):
            rest["position"] = self.room.session.position + away
        sent = command(by=by, moderator=by == MODERATOR, at=self.room.now, **rest)
        before, facts = self.room.session, self.room.facts(sent)
        step = self.room.send(sent)
        check_step(before, sent, facts, step)
        check_effects(self.room, before, sent, step)

    # --- what people and the clock do

    @rule(
        by=st.sampled_from(PEOPLE),
        response=st.sampled_from(RESPONSES),
        ago=st.sampled_from([None, None, 0, 3, -3]),
        taps=st.sampled_from([1, 1, 2]),
    )
    def answer(self, by: int, response: Response, ago: int | None, taps: int) -> None:
        """Once or by a double tap: whatever the first did, the second adds nothing."""
        sent_at = None if ago is None else self.room.now - timedelta(seconds=ago)
        position = self.room.session.position
        for tap in range(taps):
            recorded = len(self.room.attempts)
            self.send(Answer, by, position - self.room.session.position, response=response, sent_at=sent_at)
            assert tap == 0 or len(self.room.attempts) == recorded

    @rule(by=st.sampled_from(PEOPLE), options=st.sampled_from(OPTIONS))
    def answer_again(self, by: int, options: tuple[str, ...]) -> None:
        self.send(Answer, by, response=chosen(*options))

    @rule(by=st.sampled_from(PEOPLE), option=st.sampled_from("abz"))
    def select_or_ask_for_help(self, by: int, option: str) -> None:
        if option == "z":
            self.send(Hint, by)
        self.send(Select, by, option=option)

    @rule(by=st.sampled_from(PEOPLE))
    def join_or_leave(self, by: int) -> None:
        self.send(Leave if by in self.room.joined else Join, by)

    @rule(by=st.sampled_from(STEERERS), kind=st.sampled_from(STEPS))
    def steer(self, by: int | None, kind: type[Command]) -> None:
        self.send(kind, by)

    @rule(by=st.sampled_from(STEERERS))
    def pause_or_resume(self, by: int | None) -> None:
        self.send(Pause if self.room.session.paused_at is None else Resume, by)

    @rule(by=st.sampled_from([*PEOPLE, CLOCK]), kind=st.sampled_from(COMMANDS), away=st.sampled_from(AWAY))
    def anything(self, by: int | None, kind: type[Command], away: int) -> None:
        """Anything at all, sensible or not."""
        rest: dict[str, Any] = {Answer: {"response": chosen("a")}, Select: {"option": "a"}}.get(kind, {})
        self.send(kind, by, away if issubclass(kind, AtPosition) else 0, **rest)

    @precondition(lambda self: self.room.session.position > 0)
    @rule(by=st.sampled_from(STEERERS))
    def stop(self, by: int | None) -> None:
        self.send(Stop, by)

    # --- what the world does

    @rule()
    def the_message_is_sent(self) -> None:
        self.send(Opened, CLOCK)

    @rule(seconds=st.sampled_from(SECONDS))
    def time_passes(self, seconds: float) -> None:
        """Also backwards: a machine's clock may be set."""
        self.room.now += timedelta(seconds=seconds)
        self.send(Expire, CLOCK)

    @rule(item=st.sampled_from([*ITEMS, None]))
    def an_item_goes_or_the_bank_is_restored(self, item: Item | None) -> None:
        self.room.gone = self.room.gone | {item.id} if item else set()

    @rule()
    def the_program_restarts(self) -> None:
        self.room.session = Session.from_json(json.loads(json.dumps(self.room.session.to_json())))

    # --- what holds at any time

    @invariant()
    def the_json_form_gives_back_an_equal_session(self) -> None:
        session = self.room.session
        assert Session.from_json(json.loads(json.dumps(session.to_json()))) == session

    @invariant()
    def a_deadline_stands_only_where_there_is_a_limit_and_the_item_is_open(self) -> None:
        session = self.room.session
        if session.deadline is not None:
            assert session.policy.item_limit_s is not None
            assert session.phase is Phase.OPEN
            assert session.opened_at is not None
            assert session.deadline - session.opened_at >= timedelta(seconds=session.policy.item_limit_s)
        elif session.phase is Phase.OPEN:
            assert session.policy.item_limit_s is None
        assert session.ends_at is None or session.policy.session_limit_s is not None
        assert not (session.closed and session.paused_at)
        assert session.closed == (session.ending is not None)

    @invariant()
    def every_revision_follows_the_one_before(self) -> None:
        seen: Counter[tuple[int, int]] = Counter()
        for attempt in self.room.attempts:
            assert attempt.revision == seen[attempt.position, attempt.learner]
            seen[attempt.position, attempt.learner] += 1
        if self.room.session.policy.change is Change.NEVER:
            assert set(seen.values()) <= {1}

    @invariant()
    def the_counting_attempts_make_a_score(self) -> None:
        last = {(attempt.learner, attempt.position): attempt for attempt in self.room.attempts}
        dropped = self.room.session.dropped
        for learner in (HOST, MODERATOR, A, B, C):
            grades = [a.grade for (who, position), a in last.items() if who == learner and position not in dropped]
            assert 0 <= score(grades, len(self.room.session.plan) - len(dropped)) <= 1

    @invariant()
    def nobody_waits_when_all_who_take_part_have_answered(self) -> None:
        session, room = self.room.session, self.room
        waiting = session.phase in (Phase.ASKED, Phase.OPEN) and session.paused_at is None
        if session.policy.pace is Pace.ALL_ANSWERED and waiting and room.joined:
            assert room.answered() < len(room.joined)

    @invariant()
    def the_present_state_can_be_shown(self) -> None:
        session = self.room.session
        for effects in (self.room.shown(), self.room.shown()):
            kinds = {type(effect) for effect in effects}
            if session.phase is Phase.NEW:
                assert kinds == set()
            elif session.closed:
                assert kinds == {Summarise}
            elif session.paused_at is not None:
                assert effects == (Notice(News.PAUSED),)
            else:
                revealed = session.phase is Phase.REVEALED
                assert kinds == ({Tell if session.policy.solo else Show} if revealed else {Ask})
                assert {effect.position for effect in effects} == {session.position}  # type: ignore[union-attr]


def only(effects: tuple[Effect, ...], kind: type[E]) -> list[E]:
    return [effect for effect in effects if isinstance(effect, kind)]


def check_step(before: Session, command: Command, facts: Facts, step: Step) -> None:
    """The laws that concern the session and the attempt."""
    after, policy = step.session, before.policy
    if step.refused:
        assert after is before
        assert step.attempt is None
        assert step.effects == (Refuse(step.refused.reason, facts.earlier),)
        check_refusal(before, command, facts, step.refused.reason)
        return
    assert not only(step.effects, Refuse)
    assert not before.closed
    assert (before.phase is Phase.NEW) == isinstance(command, Start)
    assert not isinstance(command, AtPosition) or command.position == before.position
    assert before.paused_at is None or isinstance(command, Resume | Stop | Join | Leave | Opened)

    # what never changes, and what only grows
    fixed = ("id", "place", "slot", "host", "quiz", "policy", "locales", "plan")
    assert all(getattr(before, name) == getattr(after, name) for name in fixed)
    assert before.position <= after.position < len(before.plan)
    skipped = range(before.position + 1, after.position)
    assert all(position in after.dropped and before.plan[position].item in facts.gone for position in skipped)
    assert before.dropped <= after.dropped
    for position in after.dropped - before.dropped:
        by_hand = isinstance(command, Skip) and not policy.solo and position == before.position
        assert by_hand or before.plan[position].item in facts.gone

    finished = before.phase is Phase.REVEALED or (policy.solo and facts.earlier is not None)
    if after.position != before.position and before.item in facts.gone and not finished:
        assert before.position in after.dropped

    # who may do what
    steers = command.by in (before.host, CLOCK) or (command.moderator and not isinstance(command, Start))
    if policy.solo:
        assert command.by in (before.host, CLOCK) or (isinstance(command, Stop) and command.moderator)
    if isinstance(command, STEERING):
        assert steers
    elif isinstance(command, Opened | Expire):
        assert command.by is CLOCK
    else:
        assert command.by is not CLOCK
        ended = before.phase is not after.phase and after.phase in (Phase.REVEALED, Phase.CLOSED)
        if not policy.solo and (ended or after.position != before.position):
            assert policy.pace is Pace.ALL_ANSWERED  # nobody but the last one missing ends an item for all
        if policy.answerers is Answerers.JOINED and not facts.is_joined:
            assert after == before
            assert isinstance(command, Join)
    check_attempt(before, command, facts, step)


def check_attempt(before: Session, command: Command, facts: Facts, step: Step) -> None:
    attempt = step.attempt
    if attempt is None:
        assert not isinstance(command, Answer)
        return
    assert isinstance(command, Answer) or (isinstance(command, Skip) and before.policy.solo)
    assert facts.item is not None
    response = command.response if isinstance(command, Answer) else Response()
    assert (attempt.session, attempt.position, attempt.learner) == (before.id, before.position, command.by)
    assert (attempt.item, attempt.response) == (before.item, response)
    assert (attempt.at, attempt.on) == (command.at, facts.today)
    assert attempt.grade == grade(facts.item, response, ACCEPTED)
    assert before.phase in (Phase.ASKED, Phase.OPEN)
    if attempt.revision:
        assert before.policy.change is Change.UNTIL_REVEAL
        assert facts.earlier
        earlier = facts.earlier.response
        assert (set(earlier.chosen), earlier.text) != (set(response.chosen), response.text)
    if isinstance(command, Answer):
        for limit in limits_of(before):
            assert command.at <= limit + GRACE if command.sent_at is None else command.sent_at <= limit
        assert before.policy.answerers is not Answerers.JOINED or facts.is_joined


def limits_of(session: Session) -> list[datetime]:
    return [limit for limit in (session.deadline, session.ends_at) if limit is not None]


def check_refusal(before: Session, command: Command, facts: Facts, reason: Reason) -> None:
    """A refusal has its cause; what is due, or a first answer in time, is never refused."""
    running = before.paused_at is None and before.phase in (Phase.ASKED, Phase.OPEN)
    present = isinstance(command, AtPosition) and command.position == before.position
    if before.closed:
        assert reason is Reason.CLOSED
    elif before.phase is Phase.NEW and not isinstance(command, Start):
        assert reason is Reason.NOT_NOW
    elif isinstance(command, AtPosition) and not present:
        assert reason is Reason.STALE
    elif isinstance(command, Expire) and command.by is CLOCK and running:
        assert all(command.at < limit + GRACE for limit in limits_of(before))
    elif isinstance(command, Stop):
        assert command.by != before.host
        assert not command.moderator
    elif isinstance(command, Answer) and running and facts.item is not None and command.by == before.host:
        in_time = all((command.sent_at or command.at) <= limit for limit in limits_of(before))
        fits = reason not in (Reason.NOTHING_CHOSEN, Reason.UNKNOWN_OPTION)
        joined = before.policy.answerers is not Answerers.JOINED or facts.is_joined
        assert not (in_time and fits and joined and facts.earlier is None)


def check_effects(room: Room, before: Session, command: Command, step: Step) -> None:
    """What the outside is told agrees with what happened."""
    after, effects = step.session, step.effects
    if step.refused:
        return
    shown, asked, retired = only(effects, Show), only(effects, Ask), only(effects, Retire)
    assert len(shown) + len(asked) <= 1
    assert all(ask.position == after.position for ask in asked)
    again = after.position == before.position and before.phase is not Phase.NEW
    assert all(ask.again == again for ask in asked)
    assert all(show.position == before.position == after.position for show in shown)
    assert not shown or before.item not in room.gone or before.phase is Phase.REVEALED
    assert all(after.item not in room.gone for ask in asked if not ask.again)
    assert all(retire.position == before.position for retire in retired)
    assert len(retired) <= 1
    private: list[Tell | Mark | GiveHint] = [*only(effects, Tell), *only(effects, Mark), *only(effects, GiveHint)]
    for told in private:
        assert told.position == before.position
        assert told.learner == command.by or isinstance(command, Resume)
    for tell in only(effects, Tell):
        assert tell.feedback == (before.policy.feedback is Feedback.AT_ONCE)
        assert tell.attempt == room.last(before.position, tell.learner)
    for tally in only(effects, Tally):
        assert (tally.position, tally.answered) == (before.position, room.answered())
    closing = after.closed
    if before.phase is not Phase.NEW and (closing or after.position != before.position):
        assert retired
    revealed_only_item = bool(shown) and len(after.plan) == 1
    assert len(only(effects, Summarise)) == (1 if closing and not revealed_only_item else 0)
    gone = [notice.count for notice in only(effects, Notice) if notice.news is News.GONE]
    by_hand = isinstance(command, Skip) and any(n.news is News.DROPPED for n in only(effects, Notice))
    assert sum(gone) == len(after.dropped - before.dropped) - by_hand
    assert len(gone) <= 1


LAWS = [name for name, value in vars(Sessions).items() if hasattr(value, "hypothesis_stateful_invariant")]


@pytest.mark.parametrize("mode", MODES)
def test_the_laws_hold_whatever_people_do(mode: str) -> None:
    machine = type("Sessions", (Sessions,), {"mode": mode})
    run_state_machine_as_test(machine, settings=settings(max_examples=35, stateful_step_count=40))


class Dice:
    """An endless row of choices that a seed decides."""

    def __init__(self, seed: str) -> None:
        self.seed, self.thrown = seed, 0

    def __call__(self, choices: Sequence[T]) -> T:
        self.thrown += 1
        digest = hashlib.sha256(f"{self.seed} {self.thrown}".encode()).digest()
        return choices[int.from_bytes(digest[:8]) % len(choices)]


MOVES = (*("answer", "answer", "again", "select", "join", "steer", "steer"), *("pause", "anything", "sent", "restart"))


def random_move(sessions: Sessions, pick: Dice) -> None:
    alone = sessions.room.session.policy.solo
    person = HOST if alone and pick(range(4)) else pick(PEOPLE)
    if pick(range(40)) == 0:
        sessions.an_item_goes_or_the_bank_is_restored(pick([*ITEMS, None]))
    if pick(range(12)) == 0:
        sessions.time_passes(pick(SECONDS))
    match pick(MOVES):
        case "answer":
            sessions.answer(person, pick(RESPONSES), pick([None, 0, 3, -3]), pick([1, 2]))
        case "again":
            sessions.answer_again(person, pick(OPTIONS))
        case "select":
            sessions.select_or_ask_for_help(person, pick("abz"))
        case "join":
            sessions.join_or_leave(person)
        case "steer":
            sessions.steer(pick(STEERERS), pick(STEPS))
        case "pause":
            sessions.pause_or_resume(pick(STEERERS))
            sessions.join_or_leave(person)
            sessions.time_passes(pick(SECONDS))
            sessions.pause_or_resume(CLOCK)
        case "anything":
            sessions.anything(pick([*PEOPLE, CLOCK]), pick([kind for kind in COMMANDS if kind is not Stop]), pick(AWAY))
        case "sent":
            sessions.the_message_is_sent()
        case "restart":
            sessions.the_program_restarts()


@pytest.mark.parametrize("mode", MODES)
def test_the_laws_hold_on_many_walks_through_a_session_to_its_end(mode: str) -> None:
    """Walks reach the far corners; the machine above finds the shortest way into one."""
    closed, answered = 0, 0
    for seed in range(30):
        sessions, pick = type("Sessions", (Sessions,), {"mode": mode})(), Dice(f"{mode} {seed}")
        sessions.create(started=True)
        for _ in range(80):
            random_move(sessions, pick)
            for law in LAWS:
                getattr(sessions, law)()
        closed += sessions.room.session.closed
        answered += len(sessions.room.attempts)
    assert closed > 5
    assert answered > 25
