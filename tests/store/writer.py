"""A program that writes to a store, to be killed or watched: `python -m tests.store.writer FILE CALLERS ANSWERS`.

Every line it writes goes out at once: `asking S P` before an answer is handed in, `ack S P` after the store said that
it is kept. It ends by itself only when its input ends.
"""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.store import Store, Tx
from tests.store.world import NOW, answer, new_session


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


async def play(store: Store, number: int, answers: int) -> None:
    name = f"s{number}"
    items = tuple(f"item-{position}" for position in range(answers + 1))

    def start(tx: Tx) -> int:
        learner = tx.learner_of("telegram", name, NOW)
        place = tx.place_of("telegram", name, at=NOW, private_to=learner)
        tx.add_session(new_session(name, place.id, learner, items=items), NOW)
        return learner

    learner = await store.run(start)
    for position in range(answers):
        say(f"asking {name} {position}")
        await store.run(lambda tx: answer(tx, name, learner))
        say(f"ack {name} {position}")


async def main(path: str, callers: str, answers: str) -> None:
    async with Store.open(Path(path), clock=lambda: datetime(2026, 11, 30, tzinfo=UTC)) as store:
        say("open")
        await asyncio.gather(*[play(store, number, int(answers)) for number in range(int(callers))])
        say("done")
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
