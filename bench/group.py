"""The cost of an answer in a group of 5,000, against one in a group of 10."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from time import process_time

from bench.measure import Measure, in_turns
from bench.world import NOW, bank, open_store
from bot.bank import Bank
from bot.quiz import Answer, Opened, Response, Step, group
from bot.store import Store, Tx
from bot.tutor import act, begin

ANSWERS = 5_000
TOGETHER = 64
ROUNDS = 3


async def _answers_s(path: Path, of: Bank, size: int) -> float:
    """Seconds of the processor for 5,000 answers, each by somebody else, in groups of a size."""
    async with open_store(path) as store:
        sessions = [await _group(store, of, number, size) for number in range(ANSWERS // size)]
        begun = process_time()
        for session, learners in sessions:
            for first in range(0, size, TOGETHER):
                await asyncio.gather(
                    *(store.run(_answer(of, session, learner)) for learner in learners[first : first + TOGETHER])
                )
        return process_time() - begun


def _answer(of: Bank, session: str, learner: int):  # type: ignore[no-untyped-def]
    command = Answer(by=learner, at=NOW, position=0, response=Response(("a",)))
    return lambda tx: act(tx, of, session, command)


async def _group(store: Store, of: Bank, number: int, size: int) -> tuple[str, list[int]]:
    """A group quiz with its first question open, and the learners who are going to answer."""
    name = f"g{number}"

    def set_up(tx: Tx) -> list[int]:
        place = tx.place_of("bench", name, at=NOW).id
        host = tx.learner_of("bench", f"host {name}", NOW)
        begun = begin(
            tx,
            of,
            session=name,
            place=place,
            slot="group",
            host=host,
            quiz=list(of.entries)[:3],
            policy=group(),
            locales=("en",),
            at=NOW,
        )
        assert isinstance(begun, Step)
        act(tx, of, name, Opened(by=None, at=NOW, position=0))
        return [tx.learner_of("bench", f"{name} {i}", NOW) for i in range(size)]

    return name, await store.run(set_up)


def ratio() -> tuple[float, str]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        of = bank(Path(folder) / "content", 20)
        files = iter(Path(folder) / f"{number}.db" for number in range(99))
        many_s, few_s = in_turns(
            lambda: asyncio.run(_answers_s(next(files), of, ANSWERS)),
            lambda: asyncio.run(_answers_s(next(files), of, 10)),
            ROUNDS,
        )
    return many_s / few_s, f"{many_s / ANSWERS * 1e6:.0f} µs an answer against {few_s / ANSWERS * 1e6:.0f} µs"


MEASURES = (Measure("group.crowd", 1.2, "at most", ratio),)
