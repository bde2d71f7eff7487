"""State diagrams of the session machine, found by calling it: every command from every state that can be reached.

Run `python -m docs.diagram` to print them as Mermaid; `docs/architecture.md` shows the output and a test compares it.
No arrow is drawn by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

from bot.quiz import (
    GRACE,
    LEARN,
    Answer,
    Attempt,
    Command,
    Expire,
    Facts,
    Hint,
    Item,
    Kind,
    Leave,
    Next,
    Opened,
    Pace,
    Pause,
    Phase,
    Plan,
    Planned,
    Policy,
    Response,
    Resume,
    Reveal,
    Select,
    Session,
    Skip,
    Start,
    Stop,
    advance,
    exam,
    group,
)

HOST, OTHER = 1, 2
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MODES = {
    "learn": LEARN,
    "exam": exam(item_limit_s=60, session_limit_s=600),
    "group": group(pace=Pace.ALL_ANSWERED, item_limit_s=60),
}
ITEM = Item("item-1", Kind.MULTIPLE, ("a", "b"), frozenset("a"))
PLAN = Plan((Planned("item-1", ("a", "b")), Planned("item-2", ("a", "b"))))


def commands(position: int) -> Iterator[Command]:
    """Every command by whoever may send it; `Expire` when the item's time is up and when the whole's is.

    `Join` is left out: it ends an item only for the last one left, who had answered, gone and come back.
    """
    yield Start(by=HOST, at=NOON)
    yield Leave(by=OTHER, at=NOON)
    yield Opened(by=None, position=position, at=NOON)
    yield Select(by=HOST, position=position, at=NOON, option="a")
    for option in ("a", "b"):
        yield Answer(by=HOST, position=position, at=NOON, response=Response((option,)))
    yield Hint(by=HOST, position=position, at=NOON)
    yield Skip(by=HOST, position=position, at=NOON)
    yield Next(by=HOST, position=position, at=NOON)
    yield Reveal(by=HOST, position=position, at=NOON)
    for seconds in (60, 600):
        yield Expire(by=None, position=position, at=NOON + timedelta(seconds=seconds) + GRACE)
    yield Pause(by=None, at=NOON)
    yield Resume(by=HOST, at=NOON)
    yield Stop(by=HOST, at=NOON)


def lookups(session: Session, by: int | None, answered: bool) -> Iterator[Facts]:
    """What can be known: the host has answered or not, and another one is still waited for or not."""
    attempt = Attempt(session.id, session.position, ITEM.id, HOST, Response(("a",)), Fraction(1), 0, NOON, date.min)
    item = replace(ITEM, id=session.item)
    earlier = attempt if answered and by != OTHER else None
    for joined in (1, 2):
        yield Facts(date.min, item, earlier=earlier, is_joined=True, joined=joined, answered=int(answered))


def state(session: Session) -> str:
    """The name of a session's state: its phase, or that it is paused."""
    return "paused" if session.paused_at is not None else session.phase.value


def arrows(policy: Policy) -> dict[tuple[str, str], set[str]]:
    """The commands that lead from one state to another; those that change no state are left out."""
    start = (Session("s", 1, "slot", HOST, "quiz", policy, ("en",), PLAN), False)
    found: dict[tuple[str, str], set[str]] = {}
    seen, waiting = {start}, [start]
    while waiting:
        session, answered = waiting.pop()
        for command in commands(session.position):
            for facts in lookups(session, command.by, answered):
                step = advance(session, command, facts)
                moved = step.session.position > session.position
                if moved or state(step.session) != state(session):
                    found.setdefault((state(session), state(step.session)), set()).add(type(command).__name__)
                after = (step.session, not moved and (answered or step.attempt is not None))
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return found


def diagram(policy: Policy) -> str:
    """One Mermaid state diagram, its arrows in the order of the phases, several commands on one arrow."""
    order = [*(phase.value for phase in Phase), "paused"]
    found = arrows(policy)
    lines = ["stateDiagram-v2", "    [*] --> new"]
    for begin, end in sorted(found, key=lambda pair: (order.index(pair[0]), order.index(pair[1]))):
        lines.append(f"    {begin} --> {end}: {', '.join(sorted(found[begin, end]))}")
    return "\n".join([*lines, "    closed --> [*]"])


def page() -> str:
    """All diagrams as Markdown, one per mode, with a line feed at the end."""
    return "\n".join(f"**{name}**\n\n```mermaid\n{diagram(policy)}\n```\n" for name, policy in MODES.items())


if __name__ == "__main__":
    sys.stdout.write(page())
