"""Typed answers that look like keys: whatever an item accepts can be answered, and keys go on working."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import kontrolka

DECK = """\
[deck]
id = "short"
title.en = "Short answers"
title.ru = "Короткие ответы"
order = 1

[[item]]
id = "item-0"
kind = "text"
accept.en = ["{form}"]
accept.ru = ["{form}"]
level = 1
stem.en = "Which letter?"
stem.ru = "Какая буква?"
hint.en = "A short one."
hint.ru = "Короткая."
explanation.en = "That one."
explanation.ru = "Эта."
"""


def bank(tmp_path: Path, form: str) -> dict[str, str]:
    root = tmp_path / "content" / "made"
    root.mkdir(parents=True)
    (root / "course.toml").write_text('[course]\nid = "made"\ntitle.en = "Made"\ntitle.ru = "Курс"\n')
    (root / "1.toml").write_text(DECK.replace("{form}", form))
    return {"KONTROLKA_CONTENT": str(root.parent), "KONTROLKA_LANG": "en"}


@pytest.mark.parametrize("form", [*"nsqтыйmro", "S", "«q»"])
@pytest.mark.parametrize("mode", ["learn", "exam"])
def test_a_letter_that_is_a_key_elsewhere_can_be_the_answer(form: str, mode: str, tmp_path: Path) -> None:
    """`s` skipped the item and `q` left."""
    ran = kontrolka(tmp_path, "play", "short", "--mode", mode, typed=[form, "", ""], more=bank(tmp_path, form))
    assert "Your answer (/? — hint, /s — skip, /q — quit): " in ran.words
    assert "Result: 1 point out of 1 (100%)." in ran.words


@pytest.mark.parametrize("form", ["s", "checkpoint"])
def test_behind_a_slash_they_are_keys_at_every_typed_answer(form: str, tmp_path: Path) -> None:
    more = bank(tmp_path, form)
    left = kontrolka(tmp_path, "play", "short", typed=["/?", "/q", "x"], more=more)
    assert "Hint: A short one." in left.words
    assert left.words.endswith("/q Your place is saved: next time you will continue from here.")
    assert "Skipped." in kontrolka(tmp_path, "play", "short", typed=["/s", ""], more=more).words


def test_where_no_letter_can_be_the_answer_letters_stay_keys(tmp_path: Path) -> None:
    more = bank(tmp_path, "checkpoint")
    assert "Your place is saved" in kontrolka(tmp_path, "play", "short", typed=["й"], more=more).words
    assert "Skipped." in kontrolka(tmp_path, "play", "short", typed=["s", ""], more=more).words


def test_the_prompt_does_not_tell_that_a_letter_is_accepted(tmp_path: Path) -> None:
    short = kontrolka(tmp_path / "a", "play", "short", more=bank(tmp_path / "a", "s"))
    long = kontrolka(tmp_path / "b", "play", "short", more=bank(tmp_path / "b", "checkpoint"))
    assert short.out == long.out


def test_the_letter_behind_an_answer_that_stands_is_another_answer(tmp_path: Path) -> None:
    more = bank(tmp_path, "n")
    ran = kontrolka(tmp_path, "play", "short", "--mode", "exam", typed=["q", "n", "", ""], more=more)
    assert "Recorded: q." in ran.words
    assert "Recorded: n." in ran.words
    assert "Result: 1 point out of 1 (100%)." in ran.words
