"""Whatever stands in place of whatever: the author gets problems, never a traceback."""

from __future__ import annotations

import json
import tempfile
import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.bank import check
from tests.bank.authors import COURSE, DECK, ITEM, write

QUIZ = """
[[quiz]]
id = "all-leaves"
title.en = "All"
title.ru = "Все"
modules = ["leaves"]
count = 1
"""
FURTHER = {
    "answer": {"value": 1, "tolerance": 0},
    "accept": {"en": ["oak"], "ru": ["дуб"]},
    "image": {"file": "x.png", "alt": {"en": "A", "ru": "А"}},
    "waive": {"style.dash": "why not"},
    "fixed": ["a"],
    "twin": "other",
    "proof": "oak",
}
VALUES = st.sampled_from([
    "", "x", "а", "../x", "single", "number", "text", "\u202e", 0, -1, 10**40, 1.5, True,
    [], ["a"], ["a", "a"], [1], [[]],
    [{}], {}, {"en": "x"}, {"ru": []}, {"en": {}}, {"a": {}}, {"a": {"en": "x"}, "b": {"en": "x"}}, {"en": ["", 1]},
])  # fmt: skip


def toml(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case _:
            return json.dumps(value)


def places(value: object) -> list[tuple[object, str | int]]:
    """Every place of a tree, as its container and the key in it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, each in pairs for place in ((value, key), *places(each))]


@given(st.data())
def test_a_value_of_any_kind_in_any_place_is_no_traceback(data: st.DataObject) -> None:
    tree = tomllib.loads(DECK + ITEM + QUIZ)
    further = data.draw(st.sets(st.sampled_from(sorted(FURTHER))))
    tree["item"][0] |= json.loads(json.dumps({name: FURTHER[name] for name in further}))
    container, key = data.draw(st.sampled_from(places(tree)))
    container[key] = data.draw(VALUES)  # type: ignore[index]
    module = "\n".join(f"{json.dumps(name)} = {toml(each)}" for name, each in tree.items())
    with tempfile.TemporaryDirectory() as folder:
        problems = check(write(Path(folder), {"trees/course.toml": COURSE, "trees/leaves.toml": module}))
    assert all(str(problem).count(": ") >= 2 for problem in problems)
