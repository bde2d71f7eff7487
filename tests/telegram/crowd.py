"""Many people who play the seed quiz again and again while the program is killed and started anew.

A person presses what the newest message offers and waits; if the program was started anew meanwhile, they press again.
Afterwards `problems` compares what the people were shown with what the data file holds.
"""

from __future__ import annotations

import asyncio
import random  # noqa: TID251 kills come at random moments
import re
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.quiz import Attempt
from bot.store import Tx
from tests.far_ends.telegram import FarEnd, Message, Person, Query
from tests.program import stored
from tests.telegram.program import Program

_TAP = re.compile(r"1:([0-9a-z]+):(\d+):([a-z])([a-z0-9]*)")

_ASKS_AGAIN = ("1/again", "1/go")
"""Buttons that have the present question sent once more."""

LOOKS_S = 0.5
"""How long a person waits for more after an answer before looking at the chat anew."""


@dataclass
class Player:
    """One person and what they saw."""

    person: Person
    demanded: int = 0
    """How often they asked to see a question again."""
    queries: list[Query] = field(default_factory=list)
    shown: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    """By session and position, the options that were shown as theirs."""
    finished: int = 0


class Crowd:
    """People, the far end and the program."""

    def __init__(self, far_end: FarEnd, program: Program, people: int, seed: int, *, doubles: float = 0) -> None:
        self.far_end, self.program = far_end, program
        self.dice = random.Random(seed)
        self.players = [Player(far_end.person(f"A{number}")) for number in range(people)]
        self.kills = self.doubled = 0
        self._doubles, self._over = doubles, False

    async def lives(self, kills: int, *, longest_s: float = 0.8) -> None:
        """Let everybody play while the program is killed so often, and then until everybody has finished a quiz."""
        await self.program.start()
        playing = [asyncio.create_task(self._plays(player)) for player in self.players]
        try:
            for _ in range(kills):
                before = self._calls()
                await self._until(lambda before=before: self._calls() > before + 5)
                await asyncio.sleep(self.dice.uniform(0, longest_s))
                await self.program.end(signal.SIGKILL)
                self.kills += 1
                await self.program.start()
            self._over = True
            await asyncio.gather(*playing)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    def _calls(self) -> int:
        counts = self.far_end.server.counts
        return counts["sendMessage"] + counts["editMessageText"]

    async def _until(self, condition: Callable[[], object], timeout_s: float = 60) -> None:
        await self.far_end.until(condition, timeout_s)

    async def _plays(self, player: Player) -> None:
        player.person.sends("/start")
        while not (self._over and player.finished):
            generation, before = self.kills, self._seen(player)
            query = self._next(player)
            if query is None:
                await self._changes(player, before, generation)
                continue
            player.queries.append(query)
            await self._until(lambda query=query, generation=generation: query.is_answered or self.kills != generation)
            await self._changes(player, before, generation)

    async def _changes(self, player: Player, before: object, generation: int) -> None:
        try:
            await self._until(
                lambda: self._seen(player) != before or self.kills != generation,
                LOOKS_S,
            )
        except TimeoutError:
            if self._next_button(player) is None and player.person.chat.messages:
                player.demanded += 1
                player.person.sends("/resume")

    def _seen(self, player: Player) -> object:
        messages = self.far_end.messages(player.person)
        for message in messages:
            self._note(player, message)
        return [(m.id, m.words, m.buttons) for m in messages]

    def _note(self, player: Player, message: Message) -> None:
        tap = _answer_of(message)
        chosen = re.search(r"^([A-L])\. .* — your answer", message.words, re.MULTILINE)
        if tap is not None and chosen:
            session, position, options = tap
            player.shown.setdefault((session, position), set()).add(options["ABCDEFGHIJKL".index(chosen[1])])

    def _next_button(self, player: Player) -> tuple[Message, str] | None:
        for message in reversed(self.far_end.messages(player.person)):
            found = [b["callback_data"] for row in (message.markup or {}).get("inline_keyboard", []) for b in row]
            verbs = {data: match[3] for data in found if (match := _TAP.fullmatch(data))}
            for wanted in ("n", "g", "a"):
                offered = [data for data, verb in verbs.items() if verb == wanted]
                if offered:
                    return message, self.dice.choice(offered)
            for start in ("1/begin", "1/again"):
                offered = [data for data in found if data.startswith(start)]
                if offered:
                    return message, offered[0]
        return None

    def _next(self, player: Player) -> Query | None:
        found = self._next_button(player)
        if found is None:
            return None
        message, data = found
        if data.startswith("1/again"):
            player.demanded += 1
        if data.endswith(":g"):
            player.finished += 1
            if self._over:
                return None
        query = player.person.taps(message, data)
        if self.dice.random() < self._doubles:
            self.doubled += 1
            return player.person.taps(message, data)
        return query

    async def presses_everything_old(self) -> int:
        """Press one button of every message that ever had one; gives how many were pressed."""
        taps = []
        for player in self.players:
            for message in self.far_end.messages(player.person):
                rows = message.markups[-1]["inline_keyboard"] if message.markups else []
                if rows:
                    data = self.dice.choice([b for row in rows for b in row])["callback_data"]
                    player.demanded += data.startswith(_ASKS_AGAIN)
                    taps.append(player.person.sends_data(message, data))
        await self._until(lambda: all(tap.is_answered for tap in taps))
        return len(taps)

    async def problems(self) -> list[str]:
        """What was lost, doubled or asked twice; to be called while no program runs."""

        def look(tx: Tx) -> dict[tuple[str, int], list[Attempt]]:
            found: dict[tuple[str, int], list[Attempt]] = {}
            for player in self.players:
                for session, position in self.asked(player):
                    found[session, position] = [a for a in tx.attempts_of(session) if a.position == position]
            return found

        attempts = await asyncio.to_thread(stored, self.program.data, look)
        problems = []
        for player in self.players:
            asked = self.asked(player)
            more = sum(count - 1 for count in asked.values())
            if more > player.demanded:
                name = player.person.user.first_name
                problems.append(f"{name}: {more} questions more than once, {player.demanded} demanded")
            for key in asked:
                kept, shown = attempts[key], player.shown.get(key, set())
                if len(kept) > 1:
                    problems.append(f"{key}: {len(kept)} attempts")
                if shown and [shown] != [set(a.response.chosen) for a in kept]:
                    problems.append(f"{key}: shown {shown}, kept {[a.response.chosen for a in kept]}")
        return problems

    def asked(self, player: Player) -> Counter[tuple[str, int]]:
        """Session and position of every question that was sent, with how often."""
        asked: Counter[tuple[str, int]] = Counter()
        for message in self.far_end.messages(player.person):
            if (tap := _answer_of(message)) is not None:
                asked[tap[0], tap[1]] += 1
        return asked


def _answer_of(message: Message) -> tuple[str, int, list[str]] | None:
    """Session, position and options of the question that a message carries."""
    for markup in message.markups:
        found = [b["callback_data"] for row in markup["inline_keyboard"] for b in row]
        taps = [match for data in found if (match := _TAP.fullmatch(data)) and match[3] == "a"]
        if taps:
            return taps[0][1], int(taps[0][2]), [tap[4] for tap in taps]
    return None
