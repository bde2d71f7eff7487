"""`python -m bench.telegram_kills [KILLS] [SEED]`: the Telegram bot is killed with SIGKILL under many people's load.

Afterwards no answer that was shown is lost, none is counted twice, no question was asked twice unasked, and every old
button is answered. Exit code 1 if that does not hold.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.far_ends.telegram import FarEnd
from tests.telegram.crowd import Crowd
from tests.telegram.program import Program

PEOPLE = 30


async def run(kills: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        async with FarEnd(checks=False, keeps=False) as far_end:
            program = Program(Path(folder), far_end.token, far_end.url)
            crowd = Crowd(far_end, program, PEOPLE, seed)
            begun = time.monotonic()
            await crowd.lives(kills)
            pressed = await crowd.presses_everything_old()
            await program.end(signal.SIGTERM)
            problems = await crowd.problems()
        shown = sum(len(player.shown) for player in crowd.players)
        print(
            f"{crowd.kills} kills in {time.monotonic() - begun:.0f} s, {PEOPLE} people, {shown} answers shown, "
            f"{sum(player.finished for player in crowd.players)} quizzes finished, {pressed} old buttons answered, "
            f"a question demanded again {sum(player.demanded for player in crowd.players)} times"
        )
        for problem in problems:
            print(problem)
        if "incident" in program.words:
            print(next(line for line in program.words.splitlines() if "incident" in line))
            return 1
    print("nothing lost, nothing doubled" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(asyncio.run(run(*(arguments + [100, 1][len(arguments) :]))))
