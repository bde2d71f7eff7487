"""What 100,000 open sessions cost: memory of the process, and its start, against a file with hardly any.

`python -m bench.sessions FILE` is the process that is measured: it opens the file as the program does, may read many
sessions, and prints its resident memory in bytes.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.answers import CALLERS
from bench.measure import Measure, in_turns
from bench.world import add_sessions, bank, crowd, open_store
from bot.app import opened
from bot.settings import Settings

OPEN = 100_000
ROUNDS = 9


def _files(folder: Path) -> tuple[Path, Path]:
    """A file with the open sessions, and one with just those that are answered."""
    of = bank(folder / "content", 200)

    async def fill(path: Path) -> None:
        async with open_store(path) as store:
            await store.run(lambda tx: add_sessions(tx, of, 0, CALLERS))

    many, few = folder / "many.db", folder / "few.db"
    for path in (many, few):
        asyncio.run(fill(path))
    crowd(many, open_sessions=OPEN)
    return many, few


def _run(path: Path, *arguments: str) -> str:
    environ = {"PATH": os.environ["PATH"], "KONTROLKA_DATA": str(path)}
    environ["KONTROLKA_CONTENT"] = str(path.parent / "content")
    command = [sys.executable, "-m", "bench.sessions", *arguments]
    return subprocess.run(command, env=environ, check=True, capture_output=True, text=True).stdout


def memory() -> tuple[float, str]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        many, few = _files(Path(folder))
        many_b, few_b = in_turns(lambda: float(_run(many, "rounds")), lambda: float(_run(few, "rounds")), 3)
    return (many_b - few_b) / 2**20, f"MiB; {many_b / 2**20:.1f} against {few_b / 2**20:.1f}"


def start() -> tuple[float, str]:
    def seconds(path: Path) -> float:
        started = perf_counter()
        _run(path)
        return perf_counter() - started

    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        many, few = _files(Path(folder))
        many_s, few_s = in_turns(lambda: seconds(many), lambda: seconds(few), ROUNDS)
    return many_s / few_s, f"{many_s * 1000:.0f} ms against {few_s * 1000:.0f} ms, process start to ready to end"


MEASURES = (
    Measure("sessions.memory", 20, "at most", memory),
    Measure("sessions.start", 1.2, "at most", start),
)


def _resident() -> int:
    """Resident memory of this process in bytes, as Linux tells it."""
    return int(Path("/proc/self/status").read_text().split("VmRSS:")[1].split()[0]) * 1024


async def _measured(rounds: bool) -> None:
    settings = Settings.from_env(os.environ)
    async with opened(settings) as context:
        if rounds:
            found = await context.store.read(lambda tx: tx._sql.all("SELECT id FROM sessions WHERE rowid % 20 = 0"))
            for (session,) in found:
                await context.store.run(lambda tx, session=session: tx.session(session))
            print(_resident())


if __name__ == "__main__":
    asyncio.run(_measured("rounds" in sys.argv))
