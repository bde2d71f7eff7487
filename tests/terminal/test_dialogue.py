"""The dialogue with a clock in our hands: time speaks while a person thinks."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from bot.app import catalogues, shipped
from bot.bank import load
from bot.chats.context import Context
from bot.chats.terminal import Dialogue, Event, Line, Wanted
from bot.quiz import exam
from bot.store import Store
from bot.tutor import claim, fire

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@dataclass
class Stage:
    """A dialogue, what it has printed, and the moment it believes in."""

    store: Store
    moment: datetime = NOON
    out: io.StringIO = field(default_factory=io.StringIO)
    events: asyncio.Queue[Event] = field(default_factory=asyncio.Queue)

    def context(self) -> Context:
        names = iter("abcdefgh")
        return Context(self.store, load(shipped("content")), catalogues(None), lambda: self.moment, lambda: next(names))

    def start(self, seconds: int | None = None, *, minutes: int | None = None) -> asyncio.Task[bool]:
        context = self.context()
        console = Console(file=self.out, width=72, no_color=True, highlight=False)
        dialogue = Dialogue(context, console, context.languages["en"], self.events, echo=True)
        quiz = context.bank.quizzes["seed"]
        policy = exam(item_limit_s=seconds, session_limit_s=minutes and minutes * 60)
        return asyncio.create_task(dialogue.play(Wanted(quiz, policy), fresh=False))

    async def until(self, words: str) -> None:
        while words not in self.out.getvalue():  # noqa: ASYNC110 what is printed raises no event
            await asyncio.sleep(0)

    async def tick(self) -> None:
        rows = await self.store.run(lambda tx: claim(tx, self.moment))
        for row in rows:
            step = await self.store.run(lambda tx, row=row: fire(tx, self.context().bank, row, self.moment, "never"))
            if step is not None:
                await self.events.put(step)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    async with Store.open(tmp_path / "kontrolka.db", clock=lambda: NOON) as store:
        yield Stage(store)


async def test_time_that_runs_out_while_a_person_thinks_brings_the_next_question(stage: Stage) -> None:
    async with asyncio.timeout(60):
        playing = stage.start(30)
        await stage.until("Your answer (A–D): ")
        stage.moment += timedelta(seconds=33)
        await stage.tick()
        await stage.until("Question 2 of 8")
        await stage.events.put(Line("b"))
        await stage.until("Recorded: B.")
        await stage.events.put(Line("q"))
        assert await playing is True
    said = " ".join(stage.out.getvalue().split())
    assert "Time is up for this question. Question 2 of 8" in said
    assert said.count("Question 1 of 8") == 1
    assert said.endswith("Your answers are saved, but the clock of this question keeps running.")


async def test_answer_typed_before_the_clock_was_heard_is_too_late_for_the_old_question_only(stage: Stage) -> None:
    async with asyncio.timeout(60):
        playing = stage.start(30)
        await stage.until("Your answer (A–D): ")
        stage.moment += timedelta(seconds=33)
        await stage.events.put(Line("d"))
        await stage.until("Question 2 of 8")
        await stage.events.put(Line(None))
        assert await playing is True
    said = " ".join(stage.out.getvalue().split())
    assert "Time is up for this question." in said
    assert "Recorded" not in said
    assert await stage.store.run(lambda tx: tx.counting_attempts("a")) == []


async def test_an_exam_against_the_clock_says_its_limit_what_is_left_and_that_the_clock_runs_on(stage: Stage) -> None:
    """It never said that there was a limit, and promised that one could go on at any time."""
    async with asyncio.timeout(60):
        playing = stage.start(minutes=45)
        await stage.until("Your answer (A–D): ")
        stage.moment += timedelta(minutes=7, seconds=30)
        await stage.events.put(Line("d"))
        await stage.until("Recorded: D.")
        await stage.events.put(Line("q"))
        assert await playing is True
        first = " ".join(stage.out.getvalue().split())
        assert "q to quit: the clock keeps running. Question 1 of 8" in first
        assert first.count("Time limit for the whole quiz: 45 minutes.") == 1
        assert "place is saved" not in first
        assert first.endswith("Your answers are saved, but the clock keeps running: 37 minutes are left.")

        stage.out.truncate(0)
        stage.moment += timedelta(minutes=37)
        playing = stage.start(minutes=45)
        await stage.until("or type another answer: ")
        await stage.events.put(Line(""))
        await stage.until("Question 2 of 8")
        await stage.until("Your answer (A–D): ")
        playing.cancel()
        assert await playing is True
    again = " ".join(stage.out.getvalue().split())
    assert again.count("Time left at this point: less than a minute.") == 1
    assert "Time limit" not in again
    assert again.endswith("Your answers are saved, but the clock keeps running: less than a minute is left.")


async def test_session_deleted_meanwhile_ends_the_dialogue_politely(stage: Stage) -> None:
    async with asyncio.timeout(60):
        playing = stage.start(30)
        await stage.until("Your answer (A–D): ")
        await stage.store.forget(await stage.store.run(lambda tx: tx.learner_of("terminal", "", NOON)))
        await stage.events.put(Line("d"))
        await playing
    assert "This quiz has been deleted in the meantime." in stage.out.getvalue()
