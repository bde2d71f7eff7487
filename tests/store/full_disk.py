"""A program that writes until its disk is full, makes room and writes on: `python -m tests.store.full_disk FOLDER`."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from bot.store import Store, Unavailable
from tests.store.world import NOW, open_store

CALLERS = 16


async def main(folder: str) -> None:
    path, ballast = Path(folder, "kontrolka.db"), Path(folder, "ballast")
    kept: list[str] = []
    refused: list[str] = []

    async def write(store: Store, name: str) -> None:
        try:
            await store.run(lambda tx: tx.set_learner_zone(tx.learner_of("disk", name, NOW), "x" * 3000))
            kept.append(name)
        except Unavailable as error:
            refused.append(error.reason)

    async with open_store(path) as store:
        rounds = 0
        while not refused:
            await asyncio.gather(*[write(store, f"{rounds}-{number}") for number in range(CALLERS)])
            rounds += 1
        await asyncio.to_thread(ballast.unlink)
        before = len(refused)
        await asyncio.gather(*[write(store, f"after-{number}") for number in range(CALLERS)])
        recovered = len(refused) == before
    with closing(sqlite3.connect(path)) as db:
        on_disk = {row[0] for row in db.execute("SELECT account FROM accounts")}
        sound = db.execute("PRAGMA integrity_check").fetchone()[0]
    print(
        json.dumps(
            {
                "reasons": sorted(set(refused)),
                "lost": sorted(set(kept) - on_disk),
                "kept": len(kept),
                "unasked": sorted(on_disk - set(kept)),
                "recovered": recovered,
                "sound": sound,
            }
        )
    )


if __name__ == "__main__":
    Path(sys.argv[1], "ballast").write_bytes(b"\x00" * 400_000)
    asyncio.run(main(sys.argv[1]))
