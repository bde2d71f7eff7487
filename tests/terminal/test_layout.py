"""Wide and combining characters take the columns that a terminal gives them; nothing reaches over the edge."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.program import kontrolka

BANK = {"KONTROLKA_CONTENT": str(Path(__file__).parent / "bank")}
COLUMN = cell_len("  A. ")
"""Where the words of an option begin."""


def options(out: str) -> list[list[str]]:
    """The lines of each option, as they are printed."""
    found: list[list[str]] = []
    for line in out.splitlines():
        if line.startswith(("  A. ", "  B. ")):
            found.append([line])
        elif found and line.startswith(" " * COLUMN):
            found[-1].append(line)
        elif found and not line.strip():
            break
    return found


@pytest.mark.parametrize(("lang", "columns"), [("en", 60), ("ru", 60), ("ru", 72)])
def test_options_keep_their_column_and_no_line_is_too_long(lang: str, columns: int, tmp_path: Path) -> None:
    more = {**BANK, "COLUMNS": str(columns)}
    out = kontrolka(tmp_path, "play", "wide-options", "--lang", lang, typed=["a", "", ""], more=more).out
    assert max(map(cell_len, out.splitlines())) <= columns
    lines = options(out)
    assert len(lines) == 2
    assert all(len(option) > 1 for option in lines)
    for option in lines:
        assert all(line[COLUMN] != " " for line in option)
        assert all(line.startswith(" " * COLUMN) for line in option[1:])


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_marks_that_take_no_column_do_not_break_a_line_early(lang: str, tmp_path: Path) -> None:
    out = kontrolka(tmp_path, "play", "wide-options", "--lang", lang, typed=["q"], more=BANK).out
    _, marked = options(out)
    for line, following in pairwise(marked):
        assert cell_len(line) + 1 + cell_len(following.split()[0]) > 72


def test_words_are_the_same_in_every_width(tmp_path: Path) -> None:
    narrow, wide = (
        kontrolka(tmp_path / name, "play", "--lang", "ru", typed=["a", "q"], more={"COLUMNS": name}).out
        for name in ("60", "88")
    )
    assert "".join(narrow.split()) == "".join(wide.split())


def test_colour_changes_no_words(tmp_path: Path) -> None:
    plain = kontrolka(tmp_path / "1", "play", "--lang", "en", typed=["a", "q"])
    coloured = kontrolka(tmp_path / "2", "play", "--lang", "en", typed=["a", "q"], more={"NO_COLOR": ""})
    assert plain.out == coloured.out
