"""Plans: which items a session asks, in which order, with their options in which order.

Every choice is an order by `sha256(seed, ...)`: the same seed draws the same plan, and no dice are needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.quiz.items import Item


@dataclass(frozen=True, slots=True)
class Planned:
    """One item of a plan."""

    item: str
    options: tuple[str, ...]
    """Every option id of the item, in the order shown; empty for text and number."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The items of a session in order. Written once, never changed."""

    entries: tuple[Planned, ...]
    """At least one; no item twice."""

    def __post_init__(self) -> None:
        """Refuse an empty plan and a repeated item.

        Raises:
            ValueError: There is nothing to ask, or an item stands twice.
        """
        if not self.entries:
            raise ValueError("a plan has at least one item")
        if len({entry.item for entry in self.entries}) != len(self.entries):
            raise ValueError("a plan names an item twice")

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, position: int) -> Planned:
        return self.entries[position]

    @property
    def items(self) -> tuple[str, ...]:
        """The item ids in order."""
        return tuple(entry.item for entry in self.entries)

    def to_json(self) -> list[list[str]]:
        """One list per item: its id, then its options in the order shown."""
        return [[entry.item, *entry.options] for entry in self.entries]

    @classmethod
    def from_json(cls, entries: Iterable[Sequence[str]]) -> Plan:
        """The plan that `to_json` was called on."""
        return cls(tuple(Planned(entry[0], tuple(entry[1:])) for entry in entries))


@dataclass(frozen=True, slots=True)
class Blueprint:
    """How a quiz is drawn: named items, or modules with a count."""

    id: str
    items: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    count: int | None = None
    """How many to draw; None is all."""
    random: bool = False
    """Whether the items are drawn and asked in random order; otherwise in the order of the bank."""
    shuffle: bool = True
    """Whether options are shuffled (where the item allows it)."""


def _rank(seed: str, *parts: str) -> bytes:
    return hashlib.sha256("\x1f".join((seed, *parts)).encode()).digest()


def shown_order(item: Item, seed: str) -> tuple[str, ...]:
    """The options of an item in the order of one session; fixed options keep their place."""
    if not item.shuffle:
        return item.options
    moving = iter(sorted((o for o in item.options if o not in item.fixed), key=lambda o: _rank(seed, item.id, o)))
    return tuple(option if option in item.fixed else next(moving) for option in item.options)


def _evenly(pool: Sequence[Item], count: int) -> list[Item]:
    """The first `count` items of a pool, taken from its modules in turn."""
    queues: dict[str, list[Item]] = {}
    for item in pool:
        queues.setdefault(item.module, []).append(item)
    taken: list[Item] = []
    while len(taken) < count and any(queues.values()):
        for queue in queues.values():
            if queue and len(taken) < count:
                taken.append(queue.pop(0))
    return taken


def draw(
    blueprint: Blueprint,
    bank: Sequence[Item],
    seed: str,
    *,
    twins: Mapping[str, str] | None = None,
    length: int | None = None,
    last_asked: Mapping[str, int] | None = None,
) -> Plan | None:
    """The plan of a new session.

    Args:
        blueprint: What to draw.
        bank: The live items that may be asked here, in the bank's order.
        seed: What decides every random order; the session's id.
        twins: Item id to the id of its twin; of two twins only the first drawn is asked, unless both are named.
        length: At most so many items, if the learner asked for a shorter quiz than the blueprint gives.
        last_asked: Item id to a number that grows with time; items that are missing were never asked. They are drawn
            first, then the ones asked longest ago; what is asked in a fixed order keeps that order.

    Returns:
        The plan; None if nothing is left to ask.
    """
    if blueprint.items:
        by_id = {item.id: item for item in bank}
        pool = [by_id[name] for name in blueprint.items if name in by_id]
    else:
        pool = [item for item in bank if item.module in blueprint.modules]
    order = {item.id: place for place, item in enumerate(pool)}
    if blueprint.random:
        pool.sort(key=lambda item: _rank(seed, item.id))
    if last_asked:
        pool.sort(key=lambda item: last_asked.get(item.id, -1))
    if twins and not blueprint.items:
        kept: dict[str, Item] = {}
        for item in pool:
            if not any(twins.get(item.id) == other or twins.get(other) == item.id for other in kept):
                kept[item.id] = item
        pool = list(kept.values())
    limits = [limit for limit in (blueprint.count, length) if limit is not None]
    if limits and len(pool) > min(limits):
        chosen = pool[: min(limits)] if blueprint.items else _evenly(pool, min(limits))
        pool = [item for item in pool if item in chosen]
    if not pool:
        return None
    if not blueprint.random:
        pool.sort(key=lambda item: order[item.id])
    return Plan(tuple(Planned(i.id, shown_order(i, seed) if blueprint.shuffle else i.options) for i in pool))
