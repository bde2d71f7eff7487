"""Loading 2,000 items, against 200."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter

from bench.measure import Measure, in_turns
from bench.world import write_content
from bot.bank import load

ROUNDS = 5


def seconds(root: Path, items: int) -> float:
    started = perf_counter()
    bank = load(root)
    took = perf_counter() - started
    assert len(bank.entries) == items
    return took


def ratio() -> tuple[float, str]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        large, small = Path(folder) / "large", Path(folder) / "small"
        write_content(large, 2000)
        write_content(small, 200)
        large_s, small_s = in_turns(lambda: seconds(large, 2000), lambda: seconds(small, 200), ROUNDS)
    return large_s / small_s, f"{large_s * 1000:.0f} ms against {small_s * 1000:.0f} ms"


MEASURES = (Measure("content.load", 12, "at most", ratio),)
