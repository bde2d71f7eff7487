"""The diagrams of the machine's states are drawn by the machine itself."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DIAGRAM = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "diagram.py"))


def arrows(mode: str) -> dict[tuple[str, str], set[str]]:
    return DIAGRAM["arrows"](DIAGRAM["MODES"][mode])  # type: ignore[no-any-return]


def test_the_page_has_one_diagram_for_learn_exam_and_group_and_is_the_same_each_time() -> None:
    page = DIAGRAM["page"]()
    assert page.count("stateDiagram-v2") == 3
    assert [line.strip("*") for line in page.splitlines() if line.startswith("**")] == ["learn", "exam", "group"]
    assert page == DIAGRAM["page"]()
    assert page.endswith("```\n")


@pytest.mark.parametrize(
    ("mode", "arrow", "commands"),
    [
        ("learn", ("new", "asked"), {"Start"}),
        ("learn", ("asked", "revealed"), {"Answer", "Skip"}),
        ("learn", ("open", "revealed"), {"Answer", "Skip"}),
        ("learn", ("revealed", "asked"), {"Next"}),
        ("learn", ("revealed", "closed"), {"Next", "Stop"}),
        ("exam", ("asked", "open"), {"Answer", "Hint", "Opened", "Select"}),
        ("exam", ("open", "asked"), {"Expire", "Next", "Skip"}),
        ("exam", ("open", "closed"), {"Expire", "Next", "Skip", "Stop"}),
        ("group", ("open", "revealed"), {"Answer", "Expire", "Leave", "Reveal"}),
        ("group", ("paused", "revealed"), {"Resume"}),
    ],
)
def test_an_arrow_carries_the_commands_that_lead_along_it(
    mode: str, arrow: tuple[str, str], commands: set[str]
) -> None:
    assert arrows(mode)[arrow] == commands


@pytest.mark.parametrize("mode", ["learn", "exam", "group"])
def test_nothing_leads_out_of_closed_and_nothing_back_to_new(mode: str) -> None:
    found = arrows(mode)
    assert {end for begin, end in found} >= {"asked", "open", "paused", "closed"}
    assert not [begin for begin, _ in found if begin == "closed"]
    assert not [end for _, end in found if end == "new"]


def test_an_exam_reveals_nothing_before_its_end() -> None:
    assert not [arrow for arrow in arrows("exam") if "revealed" in arrow]
