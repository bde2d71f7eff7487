"""`kontrolka --help`, against importing click."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter

from bench.measure import Measure, in_turns

ROUNDS = 15


def seconds(*command: str) -> float:
    started = perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return perf_counter() - started


def ratio() -> tuple[float, str]:
    program = str(Path(sys.executable).with_name("kontrolka"))
    help_s, click_s = in_turns(
        lambda: seconds(program, "--help"), lambda: seconds(sys.executable, "-c", "import click"), ROUNDS
    )
    return help_s / click_s, f"{help_s * 1000:.0f} ms against {click_s * 1000:.0f} ms"


MEASURES = (Measure("help.start", 3, "at most", ratio),)
