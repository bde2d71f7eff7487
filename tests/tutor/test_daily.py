"""The daily question: exactly once per local date, whatever happens to the program, the place and the clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from bot.quiz import Answer, Ask, Phase, Response, Show, Step
from bot.store import Daily, PostState, Run, Store, Tx
from bot.tutor import QUESTION, REVEAL, claim, fire
from bot.tutor.clock import LEASE, TRIES
from bot.tutor.daily import (
    BROKEN,
    EMPTY,
    FAILED,
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

    async def told(self) -> list[Mapping[str, Any]]:
        posts = await self.run(lambda tx: tx.posts.in_state(PostState.PENDING))
        return [post.payload for post in posts if post.kind == NOTICE]

    async def notices(self) -> list[str]:
        return [payload["news"] for payload in await self.told()]

    async def change(self, moment: datetime, **more: Any) -> Daily:
        """What the panel does: settings as they are now, with one changed."""

        def work(tx: Tx) -> Daily:
            now = tx.dailies.get(self.daily.id)
            assert now is not None
            return keep(tx, replace(now, **more), moment)

        self.daily = await self.run(work)
        return self.daily

    async def next_days(self, at: datetime, count: int) -> list[int]:
        return [on.day for on, _ in await self.run(lambda tx: next_runs(tx, self.daily, at, count))]


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


async def test_another_row_for_a_date_that_is_over_asks_nothing(board: Board) -> None:
    await board.ask_daily(open_s=60)
    (row,) = [r for r in await board.run(lambda tx: claim(tx, NINE_IN_BERLIN)) if r.kind == "daily"]
    await board.run(lambda tx: fire(tx, board.bank, row, NINE_IN_BERLIN, "first"))
    closed = NINE_IN_BERLIN + timedelta(minutes=2)
    await board.tick_at(closed)
    await board.run(lambda tx: tx.due.schedule("daily", f"place:9:daily:{board.daily.id}", closed, row.payload))
    assert await board.tick_at(closed) == []
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1)


async def test_an_hour_late_is_caught_up_and_three_hours_late_is_missed_and_told_once(board: Board) -> None:
    await board.ask_daily()
    (step,) = await board.tick_at(NINE_IN_BERLIN + timedelta(hours=1))
    assert step.session.phase is Phase.ASKED
    assert await board.tick_at(NINE_IN_BERLIN + timedelta(days=1, hours=3)) == []
    assert [(run.on.day, run.state) for run in await board.runs()] == [(30, "begun"), (1, "missed")]
    assert await board.notices() == [MISSED]
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=2)


async def test_three_days_down_are_recorded_told_once_and_end_in_the_next_regular_run(board: Board) -> None:
    await board.ask_daily()
    boot = NINE_IN_BERLIN + timedelta(days=3, hours=-3)
    assert await board.tick_at(boot) == []
    assert await board.tick_at(boot + timedelta(seconds=1)) == []
    assert [(run.on.day, run.state) for run in await board.runs()] == [(30, "missed"), (1, "missed"), (2, "missed")]
    (told,) = await board.told()
    assert (told["news"], told["on"], told["until"]) == (MISSED, "2026-11-30", "2026-12-02")
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=3)


async def test_a_day_down_that_ends_an_hour_late_is_one_missed_and_one_caught_up(board: Board) -> None:
    await board.ask_daily()
    boot = NINE_IN_BERLIN + timedelta(days=1, hours=1)
    (step,) = await board.tick_at(boot)
    assert step.effects == (Ask(0),)
    assert [(run.on.day, run.state) for run in await board.runs()] == [(30, "missed"), (1, "begun")]


async def test_quiet_hours_hold_a_late_question_back(board: Board) -> None:
    await board.ask_daily(at=EVENING_BEFORE, quiet=(time(8), time(10)))
    assert await board.tick_at(NINE_IN_BERLIN + timedelta(minutes=30)) == []
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(hours=1)
    (step,) = await board.tick_at(NINE_IN_BERLIN + timedelta(hours=1))
    assert step.effects == (Ask(0),)
    assert [run.on for run in await board.runs()] == [MONDAY]


async def held(board: Board) -> datetime:
    """A question that is half an hour late, and held back until ten in Berlin."""
    await board.ask_daily(quiet=(time(8), time(10)))
    late = NINE_IN_BERLIN + timedelta(minutes=30)
    assert await board.tick_at(late) == []
    return late


TEN_IN_BERLIN = NINE_IN_BERLIN + timedelta(hours=1)


@pytest.mark.parametrize(
    "setting", [{"pin": True}, {"quiz": "all"}, {"at": time(8, 30)}, {"weekdays": frozenset({0})}, {"quiet": None}]
)
async def test_a_question_that_is_held_back_outlasts_a_change_of_settings(
    board: Board, setting: dict[str, Any]
) -> None:
    late = await held(board)
    await board.change(late, **setting)
    assert (await board.next_days(late, 2))[0] == MONDAY.day
    (step,) = await board.tick_at(TEN_IN_BERLIN)
    assert step.effects == (Ask(0),)
    assert [(run.on, run.state) for run in await board.runs()] == [(MONDAY, "begun")]


async def test_a_question_that_is_held_back_moves_with_the_hour(board: Board) -> None:
    late = await held(board)
    await board.change(late, at=time(12))
    assert await board.tick_at(TEN_IN_BERLIN) == []
    assert len(await board.tick_at(NINE_IN_BERLIN + timedelta(hours=3))) == 1
    assert [run.on for run in await board.runs()] == [MONDAY]


@pytest.mark.parametrize(
    ("setting", "state"),
    [({"paused": True}, "skipped"), ({"weekdays": frozenset({1})}, "skipped"), ({"broken": "kicked"}, "missed")],
)
async def test_a_question_that_is_held_back_and_done_away_with_is_recorded(
    board: Board, setting: dict[str, Any], state: str
) -> None:
    late = await held(board)
    await board.change(late, **setting)
    await board.change(late, paused=False, broken="")
    assert await board.tick_at(TEN_IN_BERLIN) == []
    assert [(run.on, run.state) for run in await board.runs()] == [(MONDAY, state)]
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1)


async def test_a_question_that_is_held_back_can_be_skipped(board: Board) -> None:
    late = await held(board)
    await board.change(late, skip=MONDAY)
    assert await board.tick_at(TEN_IN_BERLIN) == []
    assert [(run.on, run.state) for run in await board.runs()] == [(MONDAY, "skipped")]


async def test_settings_saved_before_a_due_question_is_claimed_or_carried_out_lose_nothing(board: Board) -> None:
    await board.ask_daily()
    await board.change(NINE_IN_BERLIN, pin=True)
    rows = await board.run(lambda tx: claim(tx, NINE_IN_BERLIN))
    await board.change(NINE_IN_BERLIN, silent=True)
    (step,) = [await board.run(lambda tx, row=row: fire(tx, board.bank, row, NINE_IN_BERLIN, "one")) for row in rows]
    assert step is not None
    assert [run.on for run in await board.runs()] == [MONDAY]


async def test_settings_saved_after_days_down_record_the_days_and_catch_up_the_last(board: Board) -> None:
    await board.ask_daily()
    boot = NINE_IN_BERLIN + timedelta(days=2, hours=1)
    await board.change(boot, pin=True)
    assert len(await board.tick_at(boot)) == 1
    assert [run.state for run in await board.runs()] == ["missed", "missed", "begun"]
    assert [told["until"] for told in await board.told()] == ["2026-12-01"]


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
    await board.ask_daily()
    assert await board.next_days(EVENING_BEFORE, 1) == [30]
    await board.change(EVENING_BEFORE, skip=MONDAY)
    assert await board.next_days(EVENING_BEFORE, 1) == [1]
    assert await board.tick_at(NINE_IN_BERLIN) == []
    assert len(await board.tick_at(NINE_IN_BERLIN + timedelta(days=1))) == 1
    assert [run.state for run in await board.runs()] == ["skipped", "begun"]


async def test_posted_now_is_todays_question(board: Board) -> None:
    daily = await board.ask_daily()
    early = NINE_IN_BERLIN - timedelta(hours=2)
    assert await board.run(lambda tx: post_now(tx, board.bank, daily, early, "now")) is not None
    assert await board.run(lambda tx: post_now(tx, board.bank, daily, early, "again")) is None
    assert await board.next_days(early, 1) == [1]
    assert await board.tick_at(NINE_IN_BERLIN) == []
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1)


async def test_posted_now_a_date_that_was_to_be_skipped_is_skipped_no_more(board: Board) -> None:
    await board.ask_daily(skip=MONDAY)
    early = NINE_IN_BERLIN - timedelta(hours=2)
    assert await board.run(lambda tx: post_now(tx, board.bank, board.daily, early, "now")) is not None
    kept = await board.run(lambda tx: tx.dailies.get(board.daily.id))
    assert kept is not None
    assert kept.skip is None


async def test_a_date_to_skip_that_went_by_in_a_pause_is_forgotten(board: Board) -> None:
    await board.ask_daily(paused=True, skip=MONDAY)
    kept = await board.change(NINE_IN_BERLIN + timedelta(days=1, hours=1), paused=False)
    assert kept.skip is None


@pytest.mark.parametrize("state", ["missed", "skipped", "empty"])
async def test_a_date_without_a_question_can_have_it_posted_now(board: Board, state: str) -> None:
    await board.ask_daily(skip=MONDAY if state == "skipped" else None, locales=("de" if state == "empty" else "en",))
    late = NINE_IN_BERLIN + timedelta(hours=3 if state == "missed" else 0)
    assert await board.tick_at(late) == []
    assert [run.state for run in await board.runs()] == [state]
    daily = await board.change(late, locales=("en",))
    assert await board.run(lambda tx: post_now(tx, board.bank, daily, late, "now")) is not None
    assert [run.state for run in await board.runs()] == ["begun"]
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1)


async def test_nothing_to_post_now_leaves_todays_run_due(board: Board) -> None:
    daily = await board.ask_daily(locales=("de",))
    early = NINE_IN_BERLIN - timedelta(hours=2)
    assert await board.run(lambda tx: post_now(tx, board.bank, daily, early, "now")) is None
    await board.change(early, locales=("en",))
    assert len(await board.tick_at(NINE_IN_BERLIN)) == 1


async def test_posted_now_after_midnight_leaves_yesterdays_late_question_due(board: Board) -> None:
    daily = await board.ask_daily()
    daily = await board.change(EVENING_BEFORE, at=time(23, 30))
    after_midnight = datetime(2026, 11, 29, 23, 15, tzinfo=UTC)
    assert await board.run(lambda tx: post_now(tx, board.bank, daily, after_midnight, "now")) is not None
    assert len(await board.tick_at(after_midnight)) == 1
    assert [(run.on.day, run.state) for run in await board.runs()] == [(29, "begun"), (30, "begun")]


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


async def test_a_question_removed_and_set_up_anew_on_the_same_day_is_asked_and_the_open_one_ends_as_planned(
    board: Board,
) -> None:
    removed = await board.ask_daily(open_s=4 * 3600, reply=True)
    (first,) = await board.tick_at(NINE_IN_BERLIN)
    learner = await board.run(lambda tx: tx.learner_of("telegram", "А", NINE_IN_BERLIN))
    await board.act(Answer(by=learner, at=NINE_IN_BERLIN, position=0, response=Response(("a",))), first.session.id)
    await board.run(lambda tx: remove(tx, removed))
    anew = await board.ask_daily(at=TEN_IN_BERLIN)
    anew = await board.change(TEN_IN_BERLIN, at=time(12))
    assert anew.id != removed.id
    (second,) = await board.tick_at(NINE_IN_BERLIN + timedelta(hours=3))
    assert second.session.item != first.session.item
    assert [(run.on, run.state) for run in await board.runs()] == [(MONDAY, "begun")]
    await board.tick_at(NINE_IN_BERLIN + timedelta(hours=4, minutes=1))
    posts = await board.run(lambda tx: tx.posts.of_session(first.session.id))
    assert [post.kind for post in posts] == [QUESTION, REVEAL]
    assert (await board.session(first.session.id)).closed


async def test_a_question_whose_slot_is_taken_is_recorded_as_missed_and_told(board: Board) -> None:
    daily = await board.ask_daily()
    assert isinstance(await board.begin("other", slot=f"daily:{daily.id}:{MONDAY}"), Step)
    assert await board.run(lambda tx: post_now(tx, board.bank, daily, NINE_IN_BERLIN, "now")) is None
    assert await board.tick_at(NINE_IN_BERLIN) == []
    assert [(run.on, run.state) for run in await board.runs()] == [(MONDAY, "missed")]
    assert await board.notices() == [FAILED]
    assert len(await board.tick_at(NINE_IN_BERLIN + timedelta(days=1))) == 1


async def test_a_question_that_failed_too_often_is_recorded_as_missed_and_told_and_the_next_one_is_due(
    board: Board,
) -> None:
    await board.ask_daily()
    moment = NINE_IN_BERLIN
    for _ in range(TRIES):  # claimed, and the program dies before it carries it out
        assert await board.run(lambda tx, at=moment: claim(tx, at))
        moment += LEASE
    assert await board.tick_at(moment) == []
    assert [(run.on, run.state) for run in await board.runs()] == [(MONDAY, "missed")]
    assert await board.notices() == [FAILED]
    assert await board.due_at() == NINE_IN_BERLIN + timedelta(days=1)


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
