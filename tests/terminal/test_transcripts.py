"""Whole dialogues of the real program, compared with text files; what was piped in stands behind the prompts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.program import assert_same, kontrolka

HERE = Path(__file__).parent
BANK = {"KONTROLKA_CONTENT": str(HERE / "bank")}

RIGHT = "dbcabcad"
"""The key of the seed quiz, in the order shown."""
WRONG = "abdcadbc"


def answered(letters: str, before: str | None = None) -> list[str]:
    """Lines that answer every question, each followed by Enter; `before` is typed before each answer."""
    return [line for letter in letters for line in ((before, letter, "") if before else (letter, ""))]


SEED = {
    "seed-learn-right-with-hints": ([], answered(RIGHT, "?")),
    "seed-learn-wrong": ([], [*answered(WRONG), ""]),
    "seed-learn-skipped": ([], [*answered("ssssssss"), ""]),
    "seed-exam-right": (["--mode", "exam"], [*answered(RIGHT), ""]),
    "seed-exam-wrong-and-reviewed": (["--mode", "exam"], [*answered(WRONG, "?"), "r", ""]),
    "seed-exam-changed-and-skipped": (
        ["--mode", "exam", "--minutes", "30"],
        ["a", "a", "d", "", "", "b", "?", "c", "b", "", "s", *answered("absss"), "s", "s", ""],
    ),
    "wrong-input": ([], ["x", "", "ab", "e", "б", "s", "n", "/?", "/s", "т", "Q"]),
}
ALL_KINDS = ["b", "?", "x y", "A, c", "", "?", "", "Check point", "", "viele", "2,5 MB", "2,45", "", "b", ""]
ALL_KINDS_EXAM = ["ab", "ac", "", "checkpoint", "КОНТРОЛЬНАЯ ТОЧКА", "", "1", "", "s"]
REVIEWED_AND_PRACTISED = ["r", "m", "2.6", "", "a", "", "м", "b", "", ""]
MIXED = {
    "kinds-learn": (["kinds"], ALL_KINDS),
    "kinds-learn-partly": (["kinds"], ["c", "", "shard", "", "−3", "", "b", "", "q"]),
    "kinds-exam-and-practised": (["kinds", "--mode", "exam"], [*ALL_KINDS_EXAM, *REVIEWED_AND_PRACTISED]),
    "one-item": (["kind-single"], ["a", "", ""]),
    "one-item-exam": (["kind-single", "--mode", "exam"], ["b", "", ""]),
    "half-translated": (["english"], ["a", ""]),
    "unknown-quiz": (["nope"], []),
    "no-mistakes": (["--mistakes"], []),
    "mistakes-of-a-quiz": (["kinds", "--mistakes"], []),
}


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", SEED)
def test_dialogue_about_the_seed_quiz_reads_as_in_its_transcript(
    name: str, lang: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    arguments, typed = SEED[name]
    ran = kontrolka(tmp_path, "play", "--lang", lang, *arguments, typed=typed)
    assert (ran.code, ran.err) == (0, "")
    assert_same(HERE / "transcripts" / f"{name}.{lang}.txt", ran.out, pytestconfig)


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", MIXED)
def test_dialogue_about_items_of_every_kind_reads_as_in_its_transcript(
    name: str, lang: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    arguments, typed = MIXED[name]
    ran = kontrolka(tmp_path, "play", "--lang", lang, *arguments, typed=typed, more=BANK)
    assert "Traceback" not in ran.err
    text = ran.out + ran.err + f"[exit code {ran.code}]\n"
    assert_same(HERE / "transcripts" / f"{name}.{lang}.txt", text, pytestconfig)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_mistakes_are_asked_again_until_they_are_right(lang: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    said = ""
    for arguments, typed in (
        (["kinds"], ["a", "", "shard", "", "2,45", "", "a", "", ""]),
        (["--mistakes"], ["a c", "", "shard", "", "b", "", ""]),
        (["--mistakes"], ["checkpoint", "", ""]),
        (["--mistakes"], []),
    ):
        ran = kontrolka(tmp_path, "play", "--lang", lang, *arguments, typed=typed, more=BANK)
        assert (ran.code, ran.err) == (0, "")
        said += f"$ kontrolka play {' '.join(arguments)}\n{ran.out}"
    assert_same(HERE / "transcripts" / f"mistakes.{lang}.txt", said, pytestconfig)


def test_sixty_columns_are_enough(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    ran = kontrolka(tmp_path, "play", "--lang", "ru", typed=["d", "", "?", "a", "", "q"], more={"COLUMNS": "60"})
    assert max(map(len, ran.out.splitlines())) <= 60
    assert_same(HERE / "transcripts" / "sixty-columns.ru.txt", ran.out, pytestconfig)
