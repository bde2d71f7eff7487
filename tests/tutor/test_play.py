"""Playing over a real store: begin, act, show and results, whatever happened to the bank or the program meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from bot.bank import Bank
from bot.quiz import (
    LEARN,
    Ask,
    Command,
    Ending,
    Expire,
    Mark,
    News,
    Next,
    Notice,
    Opened,
    Phase,
    Policy,
    Reason,
    Select,
    Skip,
    Step,
    Stop,
    Summarise,
    Tell,
    exam,
)
from bot.store import Store
from bot.tutor import Busy, Empty, act, adopt, results, show, standing
from tests.tutor.desk import NOON, Desk, at, bank_of, entry, multiple, number, reason, single, without

THREE = bank_of(single("item-1"), single("item-2"), single("item-3", "b"))


@pytest.fixture
async def desk(store: Store) -> Desk:
    return await Desk.set_up(store, THREE)


def news(step: Step) -> list[News]:
    return [effect.news for effect in step.effects if isinstance(effect, Notice)]


def summary(step: Step) -> Summarise:
    (found,) = (effect for effect in step.effects if isinstance(effect, Summarise))
    return found


# --- beginning


async def test_same_origin_gives_the_same_session_however_often_it_is_delivered(desk: Desk) -> None:
    first = await desk.begun("one", origin="update 7")
    again = await desk.begun("two", origin="update 7")
    assert again == first
    await desk.act(desk.answer(0, "a"))
    later = await desk.begin("three", origin="update 7")
    assert isinstance(later, Step)
    assert later.session.id == "one"
    assert any(isinstance(effect, Tell) for effect in later.effects)
    assert await desk.run(lambda tx: tx.session("two")) is None


async def test_same_origin_gives_the_closed_session_even_when_the_slot_is_free_again(desk: Desk) -> None:
    await desk.begun("one", origin="update 7")
    await desk.act(Stop(by=desk.host, at=at(1)))
    again = await desk.begin("two", origin="update 7", when=2)
    assert isinstance(again, Step)
    assert again.session.id == "one"
    assert again.session.closed


async def test_busy_slot_gives_the_session_that_is_open(desk: Desk) -> None:
    first = await desk.begun("one")
    busy = await desk.begin("two")
    assert busy == Busy(first)
    other = await desk.begin("two", slot="daily:1:2026-11-30")
    assert isinstance(other, Step)


async def test_quiz_without_the_language_says_which_languages_it_has(store: Store) -> None:
    desk = await Desk.set_up(store, bank_of(entry(single("item-1"), "ru"), entry(single("item-2"), "ru")))
    assert await desk.begin(locales=("en",)) == Empty(("ru",))
    assert await desk.begin(quiz=("no-such-item",)) == Empty(())
    assert await desk.run(lambda tx: tx.open_sessions(desk.place)) == []


async def test_half_translated_item_is_left_out_and_the_others_are_asked(store: Store) -> None:
    desk = await Desk.set_up(store, bank_of(entry(single("item-1"), "ru"), single("item-2")))
    assert (await desk.begun(locales=("en",))).plan.items == ("item-2",)


async def test_practice_asks_the_named_items_in_their_order(desk: Desk) -> None:
    assert (await desk.begun(quiz=("item-3", "item-1"))).plan.items == ("item-3", "item-1")


async def test_command_for_a_session_that_was_deleted_gives_nothing(desk: Desk) -> None:
    assert await desk.run(lambda tx: act(tx, THREE, "gone", Stop(by=desk.host, at=NOON))) is None


# --- the way through


async def test_whole_quiz_is_graded_and_summarised(desk: Desk) -> None:
    await desk.begun()
    for position, chosen in enumerate(("a", "b")):
        await desk.act(desk.answer(position, chosen))
        await desk.act(Next(by=desk.host, at=at(position), position=position))
    await desk.act(Skip(by=desk.host, at=at(5), position=2))
    last = await desk.act(Next(by=desk.host, at=at(6), position=2))
    assert last.session.closed
    assert [(r.item, r.grade, r.counts) for r in summary(last).results] == [
        ("item-1", 1, True),
        ("item-2", 0, True),
        ("item-3", 0, True),
    ]
    assert last.session.ending is Ending.FINISHED


async def test_stopped_quiz_ends_where_it_was_stopped(desk: Desk) -> None:
    await desk.begun()
    await desk.act(desk.answer(0, "a"))
    await desk.act(Next(by=desk.host, at=at(1), position=0))
    stopped = await desk.act(Stop(by=desk.host, at=at(2)))
    assert stopped.session.ending is Ending.STOPPED
    assert [r.item for r in summary(stopped).results] == ["item-1"]
    assert reason(await desk.act(desk.answer(1, "a"))) is Reason.CLOSED


async def test_stopped_quiz_did_not_count_what_was_never_asked_when_looked_at_later(desk: Desk) -> None:
    await desk.begun()
    await desk.act(desk.answer(0, "b"))
    await desk.act(Stop(by=desk.host, at=at(1)))
    session = await desk.session()
    found = await desk.run(lambda tx: results(tx, session, desk.host))
    assert [(r.item, r.grade) for r in found] == [("item-1", 0)]
    again = await desk.run(lambda tx: show(tx, THREE, session, at=at(2)))
    assert summary(again).results == found


async def test_what_an_expired_exam_did_not_get_to_counts_when_looked_at_later_too(desk: Desk) -> None:
    await desk.begun(policy=exam(session_limit_s=60))
    await desk.opened(0, 0)
    await desk.act(desk.answer(0, "a"))
    await desk.act(Expire(by=None, position=0, at=at(70)))
    session = await desk.session()
    found = await desk.run(lambda tx: results(tx, session, desk.host))
    assert [(r.item, r.grade) for r in found] == [("item-1", 1), ("item-2", 0), ("item-3", 0)]


@pytest.mark.parametrize("policy", [exam(session_limit_s=60), exam(), LEARN])
@pytest.mark.parametrize("passed", [1, 2])
async def test_what_a_stopped_quiz_did_not_ask_does_not_count_whatever_its_limit(
    desk: Desk, policy: Policy, passed: int
) -> None:
    await desk.begun(policy=policy)
    await desk.opened(0, 0)
    for position in range(passed):
        await desk.act(desk.answer(position, "a"))
        await desk.act(Next(by=desk.host, at=at(1), position=position))
    stopped = await desk.act(Stop(by=desk.host, at=at(9)))
    session = await desk.session()
    found = await desk.run(lambda tx: results(tx, session, desk.host))
    assert [r.item for r in found] == ["item-1", "item-2"][:passed]
    assert summary(stopped).results == found


def _went_on(desk: Desk, position: int) -> list[Command]:
    return [desk.answer(position, "a", when=1), Next(by=desk.host, at=at(1), position=position)]


def _clock(position: int) -> list[Command]:
    opened = Opened(by=None, at=at(10 * position), position=position)
    return [opened, Expire(by=None, at=at(10 * position + 9), position=position)]


WAYS: dict[str, tuple[Policy, Callable[[Desk], list[Command]], Ending, list[int]]] = {
    "all answered": (
        exam(session_limit_s=60),
        lambda desk: [c for p in range(3) for c in _went_on(desk, p)],
        Ending.FINISHED,
        [1, 1, 0],
    ),
    "the last item skipped": (
        exam(),
        lambda desk: [*_went_on(desk, 0), *_went_on(desk, 1), Skip(by=desk.host, at=at(2), position=2)],
        Ending.FINISHED,
        [1, 1, 0],
    ),
    "the last item ran out of time": (
        exam(item_limit_s=5),
        lambda desk: [*_went_on(desk, 0), *_went_on(desk, 1), *_clock(2)],
        Ending.FINISHED,
        [1, 1, 0],
    ),
    "every item ran out of time": (
        exam(item_limit_s=5),
        lambda _: [c for p in range(3) for c in _clock(p)],
        Ending.FINISHED,
        [0, 0, 0],
    ),
    "the whole ran out of time": (
        exam(item_limit_s=5, session_limit_s=6),
        lambda desk: [*_went_on(desk, 0), Expire(by=None, at=at(9), position=1)],
        Ending.TIME_UP,
        [1, 0, 0],
    ),
    "stopped at the last item": (
        exam(item_limit_s=5),
        lambda desk: [*_went_on(desk, 0), *_clock(1), Stop(by=desk.host, at=at(19))],
        Ending.STOPPED,
        [1, 0],
    ),
    "stopped at the last item, answered": (
        exam(session_limit_s=60),
        lambda desk: [*_went_on(desk, 0), *_went_on(desk, 1), desk.answer(2, "b"), Stop(by=desk.host, at=at(2))],
        Ending.STOPPED,
        [1, 1, 1],
    ),
}


@pytest.mark.parametrize("way", WAYS)
async def test_result_reads_the_same_at_the_end_and_whenever_it_is_looked_at_later(desk: Desk, way: str) -> None:
    """An item that ran out of time as the last one vanished from the result, and `stopped` was forgotten."""
    policy, commands, ending, grades = WAYS[way]
    await desk.begun(policy=policy)
    for command in commands(desk):
        step = await desk.act(command)
    session = await desk.session()
    assert step.session == session
    assert session.ending is ending
    assert [r.grade for r in summary(step).results] == grades
    assert await desk.run(lambda tx: results(tx, session, desk.host)) == summary(step).results
    again = await desk.run(lambda tx: show(tx, THREE, session, at=at(99)))
    assert (again.session, again.effects) == (session, (summary(step),))


async def test_showing_a_session_again_changes_nothing(desk: Desk) -> None:
    await desk.begun()
    for _ in range(2):
        step = await desk.run(lambda tx: show(tx, THREE, tx.session("one"), at=at(1)))  # type: ignore[arg-type]
        assert step.effects == (Ask(0, again=True),)
    await desk.act(desk.answer(0, "b"))
    before = await desk.session()
    step = await desk.run(lambda tx: show(tx, THREE, before, at=at(1)))
    (told,) = step.effects
    assert isinstance(told, Tell)
    assert told.attempt.response.chosen == ("b",)
    assert await desk.session() == before


async def test_answer_in_an_exam_may_change_until_next_and_the_last_one_counts(desk: Desk) -> None:
    await desk.begun(policy=exam())
    await desk.opened(0, 0)
    for chosen in ("b", "a", "b", "a"):
        step = await desk.act(desk.answer(0, chosen))
        assert all(not effect.feedback for effect in step.effects if isinstance(effect, Tell))
    assert reason(await desk.act(desk.answer(0, "a"))) is Reason.SAME
    assert [a.revision for a in await desk.attempts()] == [0, 1, 2, 3]
    found = await desk.run(lambda tx: results(tx, tx.session("one"), desk.host))  # type: ignore[arg-type]
    assert [r.grade for r in found] == [1, 0, 0]


async def test_what_is_ticked_survives_a_restart_and_is_graded_in_parts(tmp_path: Path) -> None:
    bank = bank_of(multiple("item-1"), single("item-2"))
    path = tmp_path / "own.db"
    async with Store.open(path, clock=lambda: NOON) as store:
        desk = await Desk.set_up(store, bank)
        await desk.begun()
        for option in ("c", "b", "b"):
            step = await desk.act(Select(by=desk.host, at=at(1), position=0, option=option))
        assert step.effects == (Mark(desk.host, 0, ("c",)),)
    async with Store.open(path, clock=lambda: NOON) as store:
        desk = replace(desk, store=store)
        session = await desk.session()
        again = await desk.run(lambda tx: show(tx, bank, session, at=at(60)))
        assert again.effects == (Ask(0, chosen=("c",), again=True),)
        assert (await desk.run(lambda tx: standing(tx, bank, session, at(60)))) == (("c",), None)
        told = await desk.act(desk.answer(0, "c", when=61))
        assert told.attempt is not None
        assert told.attempt.grade == Fraction(1, 2)
        await desk.act(Next(by=desk.host, at=at(62), position=0))
        assert await desk.run(lambda tx: tx.draft("one", 0, desk.host)) == ()


async def test_local_date_of_an_answer_is_that_of_its_place(desk: Desk) -> None:
    def move(tx):  # type: ignore[no-untyped-def]
        place = tx.place(desk.place)
        tx.set_place(replace(place, zone="Pacific/Auckland"))

    await desk.run(move)
    await desk.begun()
    await desk.act(desk.answer(0, "a"))
    (attempt,) = await desk.attempts()
    assert attempt.at == NOON
    assert attempt.on == NOON.date() + timedelta(days=1)


# --- the bank changes


async def test_item_gone_from_the_bank_is_passed_over_said_once_and_not_scored(desk: Desk) -> None:
    await desk.begun()
    desk = desk.edited(without(THREE, "item-2"))
    told = await desk.act(desk.answer(0, "a"))
    assert news(told) == []
    step = await desk.act(Next(by=desk.host, at=at(1), position=0))
    assert [e for e in step.effects if isinstance(e, Notice)] == [Notice(News.GONE, count=1)]
    assert step.session.position == 2
    again = await desk.run(lambda tx: show(tx, desk.bank, step.session, at=at(2)))
    assert news(again) == []
    await desk.act(desk.answer(2, "b"))
    last = await desk.act(Next(by=desk.host, at=at(3), position=2))
    assert news(last) == []
    assert [(r.item, r.counts) for r in summary(last).results] == [
        ("item-1", True),
        ("item-2", False),
        ("item-3", True),
    ]


async def test_item_gone_while_it_is_asked_is_left_when_the_session_is_shown(desk: Desk) -> None:
    session = await desk.begun()
    desk = desk.edited(without(THREE, "item-1"))
    step = await desk.run(lambda tx: show(tx, desk.bank, session, at=at(1)))
    assert news(step) == [News.GONE]
    assert step.session.position == 1
    assert (await desk.session()).dropped == {0}


async def test_answer_to_an_item_that_is_gone_is_refused_and_next_goes_on(desk: Desk) -> None:
    await desk.begun()
    desk = desk.edited(without(THREE, "item-1"))
    assert reason(await desk.act(desk.answer(0, "a"))) is Reason.GONE
    step = await desk.act(Next(by=desk.host, at=at(1), position=0))
    assert step.session.position == 1


async def test_session_whose_items_are_all_gone_is_closed(desk: Desk) -> None:
    session = await desk.begun()
    desk = desk.edited(bank_of(single("another")))
    step = await desk.run(lambda tx: show(tx, desk.bank, session, at=at(1)))
    assert step.session.closed
    assert [r.counts for r in summary(step).results] == [False, False, False]


async def test_retired_item_is_still_asked_in_an_open_session_and_not_in_a_new_one(desk: Desk) -> None:
    await desk.begun()
    entries = {n: replace(e, retired=n == "item-1") for n, e in THREE.entries.items()}
    desk = desk.edited(bank_of(*entries.values()))
    assert reason(await desk.act(desk.answer(0, "a"))) is None
    other = await desk.begun("two", slot="other")
    assert other.plan.items == ("item-2", "item-3")


@pytest.mark.parametrize(
    ("changed", "accepted"),
    [
        (single("item-1", "b"), False),
        (single("item-1", options="abc"), False),
        (multiple("item-1", "a", "ab"), False),
        (number("item-1", "3"), False),
        (single("item-1", options="ba"), True),
        (single("item-1", shuffle=False), True),
    ],
    ids=["key", "options", "kind", "no options", "order", "shuffle"],
)
async def test_changed_key_under_an_old_id_is_found_and_a_new_order_is_not(changed, accepted: bool, desk: Desk) -> None:  # type: ignore[no-untyped-def]
    edited = bank_of(changed, single("item-9"))
    assert await desk.run(lambda tx: adopt(tx, edited, at(1))) == ([] if accepted else ["item-1"])
    known = await desk.run(lambda tx: tx.fingerprints())
    assert ("item-9" in known) == accepted
    assert {"item-1", "item-2", "item-3"} <= known.keys()


async def test_void_item_counts_for_nobody_while_the_void_lasts(desk: Desk) -> None:
    await desk.begun()
    await desk.act(desk.answer(0, "b", when=10))
    session = await desk.session()

    async def counts() -> list[bool]:
        return [r.counts for r in await desk.run(lambda tx: results(tx, session, desk.host))]

    assert await counts() == [True, True, True]
    await desk.run(lambda tx: tx.add_void("item-1", at(5)))
    assert await counts() == [False, True, True]
    await desk.run(lambda tx: tx.close_void("item-1", at(9)))
    assert await counts() == [True, True, True]


# --- cases


async def test_case_56_double_click_and_two_devices_score_once_also_in_parallel(store: Store) -> None:
    """Each press of the right button added a point elsewhere; a second press counted for the next question."""
    bank: Bank = bank_of(single("q-1"), single("q-2"))
    for turn in range(200):
        desk = await Desk.set_up(store, bank, chat=str(turn))
        name = f"s{turn}"
        await desk.begun(name)
        presses = [desk.answer(0, "a", when=3), desk.answer(0, "a", when=3.05), desk.answer(0, "b", when=3.051)]
        waiting = [store.run(partial(act, bank=bank, session=name, command=press)) for press in presses]
        first, *others = [await future for future in waiting]
        assert first is not None
        assert first.attempt is not None
        for other in others:
            assert other is not None
            assert reason(other) is Reason.ALREADY
            assert other.refused is not None
            assert other.refused.recorded == first.attempt
        redelivered = await desk.act(presses[1], name)
        assert redelivered.session == first.session
        await desk.act(Next(by=desk.host, at=at(8), position=0), name)
        assert reason(await desk.act(presses[0], name)) is Reason.STALE
        await desk.act(desk.answer(1, "a", when=9), name)
        last = await desk.act(Next(by=desk.host, at=at(10), position=1), name)
        assert sum(r.grade for r in summary(last).results) == 2
        assert len(await desk.attempts(name)) == 2


async def test_case_60_options_and_questions_reordered_while_a_session_runs(store: Store) -> None:
    """Elsewhere the button carried the place shown, and the score compared it with the order in the bank."""
    desk = await Desk.set_up(store, bank_of(single("q-1"), single("q-2"), single("q-3", "b")))
    session = await desk.begun()
    reordered = bank_of(single("q-3", "b", "ba"), single("q-1", options="ba"), single("q-2", options="ba"))
    assert await desk.run(lambda tx: adopt(tx, reordered, at(3))) == []
    desk = desk.edited(reordered)
    shown = session.plan[0].options.index("a")
    step = await desk.act(desk.answer(0, (await desk.session()).plan[0].options[shown]))
    assert step.attempt is not None
    assert step.attempt.grade == 1
    asked = [step.session.item]
    for position in (1, 2):
        asked.append((await desk.act(Next(by=desk.host, at=at(5), position=position - 1))).session.item)
        await desk.act(desk.answer(position, "a"))
    assert asked == ["q-1", "q-2", "q-3"]
    assert (await desk.session()).phase is Phase.REVEALED
