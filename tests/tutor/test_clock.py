"""Deadlines live in the store: honoured once, however late, whoever comes first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.quiz import (
    Answer,
    Ask,
    Change,
    Join,
    News,
    Next,
    Notice,
    Pace,
    Phase,
    Reason,
    Response,
    Resume,
    Reveal,
    Show,
    Step,
    Stop,
    Summarise,
    exam,
    group,
)
from bot.store import Store
from bot.tutor import EXPIRE, show
from tests.tutor.desk import NOON, Desk, at, bank_of, reason, single

BANK = bank_of(single("q-1"), single("q-2"), single("q-3", "b"))
WHOLE = exam(session_limit_s=60)
EACH = exam(item_limit_s=30)


@pytest.fixture
async def desk(store: Store) -> Desk:
    return await Desk.set_up(store, BANK)


def news(step: Step) -> list[News]:
    return [effect.news for effect in step.effects if isinstance(effect, Notice)]


async def test_clock_of_an_exam_starts_when_the_first_question_was_really_sent(desk: Desk) -> None:
    await desk.begun(policy=WHOLE)
    assert await desk.tick(1000) == []
    opened = await desk.opened(0, 1000)
    assert opened.session.ends_at == at(1060)
    assert (await desk.run(lambda tx: tx.due.of(EXPIRE, "one"))).at == at(1062)  # type: ignore[union-attr]


async def test_time_of_the_whole_closes_the_session_once_with_the_score_so_far(desk: Desk) -> None:
    await desk.begun(policy=WHOLE)
    await desk.opened(0, 0)
    await desk.act(desk.answer(0, "a", when=5))
    await desk.act(Next(by=desk.host, at=at(6), position=0))
    assert await desk.tick(61.9) == []
    (step,) = await desk.tick(62)
    assert news(step) == [News.SESSION_TIME_UP]
    (summary,) = (e for e in step.effects if isinstance(e, Summarise))
    assert [r.grade for r in summary.results] == [1, 0, 0]
    assert step.session.closed
    assert await desk.tick(1000) == []
    assert await desk.run(lambda tx: tx.due.of(EXPIRE, "one")) is None
    assert len(await desk.attempts()) == 1


async def test_deadline_that_nobody_noticed_is_honoured_by_the_next_command(desk: Desk) -> None:
    await desk.begun(policy=WHOLE)
    await desk.opened(0, 0)
    late = await desk.act(desk.answer(0, "a", when=4000))
    assert news(late) == [News.SESSION_TIME_UP]
    assert reason(late) is Reason.CLOSED
    assert late.session.closed
    assert await desk.attempts() == []
    assert await desk.tick(4001) == []


async def test_deadline_that_nobody_noticed_is_honoured_by_showing_the_session(desk: Desk) -> None:
    await desk.begun(policy=EACH)
    await desk.opened(0, 0)
    session = await desk.session()
    step = await desk.run(lambda tx: show(tx, BANK, session, at=at(33)))
    assert news(step) == [News.TIME_UP]
    assert step.session.position == 1
    assert step.effects[-1] == Ask(1)
    assert await desk.tick(33) == []


async def test_limit_of_an_item_goes_on_to_the_next_item_whose_clock_waits_for_its_message(desk: Desk) -> None:
    await desk.begun(policy=EACH)
    await desk.opened(0, 0)
    (step,) = await desk.tick(32)
    assert (step.session.position, step.session.phase) == (1, Phase.ASKED)
    assert await desk.tick(5000) == []
    await desk.opened(1, 5000)
    assert [s.session.position for s in await desk.tick(5032)] == [2]


async def test_stopped_session_has_nothing_due(desk: Desk) -> None:
    await desk.begun(policy=EACH)
    await desk.opened(0, 0)
    await desk.act(Stop(by=desk.host, at=at(1)))
    assert await desk.run(lambda tx: tx.due.of(EXPIRE, "one")) is None


async def test_two_tickers_fire_a_row_once(desk: Desk) -> None:
    await desk.begun(policy=WHOLE)
    await desk.opened(0, 0)
    first = await desk.tick(62)
    second = await desk.tick(62)
    assert [len(first), len(second)] == [1, 0]


async def test_session_without_a_limit_never_expires(desk: Desk) -> None:
    await desk.begun()
    await desk.opened(0, 0)
    assert await desk.run(lambda tx: tx.due.next_at()) is None
    assert reason(await desk.act(desk.answer(0, "a", when=10**8))) is None


# --- cases


def press(learner: int, position: int, option: str, *, sent: float | None, received: float) -> Answer:
    return Answer(
        by=learner,
        at=at(received),
        position=position,
        response=Response((option,)),
        sent_at=None if sent is None else at(sent),
    )


async def test_case_57_answers_around_the_deadline(desk: Desk) -> None:
    """Elsewhere the clock began before the question was shown, and a late answer counted for the next question."""
    u1, u2, u3 = [
        await desk.run(lambda tx, name=name: tx.learner_of("discord", name, NOON)) for name in ("u1", "u2", "u3")
    ]
    policy = group(pace=Pace.CLOCK, change=Change.NEVER, item_limit_s=20)
    await desk.begun(policy=policy, slot="group")
    opened = await desk.opened(0, 4.2)
    assert opened.session.deadline == at(24.2)
    assert (await desk.act(press(u1, 0, "a", sent=24.1, received=24.1))).attempt is not None
    assert (await desk.act(press(u2, 0, "a", sent=24.1, received=25.0))).attempt is not None
    late = await desk.act(press(u3, 0, "a", sent=24.3, received=24.3))
    assert (reason(late), late.attempt) == (Reason.LATE, None)
    (closed,) = await desk.tick(26.2)
    (shown,) = (e for e in closed.effects if isinstance(e, Show))
    assert {a.learner for a in shown.attempts} == {u1, u2}
    assert await desk.tick(26.2) == []
    await desk.act(Next(by=None, at=at(26.3), position=0))
    await desk.opened(1, 26.4)
    stale = await desk.act(press(u3, 0, "b", sent=27, received=27))
    assert reason(stale) is Reason.STALE
    assert [(a.learner, a.position) for a in await desk.attempts()] == [(u1, 0), (u2, 0)]


async def test_case_57_the_last_answer_and_the_timer_together_close_a_question_once(desk: Desk) -> None:
    learner = await desk.run(lambda tx: tx.learner_of("discord", "u1", NOON))
    await desk.begun(policy=group(pace=Pace.ALL_ANSWERED, item_limit_s=20), slot="group")
    await desk.act(Join(by=learner, at=at(0)))
    await desk.opened(0, 0)
    await desk.act(press(desk.host, 0, "a", sent=None, received=5))
    first = await desk.act(press(learner, 0, "a", sent=None, received=21.9))
    assert first.session.phase is Phase.REVEALED
    ticked = await desk.tick(22)
    shows = [e for step in (first, *ticked) for e in step.effects if isinstance(e, Show)]
    assert len(shows) == 1


async def test_case_59_restart_in_the_middle_of_a_question(tmp_path: Path) -> None:
    """Elsewhere buttons said `interaction failed`, and the quiz could be neither stopped nor finished."""
    path = tmp_path / "own.db"
    async with Store.open(path, clock=lambda: NOON) as store:
        desk = await Desk.set_up(store, BANK)
        await desk.begun(policy=EACH)
        await desk.opened(0, 1)
        await desk.act(desk.answer(0, "a", when=5))
        await desk.act(Next(by=desk.host, at=at(5.5), position=0))
        await desk.opened(1, 6)
    async with Store.open(path, clock=lambda: NOON) as store:  # killed at 10, booted at 20
        desk = replace(desk, store=store)
        assert await desk.tick(20) == []
        pressed = await desk.act(desk.answer(1, "a", when=22))
        assert pressed.attempt is not None
        await desk.act(Next(by=desk.host, at=at(22.5), position=1))
        await desk.opened(2, 23)
    async with Store.open(path, clock=lambda: NOON) as store:  # killed at 24, booted at 4000
        desk = replace(desk, store=store)
        (expired,) = await desk.tick(4000)
        assert expired.session.closed
        (summary,) = (e for e in expired.effects if isinstance(e, Summarise))
        assert sum(r.grade for r in summary.results) == 2
        assert await desk.tick(4000.5) == []
        late = await desk.act(desk.answer(2, "b", when=4001))
        assert reason(late) is Reason.CLOSED
        assert reason(await desk.act(Stop(by=desk.host, at=at(4002)))) is Reason.CLOSED
        assert (await desk.begun("two", when=4003)).position == 0


async def test_case_59_press_that_comes_before_the_ticker_finds_the_session_expired(desk: Desk) -> None:
    await desk.begun(policy=exam(item_limit_s=30), quiz=("q-3",))
    await desk.opened(0, 23)
    pressed = await desk.act(desk.answer(0, "b", when=4001))
    assert pressed.session.closed
    assert news(pressed) == [News.TIME_UP]
    assert reason(pressed) is Reason.CLOSED
    assert await desk.attempts() == []


async def test_a_group_whose_host_has_vanished_pauses_after_half_an_hour_and_a_moderator_goes_on(desk: Desk) -> None:
    await desk.begun(policy=group(), slot="group")
    await desk.opened(0, 10)
    other = await desk.run(lambda tx: tx.learner_of("telegram", "B", NOON))
    await desk.act(desk.answer(0, "a", when=1700, by=other))
    assert await desk.tick(1809) == []
    (paused,) = await desk.tick(1811)
    assert news(paused) == [News.PAUSED]
    assert await desk.tick(9999) == []
    resumed = await desk.act(Resume(by=other, moderator=True, at=at(9999)))
    assert news(resumed) == [News.RESUMED]
    revealed = await desk.act(Reveal(by=other, moderator=True, at=at(10000), position=0))
    assert revealed.session.phase is Phase.REVEALED


async def test_a_group_that_is_moved_on_in_time_is_not_paused(desk: Desk) -> None:
    await desk.begun(policy=group(), slot="group")
    await desk.opened(0, 0)
    await desk.act(Reveal(by=desk.host, at=at(1700), position=0))
    assert await desk.tick(1900) == []
    await desk.act(Stop(by=desk.host, at=at(1901)))
    assert await desk.tick(9999) == []
