"""A small honest world around the machine: people, items, and a room that remembers what a store would.

The room keeps an append-only list of attempts and computes every fact from it, as the tutor does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from bot.quiz import (
    LEARN,
    Answer,
    AtPosition,
    Attempt,
    Change,
    Command,
    Effect,
    Facts,
    Feedback,
    Item,
    Kind,
    Mark,
    News,
    Notice,
    Number,
    Pace,
    Plan,
    Planned,
    Policy,
    Response,
    Session,
    Start,
    Step,
    advance,
    current,
    daily,
    exam,
    group,
)

HOST, MODERATOR, A, B, C = 1, 2, 11, 12, 13
CLOCK = None
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

MODES: dict[str, Policy] = {
    "learn": LEARN,
    "exam": exam(),
    "exam with limits": exam(item_limit_s=30, session_limit_s=70),
    "exam with a limit for the whole": exam(session_limit_s=70),
    "group": group(),
    "group, once": group(change=Change.NEVER),
    "group, once, told at once": group(change=Change.NEVER, feedback=Feedback.AT_ONCE),
    "group by the clock": group(pace=Pace.CLOCK, item_limit_s=30),
    "group by the clock, once": group(pace=Pace.CLOCK, item_limit_s=30, change=Change.NEVER),
    "group until all have answered": group(pace=Pace.ALL_ANSWERED),
    "group until all have answered, once, told at once": group(
        pace=Pace.ALL_ANSWERED, change=Change.NEVER, feedback=Feedback.AT_ONCE, item_limit_s=30
    ),
    "group of those who joined": group(open_to_all=False),
    "daily": daily(open_s=3600),
}

MANY = Item("many", Kind.MULTIPLE, ("a", "b", "c", "d"), frozenset("ab"))
ONE = Item("one", Kind.SINGLE, ("a", "b", "c"), frozenset("b"))
TYPED = Item("typed", Kind.TEXT)
COUNTED = Item("counted", Kind.NUMBER, answer=Number(Decimal(3)))
ITEMS = (MANY, ONE, TYPED, COUNTED)
ACCEPTED = ("safetensors",)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def plan_of(*items: Item) -> Plan:
    return Plan(tuple(Planned(item.id, item.options) for item in items))


def session_of(policy: Policy, items: Iterable[Item] = ITEMS) -> Session:
    return Session("s1", 7, "slot", HOST, "quiz", policy, ("ru",), plan_of(*items))


def chosen(*options: str) -> Response:
    return Response(chosen=options)


def typed(text: str) -> Response:
    return Response(text=text)


@dataclass
class Room:
    """One session and all that is known of it."""

    session: Session
    items: tuple[Item, ...] = ITEMS
    now: datetime = NOON
    gone: set[str] = field(default_factory=set)
    attempts: list[Attempt] = field(default_factory=list)
    joined: set[int] = field(default_factory=set)
    drafts: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def for_mode(cls, mode: str, items: tuple[Item, ...] = ITEMS) -> Room:
        """A new session in which nothing was asked yet; who starts a session for many takes part in it."""
        policy = MODES[mode]
        room = cls(session_of(policy, items[:1] if mode == "daily" else items), items)
        if not policy.solo:
            room.joined.add(HOST)
        return room

    @property
    def bank(self) -> dict[str, Item]:
        return {item.id: item for item in self.items if item.id not in self.gone}

    def last(self, position: int, learner: int | None) -> Attempt | None:
        found = [a for a in self.attempts if (a.position, a.learner) == (position, learner)]
        return found[-1] if found else None

    def answered(self) -> int:
        return sum(1 for person in self.joined if self.last(self.session.position, person))

    def facts(self, command: Command | None = None) -> Facts:
        learner = command.by if command else None
        if learner is None and self.session.policy.solo:
            learner = self.session.host
        position = command.position if isinstance(command, AtPosition) else self.session.position
        item = self.bank.get(self.session.item)
        return Facts(
            today=self.now.date(),
            item=item,
            accepted=ACCEPTED if item is not None and item.kind is Kind.TEXT else (),
            earlier=self.last(position, learner),
            draft=self.drafts.get((self.session.position, learner), ()) if learner is not None else (),
            is_joined=learner in self.joined,
            joined=len(self.joined),
            answered=self.answered(),
            gone=frozenset(self.gone & set(self.session.plan.items)),
        )

    def send(self, command: Command) -> Step:
        """Carry out a command and remember what it did."""
        step = advance(self.session, command, self.facts(command))
        if step.attempt:
            self.attempts.append(step.attempt)
            if not self.session.policy.solo:
                self.joined.add(step.attempt.learner)
        for effect in step.effects:
            match effect:
                case Mark(learner, position, ticked):
                    self.drafts[position, learner] = ticked
                case Notice(News.JOINED, int(learner)):
                    self.joined.add(learner)
                case Notice(News.LEFT, int(learner)):
                    self.joined.remove(learner)
                case _:
                    pass
        self.session = step.session
        return step

    def do(self, command: type[Command], by: int | None = HOST, **rest: Any) -> Step:
        """Send a command at this moment, about the present position unless another is named."""
        rest = {"moderator": by == MODERATOR, "at": self.now, **rest}
        if issubclass(command, AtPosition):
            rest.setdefault("position", self.session.position)
        return self.send(command(by=by, **rest))

    def answer(self, by: int, *options: str, text: str = "", **rest: Any) -> Step:
        return self.do(Answer, by, response=Response(options, text), **rest)

    def start(self) -> Room:
        self.do(Start)
        return self

    def shown(self) -> tuple[Effect, ...]:
        return current(self.session, self.facts())
