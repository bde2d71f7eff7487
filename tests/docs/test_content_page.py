"""The examples of docs/content.md are TOML that loads, and its limits are those of the program."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bot.bank import ContentError, load
from tests.docs.test_readme import blocks
from tests.program import ROOT

PAGE = ROOT / "docs" / "content.md"
EXAMPLES = blocks(PAGE, "toml")


def test_page_has_an_example_of_a_course_and_of_a_module() -> None:
    parsed = [tomllib.loads(example) for example in EXAMPLES]
    assert ["course" in example for example in parsed].count(True) == 1
    assert ["deck" in example for example in parsed].count(True) == 1


def _refusal(tmp_path: Path) -> list[str]:
    course, module = sorted(EXAMPLES[:2], key=lambda text: "[course]" not in text)
    folder = tmp_path / tomllib.loads(course)["course"]["id"]
    folder.mkdir()
    (folder / "course.toml").write_text(course, encoding="utf-8")
    (folder / "module.toml").write_text(module, encoding="utf-8")
    try:
        load(tmp_path)
    except ContentError as error:
        return [str(problem) for problem in error.problems]
    return []


def test_examples_load_together_as_a_bank(tmp_path: Path) -> None:
    assert _refusal(tmp_path) == []


@pytest.mark.parametrize("kind", ["single", "multiple", "text", "number"])
def test_page_names_every_kind_of_item(kind: str) -> None:
    assert kind in PAGE.read_text(encoding="utf-8")
