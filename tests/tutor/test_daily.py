"""The daily question: exactly once per local date, whatever happens to the program, the place and the clocks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from bot.quiz import Answer, Ask, Phase, Response, Show, Step
from bot.store import Daily, PostState, Run, Store, Tx
from bot.tutor import QUESTION, REVEAL, claim, fire
from bot.tutor.daily import (
    BROKEN,
    EMPTY,
    MISSED,
    NOTICE,
    break_place,
    choose,
    keep,
    next_runs,
    post_now,
    remove,
    void_run,
)
from tests.tutor.desk import Desk, bank_of, reason, single

MONDAY = date(2026, 11, 30)
NINE_IN_BERLIN = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
EVENING_BEFORE = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)


class Board(Desk):
    """A group with a daily question at nine in Berlin, and a clock that the test sets by date."""

    daily: Daily

    async def ask_daily(self, at: datetime = EVENING_BEFORE, **more: Any) -> Daily:
        wish = Daily(0, self.place, self.host, time(9), "Europe/Berlin", frozenset(range(7)), "all", ("en",), 36000)
        self.daily = await self.run(lambda tx: keep(tx, replace(wish, **more), at))
        return self.daily

    async def tick_at(self, moment: datetime) -> list[Step]:
        rows = await self.run(lambda tx: claim(tx, moment))
        name = f"{moment:%d%H%M%S}"
        steps = [
            await self.run(lambda tx, row=row: fire(tx, self.bank, row, moment, f"s{name}x{row.id}")) for row in rows
        ]
        return [step for step in steps if step is not None]

    async def runs(self) -> list[Run]:
        return list(reversed(await self.run(lambda tx: tx.dailies.runs(self.daily.id, 99))))

    async def due_at(self) -> datetime | None:
        due = await self.run(lambda tx: tx.due.of("daily", f"place:{self.place}:daily:{self.daily.id}"))
        return None if due is None else due.at

    async def notices(self) -> list[str]:
        posts = await self.run(lambda tx: tx.posts.in_state(PostState.PENDING))
        return [post.payload["news"] for post in posts if post.kind == NOTICE]


@pytest.fixture
async def board(store: Store) -> Board:
    bank = bank_of(single("one-a"), single("two-b"), single("three-c"))
    desk = await Board.set_up(store, bank, chat="-100")
    return Board(desk.store, desk.bank, desk.place, desk.host)


async def test_the_question_is_asked_once_and_the_next_day_is_due(board: Board) -> None:
    await board.ask_daily()
    assert await board.tick_at(NINE_IN_BERLIN - timedelta(seconds=1)) == []
    (step,) = await board.tick_at(NINE_IN_BERLIN)
    assert step.effects == (Ask(0),)
    assert await board.tick_at(NINE_IN_BERLIN + timedelta(minutes=5)) == []
    (run,) = await board.runs()
    assert (run.on, run.state, run.session) == (MONDAY, "begun", step.session.id)
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1)


async def test_the_post_is_demanded_in_the_commit_that_records_the_run(board: Board) -> None:
    await board.ask_daily()
    (step,) = await board.tick_at(NINE_IN_BERLIN)
    posts = await board.run(lambda tx: tx.posts.of_session(step.session.id))
    assert [(post.kind, post.state, post.place) for post in posts] == [(QUESTION, PostState.PENDING, board.place)]


async def test_a_second_ticker_with_the_same_row_asks_nothing(board: Board) -> None:
    await board.ask_daily()
    (row,) = [r for r in await board.run(lambda tx: claim(tx, NINE_IN_BERLIN)) if r.kind == "daily"]
    first = await board.run(lambda tx: fire(tx, board.bank, row, NINE_IN_BERLIN, "first"))
    second = await board.run(lambda tx: fire(tx, board.bank, row, NINE_IN_BERLIN, "second"))
    assert first is not None
    assert second is None
    assert len(await board.runs()) == 1


async def test_an_hour_late_is_caught_up_and_three_hours_late_is_missed_and_told_once(board: Board) -> None:
    await board.ask_daily()
    (step,) = await board.tick_at(NINE_IN_BERLIN + timedelta(hours=1))
    assert step.session.phase is Phase.ASKED
    assert await board.tick_at(NINE_IN_BERLIN + timedelta(days=1, hours=3)) == []
    assert [(run.on.day, run.state) for run in await board.runs()] == [(30, "begun"), (1, "missed")]
    assert await board.notices() == [MISSED]
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=2)


async def test_three_days_down_end_in_one_missed_run_and_the_next_regular_one(board: Board) -> None:
    await board.ask_daily()
    boot = NINE_IN_BERLIN + timedelta(days=3, hours=-3)
    assert await board.tick_at(boot) == []
    assert await board.tick_at(boot + timedelta(seconds=1)) == []
    assert [run.state for run in await board.runs()] == ["missed"]
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=3)


async def test_quiet_hours_hold_a_late_question_back(board: Board) -> None:
    await board.ask_daily(at=EVENING_BEFORE, quiet=(time(8), time(10)))
    assert await board.tick_at(NINE_IN_BERLIN + timedelta(minutes=30)) == []
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(hours=1)
    (step,) = await board.tick_at(NINE_IN_BERLIN + timedelta(hours=1))
    assert step.effects == (Ask(0),)
    assert [run.on for run in await board.runs()] == [MONDAY]


async def test_changing_the_time_replaces_the_run_that_was_due(board: Board) -> None:
    daily = await board.ask_daily()
    await board.run(lambda tx: keep(tx, replace(daily, at=time(12)), EVENING_BEFORE))
    assert await board.tick_at(NINE_IN_BERLIN) == []
    assert len(await board.tick_at(NINE_IN_BERLIN + timedelta(hours=3))) == 1


async def test_a_later_time_on_a_day_that_was_asked_does_not_ask_again(board: Board) -> None:
    daily = await board.ask_daily()
    await board.tick_at(NINE_IN_BERLIN)
    await board.run(lambda tx: keep(tx, replace(daily, at=time(12)), NINE_IN_BERLIN + timedelta(minutes=1)))
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1, hours=3)


async def test_no_item_repeats_until_the_pool_is_used_up_then_the_oldest_comes_first(board: Board) -> None:
    await board.ask_daily()
    asked = []
    for day in range(6):
        (step,) = [
            s for s in await board.tick_at(NINE_IN_BERLIN + timedelta(days=day)) if s.session.phase is Phase.ASKED
        ]
        asked.append(step.session.item)
    assert sorted(asked[:3]) == ["one-a", "three-c", "two-b"]
    assert asked[3:] == asked[:3]


async def test_everyone_answers_once_and_the_clock_reveals(board: Board) -> None:
    await board.ask_daily(open_s=600)
    (step,) = await board.tick_at(NINE_IN_BERLIN)
    others = [await board.run(lambda tx, n=n: tx.learner_of("telegram", n, NINE_IN_BERLIN)) for n in "АБВ"]
    soon = NINE_IN_BERLIN + timedelta(seconds=5)
    for i, learner in enumerate(others):
        chosen = Response(("a" if i else "b",))
        command = Answer(by=learner, at=soon, position=0, response=chosen)
        assert reason(await board.act(command, step.session.id)) is None
        assert reason(await board.act(command, step.session.id)) is not None
    (closed,) = await board.tick_at(NINE_IN_BERLIN + timedelta(seconds=620))
    (show,) = [effect for effect in closed.effects if isinstance(effect, Show)]
    assert sorted(attempt.grade for attempt in show.attempts) == [0, 1, 1]
    assert closed.session.closed


async def test_an_open_question_blocks_neither_the_next_day_nor_a_group_quiz(board: Board) -> None:
    await board.ask_daily(open_s=3 * 86400)
    await board.tick_at(NINE_IN_BERLIN)
    (second,) = await board.tick_at(NINE_IN_BERLIN + timedelta(days=1))
    assert second.effects == (Ask(0),)
    assert isinstance(await board.begin("quiz", slot="group"), Step)


async def test_an_answer_in_a_reply_is_demanded_as_a_post_of_its_own(board: Board) -> None:
    await board.ask_daily(open_s=600, reply=True)
    (step,) = await board.tick_at(NINE_IN_BERLIN)
    learner = await board.run(lambda tx: tx.learner_of("telegram", "А", NINE_IN_BERLIN))
    answer = Answer(by=learner, at=NINE_IN_BERLIN, position=0, response=Response(("a",)))
    await board.act(answer, step.session.id)
    await board.tick_at(NINE_IN_BERLIN + timedelta(seconds=620))
    kinds = [post.kind for post in await board.run(lambda tx: tx.posts.of_session(step.session.id))]
    assert kinds == [QUESTION, REVEAL]


async def test_a_date_that_is_skipped_is_left_out_once(board: Board) -> None:
    daily = await board.ask_daily()
    skipped = replace(daily, skip=next_runs(daily, EVENING_BEFORE, 1)[0][0])
    await board.run(lambda tx: keep(tx, skipped, EVENING_BEFORE))
    assert next_runs(skipped, EVENING_BEFORE, 1)[0][0] == date(2026, 12, 1)
    assert await board.tick_at(NINE_IN_BERLIN) == []
    assert len(await board.tick_at(NINE_IN_BERLIN + timedelta(days=1))) == 1
    assert [run.state for run in await board.runs()] == ["skipped", "begun"]


async def test_posted_now_is_todays_question(board: Board) -> None:
    daily = await board.ask_daily()
    early = NINE_IN_BERLIN - timedelta(hours=2)
    assert await board.run(lambda tx: post_now(tx, board.bank, daily, early, "now")) is not None
    assert await board.run(lambda tx: post_now(tx, board.bank, daily, early, "again")) is None
    assert await board.tick_at(NINE_IN_BERLIN) == []
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1)


async def test_the_item_a_moderator_chose_is_asked_and_then_forgotten(board: Board) -> None:
    daily = await board.ask_daily(next_item="three-c")
    (step,) = await board.tick_at(NINE_IN_BERLIN)
    assert step.session.item == "three-c"
    kept = await board.run(lambda tx: tx.dailies.get(daily.id))
    assert kept is not None
    assert kept.next_item == ""
    other = await board.run(lambda tx: choose(tx, board.bank, kept, "seed", other_than="one-a"))
    assert other == "two-b"


async def test_a_paused_question_is_not_asked_and_resumes_on_its_next_date(board: Board) -> None:
    daily = await board.ask_daily()
    await board.run(lambda tx: keep(tx, replace(daily, paused=True), EVENING_BEFORE))
    assert await board.tick_at(NINE_IN_BERLIN) == []
    assert await board.runs() == []
    noon = NINE_IN_BERLIN + timedelta(hours=3)
    await board.run(lambda tx: keep(tx, daily, noon))
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1)


async def test_a_place_that_cannot_be_posted_to_stands_still_and_its_moderator_is_told_once(board: Board) -> None:
    daily = await board.ask_daily()

    def private(tx: Tx) -> None:
        tx.place_of("telegram", "7", at=EVENING_BEFORE, private_to=board.host)

    await board.run(private)
    for _ in range(2):
        await board.run(lambda tx: break_place(tx, board.place, "kicked", EVENING_BEFORE))
    assert await board.notices() == [BROKEN]
    assert await board.tick_at(NINE_IN_BERLIN) == []
    await board.run(lambda tx: keep(tx, replace(daily, broken=""), EVENING_BEFORE))
    assert len(await board.tick_at(NINE_IN_BERLIN)) == 1


async def test_a_quiz_with_nothing_in_the_language_is_recorded_and_told(board: Board) -> None:
    await board.ask_daily(locales=("de",))
    assert await board.tick_at(NINE_IN_BERLIN) == []
    assert [run.state for run in await board.runs()] == ["empty"]
    assert await board.notices() == [EMPTY]


async def test_a_void_run_counts_for_nobody_and_is_voided_once(board: Board) -> None:
    await board.ask_daily(open_s=600)
    (step,) = await board.tick_at(NINE_IN_BERLIN)
    (run,) = await board.runs()
    assert await board.run(lambda tx: void_run(tx, run))
    assert not await board.run(lambda tx: void_run(tx, run))
    assert (await board.session(step.session.id)).dropped == frozenset({0})


async def test_a_removed_question_is_asked_no_more(board: Board) -> None:
    daily = await board.ask_daily()
    await board.run(lambda tx: remove(tx, daily))
    assert await board.tick_at(NINE_IN_BERLIN) == []


@pytest.mark.parametrize(
    ("zone", "clock", "before", "moments"),
    [
        ("Europe/Berlin", time(2, 30), datetime(2026, 10, 24, 12, tzinfo=UTC), ["25 00:30", "26 01:30"]),
        ("Europe/Berlin", time(2, 30), datetime(2027, 3, 27, 12, tzinfo=UTC), ["28 01:00", "29 00:30"]),
        ("America/Santiago", time(0, 30), datetime(2026, 9, 5, 12, tzinfo=UTC), ["06 04:00", "07 03:30"]),
    ],
)
async def test_nights_when_clocks_jump_have_one_question_each(
    board: Board, zone: str, clock: time, before: datetime, moments: list[str]
) -> None:
    wish = Daily(0, board.place, board.host, clock, zone, frozenset(range(7)), "all", ("en",), 600)
    board.daily = await board.run(lambda tx: keep(tx, wish, before))
    asked = []
    moment = before
    while len(asked) < 2:
        moment += timedelta(minutes=10)
        asked += [f"{moment:%d %H:%M}" for step in await board.tick_at(moment) if step.session.phase is Phase.ASKED]
    assert asked == moments
