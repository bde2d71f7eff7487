"""How many take part and have answered is counted on, and is always what the facts say."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.quiz import Answer, Command, Join, Leave, Next, Opened, Pace, Response, Reveal, group
from bot.store import Store, Tx
from bot.tutor import act
from tests.tutor.desk import NOON, Desk, at, bank_of, single

BANK = bank_of(*(single(f"q-{number}") for number in range(4)))

WHO = st.integers(0, 3)
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["a", "b", "join", "leave", "forget"]), WHO),
        st.tuples(st.sampled_from(["opened", "reveal", "next"]), st.just(0)),
    ),
    max_size=30,
)


def command(deed: str, by: int, host: int, position: int, second: int) -> Command:
    when = at(second)
    match deed:
        case "join":
            return Join(by=by, at=when)
        case "leave":
            return Leave(by=by, at=when)
        case "opened":
            return Opened(by=None, at=when, position=position)
        case "reveal":
            return Reveal(by=host, at=when, position=position)
        case "next":
            return Next(by=host, at=when, position=position)
        case option:
            return Answer(by=by, at=when, position=position, response=Response((option,)))


def counted(tx: Tx) -> tuple[tuple[int, int], tuple[int, int]]:
    """As it was counted on, and as the facts say."""
    session = tx.session("one")
    assert session is not None
    facts = tx.joined_count("one"), tx.answered_count("one", session.position)
    return tx.crowd("one", session.position), facts


async def play(path: Path, deeds: Sequence[tuple[str, int]], pace: Pace) -> None:
    async with Store.open(path, clock=lambda: NOON) as store:
        desk = await Desk.set_up(store, BANK)
        await desk.begun(policy=group(pace=pace), slot="group")
        people = [await desk.run(lambda tx, n=n: tx.learner_of("telegram", n, NOON)) for n in "АБВГ"]
        for second, (deed, who) in enumerate(deeds):
            if deed == "forget":
                await store.forget(people[who])
                name = f"{second}"
                people[who] = await desk.run(lambda tx, name=name: tx.learner_of("telegram", name, NOON))
            else:
                position = (await desk.session()).position
                wanted = command(deed, people[who], desk.host, position, second)
                await desk.run(lambda tx, wanted=wanted: act(tx, BANK, "one", wanted))
            kept, facts = await desk.run(counted)
            assert kept == facts


@example(deeds=[("a", 0), ("a", 1), ("forget", 0)], pace=Pace.HOST)
@example(deeds=[("a", 0), ("a", 1), ("leave", 0), ("join", 0)], pace=Pace.HOST)
@example(deeds=[("join", 0), ("a", 1), ("leave", 1), ("a", 1), ("leave", 0)], pace=Pace.HOST)
@example(deeds=[("a", 0), ("reveal", 0), ("next", 0), ("a", 0)], pace=Pace.HOST)
@settings(max_examples=25)
@given(deeds=DEEDS, pace=st.sampled_from([Pace.HOST, Pace.ALL_ANSWERED]))
def test_what_is_counted_on_is_what_the_facts_say(
    tmp_path_factory: pytest.TempPathFactory, deeds: Sequence[tuple[str, int]], pace: Pace
) -> None:
    folder = tmp_path_factory.mktemp("crowd")
    asyncio.run(play(folder / "kontrolka.db", deeds, pace))
