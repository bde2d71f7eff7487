"""Kill a program with SIGKILL under load, again and again, and look whether anything that was acknowledged is lost.

`python -m bench.crash --kills 200 --learners 64` prints the figures; exit code 1 if one is not what it must be.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from bench.world import write_content

ROOT = Path(__file__).resolve().parents[1]

Standing = tuple[str, str, str]
"""Session, position, phase, as the player says them; `-`, `-`, `closed` before the first session."""

NOWHERE: Standing = ("-", "-", "closed")


SKIPPED = "-"


@dataclass
class Figures:
    """What came of it."""

    kills: int = 0
    acknowledged: int = 0
    """Commands the store said it had kept."""
    answers: int = 0
    """Of these, answers and skips that counted."""
    in_flight: int = 0
    """Commands under way at a kill."""
    kept_in_flight: int = 0
    """Of these, the ones that had reached the disk."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)
    """Learners who did not come back to where they stood."""

    @property
    def good(self) -> bool:
        return not (self.lost or self.doubled or self.misplaced)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills: {self.acknowledged} commands acknowledged, {self.answers} of them answers; "
            f"{self.in_flight} in flight at a kill, {self.kept_in_flight} of them kept; "
            f"{len(self.lost)} lost, {len(self.doubled)} doubled, {len(self.misplaced)} misplaced"
        )


class Crowd:
    """What is known, from outside, of all learners."""

    def __init__(self) -> None:
        self.standing: dict[str, Standing] = {}
        self.asked: dict[str, tuple[str, str, int, str]] = {}
        """The command of each learner that was handed in and not acknowledged."""
        self.recorded: dict[tuple[str, str], str] = {}
        """Session and position to the option that was acknowledged last."""

    def read(self, line: str, figures: Figures) -> None:
        word, learner, *rest = line.split()
        if word == "at":
            self._came_back(learner, (rest[0], rest[1], rest[2]), figures)
        elif word == "ask":
            self.asked[learner] = (rest[0], rest[1], int(rest[2]), rest[3])
        elif word == "ack":
            self._acknowledged(learner, (rest[0], rest[1], rest[2]), figures)

    def _acknowledged(self, learner: str, after: Standing, figures: Figures) -> None:
        verb, session, position, option = self.asked.pop(learner)
        before = self.standing.get(learner, NOWHERE)
        figures.acknowledged += 1
        if verb in ("answer", "skip") and before[:2] == (session, str(position)):
            figures.answers += 1
            if verb == "answer":
                self.recorded[session, str(position)] = option
            else:
                self.recorded.setdefault((session, str(position)), SKIPPED)
        self.standing[learner] = after

    def _came_back(self, learner: str, found: Standing, figures: Figures) -> None:
        """After a kill a learner stands where the last acknowledgement left him, or where the command in flight led."""
        before, asked = self.standing.get(learner, NOWHERE), self.asked.get(learner)
        found_open = found if found[2] != "closed" else NOWHERE
        before_open = before if before[2] != "closed" else NOWHERE
        if asked is not None:
            figures.in_flight += 1
        if found_open == before_open:
            return
        if asked is not None and found_open in _after(asked):
            figures.kept_in_flight += 1
            return
        figures.misplaced.append(f"{learner}: {found} after {before} and {asked}")


def _after(asked: tuple[str, str, int, str]) -> set[Standing]:
    """Where a command may lead."""
    verb, session, position, _ = asked
    match verb:
        case "begin":
            return {(session, "0", "asked")}
        case "opened":
            return {(session, str(position), "open")}
        case "answer":
            return {(session, str(position), "revealed"), (session, str(position), "open")}
        case "skip":
            return {
                (session, str(position), "revealed"), (session, str(position + 1), "asked"), NOWHERE
            }  # fmt: skip
        case _:
            return {(session, str(position + 1), "asked"), NOWHERE}


def crash(folder: Path, *, kills: int, learners: int, seed: int = 1, most: int = 1500) -> Figures:
    """Run, kill and look, so often.

    Args:
        folder: An empty one.
        kills: How often the program is killed.
        learners: Who play at the same time.
        seed: Of all dice.
        most: A program is killed after at most so many lines of its own, or while it starts.
    """
    dice, figures, crowd = random.Random(seed), Figures(), Crowd()
    file, content = folder / "kontrolka.db", folder / "content"
    write_content(content, 40)
    for kill in range(kills):
        asked = Path(f"{file}.asked")
        asked.write_text(json.dumps(crowd.asked))
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.player", str(file), str(content), str(learners), f"{seed}-{kill}"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert process.stdout is not None
        lines = learners + dice.randrange(most)
        for line in process.stdout:
            crowd.read(line, figures)
            lines -= 1
            if not lines:
                break
        process.kill()
        for line in process.stdout:  # what had left the program before it died
            if line.endswith("\n"):
                crowd.read(line, figures)
        process.wait()
        process.stdout.close()
        if process.returncode != -9:
            raise RuntimeError(f"the players ended by themselves with {process.returncode}; so far {figures}")
        figures.kills += 1
        _look(file, crowd, figures)
    return figures


def _look(file: Path, crowd: Crowd, figures: Figures) -> None:
    """Compare what was acknowledged with what is in the file."""
    with closing(sqlite3.connect(file)) as db:
        if (damage := db.execute("PRAGMA quick_check").fetchall()) != [("ok",)]:
            figures.lost.append(f"the file is damaged: {damage}")
        rows = db.execute("SELECT session, position, learner, revision, response FROM attempts ORDER BY id").fetchall()
        slots = db.execute("SELECT place, slot, count(*) FROM sessions WHERE open = 1 GROUP BY 1, 2").fetchall()
    kept: dict[tuple[str, str], str] = {}
    for session, position, _, revision, response in rows:
        chosen = (*json.loads(response)["chosen"], SKIPPED)[0]
        place = (session, str(position))
        if (place in kept) != (revision > 0) or kept.get(place) == chosen:
            figures.doubled.append(f"{place}: {chosen} as revision {revision} after {kept.get(place)}")
        kept[place] = chosen
    in_flight = {(asked[1], str(asked[2])): asked for asked in crowd.asked.values()}
    for place, option in crowd.recorded.items():
        verb, _, _, wanted = in_flight.get(place, ("", "", 0, option))
        if kept.get(place) not in (option, SKIPPED if verb == "skip" else wanted):
            figures.lost.append(f"{place}: {option}, but {kept.get(place)} is kept")
    figures.doubled += [f"{place} {slot}" for place, slot, count in slots if count > 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--learners", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="crash-") as folder:
        figures = crash(Path(folder), kills=arguments.kills, learners=arguments.learners, seed=arguments.seed)
    print(figures)
    for line in [*figures.lost, *figures.doubled, *figures.misplaced][:20]:
        print(f"  {line}")
    return 0 if figures.good else 1


if __name__ == "__main__":
    sys.exit(main())
