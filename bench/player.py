"""Learners who play through the tutor until they are killed: `python -m bench.player FILE CONTENT LEARNERS SEED`.

Every line goes out at once. What a learner is about to do is told before it is handed in, what was acknowledged after
the store said that it is kept; so whoever reads knows what must be there when the program is killed at any moment.

    at L SESSION POSITION PHASE    where the program finds learner L at its start; `-` without an open session
    ask L VERB SESSION POSITION OPTION
    ack L SESSION POSITION PHASE   where the learner stands after that

A command of which a former run never said that it was kept is delivered once more, as a platform would do: it stands in
`FILE.asked`, which this program only reads.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.app import new_id
from bot.bank import Bank, load
from bot.quiz import LEARN, Answer, Command, Next, Opened, Phase, Response, Session, Skip, exam
from bot.store import Store, Tx
from bot.tutor import Busy, Empty, act, begin, show, solo_slot

PLAN = 6
"""Questions of a session: short, so that sessions end and begin often."""

EXAM = exam(session_limit_s=3600)

Asked = tuple[str, str, int, str]
"""Verb, session, position, option."""


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def now() -> datetime:
    return datetime.now(UTC)


class Player:
    """One learner in a private chat."""

    def __init__(self, number: int, store: Store, bank: Bank, dice: random.Random) -> None:
        self.number, self.store, self.bank, self.dice = number, store, bank, dice

    async def play(self, again: Asked | None) -> None:
        session = await self.store.run(self._find)
        self._say("at", session)
        if again is not None:
            session = await self._do(again)
        while True:
            session = await self._do(self._choose(session))

    def _find(self, tx: Tx) -> Session | None:
        learner, place = self._who(tx)
        found = tx.open_session(place, solo_slot(learner))
        return None if found is None else show(tx, self.bank, found, at=now()).session

    def _who(self, tx: Tx) -> tuple[int, int]:
        learner = tx.learner_of("telegram", str(self.number), now())
        return learner, tx.place_of("telegram", str(self.number), at=now(), private_to=learner).id

    def _choose(self, session: Session | None) -> Asked:
        """What a learner would do next; now and then a double tap, or a tap on an old button."""
        if session is None or session.closed:
            return ("begin", new_id(), 0, "-")
        position = session.position
        if position and self.dice.random() < 0.05:
            return ("answer", session.id, position - 1, self.dice.choice("abcd"))
        if session.phase is Phase.ASKED:
            return ("opened", session.id, position, "-")
        if session.phase is Phase.REVEALED or (session.policy is not LEARN and self.dice.random() < 0.5):
            return ("next", session.id, position, "-")
        return ("skip" if self.dice.random() < 0.05 else "answer", session.id, position, self.dice.choice("abcd"))

    async def _do(self, asked: Asked) -> Session | None:
        say("ask", self.number, *asked)
        session = await self.store.run(lambda tx: self._carry_out(tx, asked))
        self._say("ack", session)
        return session

    def _carry_out(self, tx: Tx, asked: Asked) -> Session | None:
        verb, session, position, option = asked
        learner, place = self._who(tx)
        if verb == "begin":
            begun = begin(
                tx,
                self.bank,
                session=session,
                place=place,
                slot=solo_slot(learner),
                host=learner,
                quiz=self.dice.sample(list(self.bank.entries), PLAN),
                policy=EXAM if learner % 4 == 0 else LEARN,
                locales=("en",),
                at=now(),
                origin=f"update-{session}",
            )
            assert not isinstance(begun, Busy | Empty)
            return begun.session
        command: Command
        match verb:
            case "opened":
                command = Opened(by=None, position=position, at=now())
            case "next":
                command = Next(by=learner, position=position, at=now())
            case "skip":
                command = Skip(by=learner, position=position, at=now())
            case _:
                command = Answer(by=learner, position=position, at=now(), response=Response((option,)))
        step = act(tx, self.bank, session, command)
        assert step is not None
        return step.session

    def _say(self, word: str, session: Session | None) -> None:
        if session is None or session.closed:
            say(word, self.number, session.id if session else "-", "-", "closed")
        else:
            say(word, self.number, session.id, session.position, session.phase)


def asked_before(file: str) -> dict[str, Asked]:
    """The command of each learner that was handed in and not acknowledged, by number."""
    return {learner: tuple(asked) for learner, asked in json.loads(Path(f"{file}.asked").read_text()).items()}


async def main(file: str, content: str, learners: str, seed: str) -> None:
    bank, again = load(Path(content)), asked_before(file)
    async with Store.open(Path(file), clock=now) as store:
        players = [Player(n, store, bank, random.Random(f"{seed}-{n}")) for n in range(int(learners))]
        await asyncio.gather(*(p.play(again.get(str(p.number))) for p in players))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
