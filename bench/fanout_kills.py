"""Kill a program with SIGKILL while it posts a daily question to many places, again and again: does every place get its
question exactly once, or is it named to its moderator with a button to have it sent again?

`python -m bench.fanout_kills --kills 10 --places 5000` prints the figures; exit code 1 if one is not what it must be.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.world import write_content
from bot.bank import Bank, load
from bot.store import Daily, PostState, Store, Tx
from bot.tutor import adopt
from bot.tutor.daily import DAILY, keep
from tests.far_ends.telegram import FarEnd, Person
from tests.far_ends.telegram.world import Chat, Member

ROOT = Path(__file__).resolve().parents[1]

END_S = 240.0
"""How long everything may take once nothing is killed any more: what was claimed by a killed one waits for a minute."""


def now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Figures:
    """What came of it."""

    kills: int = 0
    places: int = 0
    exactly_once: int = 0
    uncertain: int = 0
    """Places of which the moderator was told, the question having arrived or not."""
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills: {self.exactly_once} of {self.places} places have the question exactly once, "
            f"{self.uncertain} are listed as uncertain, {len(self.problems)} problems"
        )


def groups(far_end: FarEnd, owner: Person, count: int) -> list[Chat]:
    """Supergroups in which the bot has been for long."""
    made = []
    for number in range(count):
        chat = far_end.world.new_chat("supergroup", f"Group {number}")
        chat.members[owner.id] = Member(owner.user, "creator")
        chat.members[far_end.world.bot.id] = Member(far_end.world.bot, "member")
        made.append(chat)
    return made


def due_everywhere(tx: Tx, bank: Bank, chats: list[Chat], owner: int, at: datetime) -> None:
    """A daily question in every chat, all due at the same moment."""
    learner = tx.learner_of("telegram", str(owner), at)
    tx.place_of("telegram", str(owner), at=at, private_to=learner)
    quiz = next(iter(bank.decks))
    for chat in chats:
        place = tx.place_of("telegram", str(chat.id), at=at)
        tx.set_place(replace(place, locale="en", settings={"greeted": True, "polls": False}))
        daily = Daily(
            id=0,
            place=place.id,
            moderator=learner,
            at=at.time().replace(second=0, microsecond=0),
            zone="UTC",
            weekdays=frozenset(range(7)),
            quiz=quiz,
            locales=("en",),
            open_s=24 * 3600,
        )
        kept = keep(tx, daily, at)
        payload = {"daily": kept.id, "on": at.date().isoformat(), "due": at.isoformat()}
        tx.due.schedule(DAILY, f"place:{place.id}:daily:{kept.id}", at, payload)


async def fill(file: Path, bank: Bank, chats: list[Chat], owner: int, at: datetime) -> None:
    async with Store.open(file, clock=now) as store:
        await store.run(lambda tx: adopt(tx, bank, at))
        for i in range(0, len(chats), 100):
            part = chats[i : i + 100]
            await store.run(lambda tx, part=part: due_everywhere(tx, bank, part, owner, at))


async def kills(folder: Path, *, kills: int, places: int, seed: int = 1) -> Figures:
    """Run, kill, run to the end, and look.

    Args:
        folder: An empty one.
        kills: How often the program is killed, at random moments of the fan-out.
        places: How many.
        seed: Of all dice.
    """
    dice, figures = random.Random(seed), Figures(places=places)
    content, file = folder / "content", folder / "kontrolka.db"
    write_content(content, 20)
    async with FarEnd(checks=False, keeps=False, follows=asyncio.get_running_loop().time, start=now()) as far_end:
        owner = far_end.person("A", language_code="en")
        owner.user.started = True
        far_end.world.private(owner.user)
        chats = groups(far_end, owner, places)
        await fill(file, load(content), chats, owner.id, now() - timedelta(minutes=1))
        sent = far_end.server.counts
        far_end.faults.latency_s = 0.02
        for _ in range(kills):
            process = await _start(folder, far_end, content)
            before, wanted = sent["sendMessage"], dice.randrange(1, max(2, places // (kills + 2)))
            await _until(lambda before=before, wanted=wanted: sent["sendMessage"] >= before + wanted)
            await asyncio.sleep(dice.random() * 0.03)
            process.send_signal(signal.SIGKILL)
            await process.wait()
            figures.kills += 1
        process = await _start(folder, far_end, content)
        await _settle(file)
        process.terminate()
        await process.wait()
        await _look(figures, far_end, file, chats, owner)
    return figures


async def _start(folder: Path, far_end: FarEnd, content: Path) -> asyncio.subprocess.Process:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("KONTROLKA_")},
        "TELEGRAM_TOKEN": far_end.token,
        "TELEGRAM_API_URL": far_end.url,
        "KONTROLKA_LIMITS": "off",
        "KONTROLKA_CONTENT": str(content),
        "KONTROLKA_DATA": str(folder / "kontrolka.db"),
    }
    with (folder / "log.txt").open("ab") as log:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=environment, cwd=ROOT, stdout=log, stderr=log
        )


async def _until(come: Callable[[], bool]) -> None:
    async with asyncio.timeout(END_S):
        while not come():  # noqa: ASYNC110 another process is waited for
            await asyncio.sleep(0.005)


async def _settle(file: Path) -> None:
    """Wait until nothing is due and nothing is under way; the file is read beside the program that owns it."""
    statement = (
        "SELECT (SELECT count(*) FROM posts WHERE state IN ('pending', 'sending')) "
        "+ (SELECT count(*) FROM due WHERE kind = 'daily' AND at <= ?)"
    )
    async with asyncio.timeout(END_S):
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
            while db.execute(statement, (int(now().timestamp() * 1e6),)).fetchone()[0]:  # noqa: ASYNC110 the same
                await asyncio.sleep(0.3)


async def _look(figures: Figures, far_end: FarEnd, file: Path, chats: list[Chat], owner: Person) -> None:
    def uncertain(tx: Tx) -> dict[int, int]:
        places = ((tx.place(post.place), post) for post in tx.posts.in_state(PostState.UNCERTAIN))
        return {post.id: int(place.chat) for place, post in places if place is not None and post.kind == "question"}

    async with Store.open(file, clock=now) as store:
        in_doubt = await store.run(uncertain)
        left = await store.run(
            lambda tx: len(tx.posts.in_state(PostState.PENDING)) + len(tx.posts.in_state(PostState.SENDING))
        )
    if left:
        figures.problems.append(f"{left} posts have not left")
    offered = {
        int(button["callback_data"].rpartition("/")[2])
        for message in far_end.messages(owner)
        for row in (message.markup or {}).get("inline_keyboard", [])
        for button in row
    }
    figures.uncertain = len(in_doubt)
    figures.problems += [f"nobody was told of post {post}" for post in in_doubt.keys() - offered]
    for chat in chats:
        count = len(far_end.messages(chat))
        figures.exactly_once += count == 1
        if count > 1 or (count == 0 and chat.id not in in_doubt.values()):
            figures.problems.append(f"{chat.title} has the question {count} times")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--places", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fanout-") as folder:
        figures = asyncio.run(kills(Path(folder), kills=wanted.kills, places=wanted.places, seed=wanted.seed))
    print(figures)
    for line in figures.problems[:20]:
        print(f"  {line}")
    return 1 if figures.problems else 0


if __name__ == "__main__":
    sys.exit(main())
