"""`kontrolka bank void`: a bad item counts for nobody, until it is mended."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store import Store
from tests.program import ROOT, Ran, kontrolka, now

BANK = {"KONTROLKA_CONTENT": str(ROOT / "tests" / "terminal" / "bank")}

NO_MISTAKES = "You have no mistakes left to practise."


def run(home: Path, *arguments: str, lang: str = "en", typed: tuple[str, ...] = ()) -> Ran:
    return kontrolka(home, *arguments, "--lang", lang, typed=typed, more=BANK)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Somebody has answered one item, and wrong."""
    assert run(tmp_path, "play", "kind-single", typed=("a", "", "")).code == 0
    return tmp_path


def test_an_answer_to_a_void_item_counts_for_nobody_until_it_is_mended(home: Path) -> None:
    done = run(home, "bank", "void", "kind-single")
    assert (done.code, done.err) == (0, "")
    assert "“kind-single” counts for nobody" in done.words
    assert run(home, "bank", "void").out == "kind-single: from the first answer — still void\n"
    assert run(home, "play", "--mistakes").words == NO_MISTAKES

    done = run(home, "bank", "void", "kind-single", "--end")
    assert (done.code, done.err) == (0, "")
    assert run(home, "play", "--mistakes").words == NO_MISTAKES  # what was answered before stays void
    run(home, "play", "kind-single", typed=("a", "", ""))
    assert "Which of them is a file?" in run(home, "play", "--mistakes", typed=("q",)).words


def test_a_day_leaves_earlier_answers_alone(home: Path) -> None:
    assert run(home, "bank", "void", "kind-single", "--since", f"{now():%Y-%m-%d}").code == 0
    assert run(home, "bank", "void").out == f"kind-single: {now():%Y-%m-%d} 00:00 UTC — still void\n"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("nope",), "There is no item “nope”. Items of a module: kontrolka bank list MODULE"),
        (("kind-single", "--end"), "“kind-single” is not void. `kontrolka bank void` shows what is."),
        (
            ("kind-single", "--since", "yesterday"),
            "yesterday is no day in the past or today. Write it like this: 2026-11-30.",
        ),
        (
            ("kind-single", "--since", "2999-01-01"),
            "2999-01-01 is no day in the past or today. Write it like this: 2026-11-30.",
        ),
        (
            ("kind-single", "--since", "2026-01-01", "--end"),
            "--since, --end and --undo exclude each other: leave all but one out.",
        ),
        (("kind-single", "--end", "--undo"), "--since, --end and --undo exclude each other: leave all but one out."),
        (("kind-single", "--undo"), "“kind-single” never was void. `kontrolka bank void` shows what is or was."),
        (("--undo",), "Name the item, too: kontrolka bank void ITEM"),
        (("--end",), "Name the item, too: kontrolka bank void ITEM"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], problem: str, home: Path) -> None:
    done = run(home, "bank", "void", *arguments)
    assert done.code != 0
    assert " ".join(done.err.split()) == problem
    assert run(home, "bank", "void").words == "No item is void."


def test_an_item_is_not_void_twice_but_again(home: Path) -> None:
    run(home, "bank", "void", "kind-single")
    again = run(home, "bank", "void", "kind-single", lang="ru")
    assert (again.code, again.err) == (
        1,
        "«kind-single» уже не засчитывается. Снова засчитывать с этой минуты: --end; засчитывать так, будто его не "
        "исключали: --undo\n",
    )
    run(home, "bank", "void", "kind-single", "--end")
    assert run(home, "bank", "void", "kind-single").code == 0


@pytest.mark.parametrize("ended", [False, True])
def test_a_void_of_the_wrong_item_is_undone_and_its_answers_count_as_before(home: Path, ended: bool) -> None:
    run(home, "bank", "void", "kind-single")
    if ended:
        run(home, "bank", "void", "kind-single", "--end")
    assert run(home, "play", "--mistakes").words == NO_MISTAKES

    done = run(home, "bank", "void", "kind-single", "--undo")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("“kind-single” was void: from the first answer — ")
    assert "That is undone." in done.out
    assert run(home, "bank", "void").words == "No item is void."
    assert "Which of them is a file?" in run(home, "play", "--mistakes", typed=("q",)).words


def test_a_void_is_widened_to_an_earlier_day_and_to_every_answer(home: Path) -> None:
    today = f"{now():%Y-%m-%d}"
    assert run(home, "bank", "void", "kind-single", "--since", today).code == 0
    assert run(home, "bank", "void", "kind-single", "--since", "2026-01-02").code == 0
    assert run(home, "bank", "void").out == "kind-single: 2026-01-02 00:00 UTC — still void\n"
    assert run(home, "bank", "void", "kind-single", "--since", today).code == 1
    assert run(home, "bank", "void", "kind-single").code == 0
    assert run(home, "bank", "void").out == "kind-single: from the first answer — still void\n"


def test_an_item_that_has_left_the_content_can_be_void(home: Path) -> None:
    done = kontrolka(home, "bank", "void", "kind-single", "--lang", "en")  # the bundled courses lack it
    assert (done.code, done.err) == (0, "")
    assert "“kind-single” counts for nobody" in done.words
    assert "It is no longer in the content, so nobody is asked it." in done.words
    assert run(home, "play", "--mistakes").words == NO_MISTAKES


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Result: 2 points out of 3 (67%). 1 question was withdrawn and does not count."),
        ("ru", "Результат: 2 балла из 3 (67 %). 1 вопрос снят и не учитывается."),
    ],
)
def test_a_result_says_how_many_questions_do_not_count(tmp_path: Path, lang: str, words: str) -> None:
    assert run(tmp_path, "play", "kinds", "--mode", "exam", typed=("b", "", "checkpoint", "")).code == 0
    assert run(tmp_path, "bank", "void", "kind-multiple").code == 0
    done = run(tmp_path, "play", "kinds", "--mode", "exam", lang=lang, typed=("2.5", "", "a", ""))
    assert words in done.words


def test_a_result_of_which_no_question_counts_does_not_claim_that_nothing_was_answered(tmp_path: Path) -> None:
    run(tmp_path, "play", "kind-single", "--mode", "exam", typed=("b",))
    run(tmp_path, "bank", "void", "kind-single")
    done = run(tmp_path, "play", "kind-single", "--mode", "exam", typed=("", ""))
    assert "Every question you were asked was withdrawn, so there is no result." in done.words


def test_without_a_data_file_there_is_nothing_to_void(tmp_path: Path) -> None:
    assert run(tmp_path, "bank", "void").words == "No item is void."
    done = run(tmp_path, "bank", "void", "kind-single")
    assert done.code == 1
    assert "There is no data file" in done.err


async def test_a_running_program_is_to_be_stopped_first(home: Path) -> None:
    async with Store.open(home / "kontrolka.db", clock=now):
        done = run(home, "bank", "void", "kind-single")
        assert done.code == 2
        assert "is in use by another Kontrolka" in done.err
        assert run(home, "bank", "void").code == 0
