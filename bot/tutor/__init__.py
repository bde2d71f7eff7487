"""Use cases: synchronous functions over one transaction that load, advance, save and return a step."""

from bot.tutor.adopt import adopt
from bot.tutor.clock import claim, fire, keep_house
from bot.tutor.play import (
    EXPIRE,
    NEXT,
    QUESTION,
    READING,
    REVEAL,
    SUMMARY,
    Busy,
    Empty,
    act,
    begin,
    results,
    show,
    solo_slot,
    standing,
)

__all__ = [
    "EXPIRE",
    "NEXT",
    "QUESTION",
    "READING",
    "REVEAL",
    "SUMMARY",
    "Busy",
    "Empty",
    "act",
    "adopt",
    "begin",
    "claim",
    "fire",
    "keep_house",
    "results",
    "show",
    "solo_slot",
    "standing",
]
