"""The content that is shipped is sound, and its authors' page says what the code says."""

from __future__ import annotations

import re
from pathlib import Path

from bot.bank import check, limits, load
from bot.bank.rules import BANK_STYLE, STYLE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "content.md").read_text(encoding="utf-8")


def test_the_shipped_content_loads_and_lints_clean() -> None:
    assert [str(problem) for problem in check(ROOT / "content")] == []
    assert len(load(ROOT / "content").entries) >= 8


def test_the_page_for_authors_lists_every_rule() -> None:
    rows = re.findall(r"^\| `(style\.[a-z-]+)` \| (.+?) \|$", PAGE, re.MULTILINE)
    assert rows == [*STYLE.items(), *BANK_STYLE.items()]


def test_the_page_for_authors_states_the_limits() -> None:
    rows = dict(re.findall(r"^\| ([a-z_, `.]+?) \| ([\d ]+)\b.* \|$", PAGE, re.MULTILINE))
    stated = {name: int(number.replace(" ", "")) for name, number in rows.items()}
    assert stated == {
        "stem": limits.STEM,
        "option": limits.OPTION,
        "options": limits.OPTIONS,
        "stem and options together": limits.QUESTION,
        "why": limits.WHY,
        "hint": limits.HINT,
        "explanation": limits.EXPLANATION,
        "brief": limits.BRIEF,
        "title": limits.TITLE,
        "about": limits.ABOUT,
        "an accepted form": limits.ACCEPT,
        "accepted forms": limits.ACCEPTED,
        "alt": limits.ALT,
        "sources": limits.SOURCES,
        "`source.title`": limits.SOURCE_TITLE,
        "`source.url`": limits.SOURCE_URL,
        "`version`, `valid_for`": limits.VERSION,
        "the reason of a waiver": limits.REASON,
        "digits of a number": limits.DIGITS,
        "`minutes` of an exam": limits.MINUTES,
        "bytes of a picture": limits.IMAGE_BYTES,
    }
    known = {value for name, value in vars(limits).items() if name.isupper() and isinstance(value, int)}
    assert known == {*stated.values(), limits.BRIEF_LINES}


def test_the_example_of_a_module_on_the_page_is_sound(tmp_path: Path) -> None:
    course, module = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[:2]
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    (folder / "course.toml").write_text(course, encoding="utf-8")
    (folder / "state.toml").write_text(module, encoding="utf-8")
    assert [str(problem) for problem in check(tmp_path)] == []
