"""A desk for the tutor's tests: a bank made by hand, a real store, a clock that the test sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from bot.bank import Bank, Course, Deck, Entry, Option, Paragraph, Quiz, Span, Words
from bot.quiz import (
    LEARN,
    Answer,
    Attempt,
    Blueprint,
    Command,
    Item,
    Kind,
    Number,
    Opened,
    Policy,
    Reason,
    Response,
    Session,
    Step,
)
from bot.store import Store, Tx
from bot.tutor import Busy, Empty, act, adopt, begin, claim, fire, solo_slot

T = TypeVar("T")

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def at(seconds: float) -> datetime:
    """A moment, counted from noon."""
    return NOON + timedelta(seconds=seconds)


def words(item: Item, accept: tuple[str, ...] = ()) -> Words:
    said = (Paragraph((Span(item.id),)),)
    options = {option: Option((Paragraph((Span(option),)),), said) for option in item.options}
    return Words(said, (), said, "", options, accept)


def entry(item: Item, *locales: str, accept: tuple[str, ...] = ()) -> Entry:
    return Entry(item, {tag: words(item, accept) for tag in locales or ("en", "ru")}, (), (), "made/by-hand.toml")


def single(name: str, key: str = "a", options: str = "ab", **more: Any) -> Item:
    return Item(name, Kind.SINGLE, tuple(options), frozenset(key), module="mod", **more)


def multiple(name: str, key: str = "ac", options: str = "abc") -> Item:
    return Item(name, Kind.MULTIPLE, tuple(options), frozenset(key), module="mod")


def number(name: str, value: str) -> Item:
    return Item(name, Kind.NUMBER, answer=Number(Decimal(value)), module="mod")


def bank_of(*entries: Entry | Item) -> Bank:
    """A bank with one quiz, `all`, that asks everything in order with shuffled options."""
    found = [e if isinstance(e, Entry) else entry(e) for e in entries]
    title = {"en": "All", "ru": "Всё"}
    return Bank(
        root=Path(),
        courses={"made": Course("made", title, title)},
        decks={"mod": Deck("mod", "made", title, 1)},
        entries={e.item.id: e for e in found},
        quizzes={"all": Quiz(Blueprint("all", modules=("mod",)), "made", title, {})},
    )


def without(bank: Bank, *items: str) -> Bank:
    return bank_of(*(e for name, e in bank.entries.items() if name not in items))


@dataclass
class Desk:
    """One place, one learner who plays alone in it, and the bank as it is now."""

    store: Store
    bank: Bank
    place: int
    host: int

    @classmethod
    async def set_up(cls, store: Store, bank: Bank, *, chat: str = "1") -> Desk:
        def work(tx: Tx) -> tuple[int, int]:
            adopt(tx, bank, NOON)
            return tx.place_of("telegram", chat, at=NOON).id, tx.learner_of("telegram", chat, NOON)

        place, host = await store.run(work)
        return cls(store, bank, place, host)

    async def run(self, fn: Callable[[Tx], T]) -> T:
        return await self.store.run(fn)

    async def begin(
        self,
        session: str = "one",
        *,
        policy: Policy = LEARN,
        quiz: Quiz | Sequence[str] | None = None,
        slot: str | None = None,
        locales: tuple[str, ...] = ("en",),
        origin: str | None = None,
        when: float = 0,
    ) -> Step | Busy | Empty:
        return await self.run(
            lambda tx: begin(
                tx,
                self.bank,
                session=session,
                place=self.place,
                slot=slot or solo_slot(self.host),
                host=self.host,
                quiz=self.bank.quizzes["all"] if quiz is None else quiz,
                policy=policy,
                locales=locales,
                at=at(when),
                origin=origin,
            )
        )

    async def begun(self, session: str = "one", **more: Any) -> Session:
        step = await self.begin(session, **more)
        assert isinstance(step, Step)
        return step.session

    async def act(self, command: Command, session: str = "one") -> Step:
        step = await self.run(lambda tx: act(tx, self.bank, session, command))
        assert step is not None
        return step

    def answer(self, position: int, *chosen: str, when: float = 0, text: str = "", by: int | None = None) -> Answer:
        response = Response(tuple(chosen), text)
        return Answer(by=by or self.host, at=at(when), position=position, response=response)

    async def opened(self, position: int, when: float) -> Step:
        return await self.act(Opened(by=None, at=at(when), position=position))

    async def attempts(self, session: str = "one") -> list[Attempt]:
        return await self.run(lambda tx: tx.attempts_of(session))

    async def session(self, session: str = "one") -> Session:
        found = await self.run(lambda tx: tx.session(session))
        assert found is not None
        return found

    async def tick(self, when: float) -> list[Step]:
        """What the ticker would do at a moment: claim, commit, fire each."""
        rows = await self.run(lambda tx: claim(tx, at(when)))
        steps = [
            await self.run(lambda tx, row=row: fire(tx, self.bank, row, at(when), f"clock{row.id}")) for row in rows
        ]
        return [step for step in steps if step is not None]

    def edited(self, bank: Bank) -> Desk:
        """The same desk after the author changed the bank."""
        return replace(self, bank=bank)


def reason(step: Step) -> Reason | None:
    return step.refused.reason if step.refused else None
