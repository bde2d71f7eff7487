"""What `check`, `bank`, `run` and `play` say when all is well and when something is wrong."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from bot.cli.main import run
from bot.store import Store
from tests.program import ROOT, now

MIXED = ROOT / "tests" / "terminal" / "bank"
SAYS = pytest.CaptureFixture[str]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"KONTROLKA_DATA": str(tmp_path / "k.db"), "KONTROLKA_LANG": "en", "HOME": str(tmp_path)}


def _make_file(path: Path) -> None:
    import asyncio

    async def make() -> None:
        await Store.open(path, clock=now).close()

    asyncio.run(make())


def _broken_bank(tmp_path: Path) -> Path:
    bank = Path(shutil.copytree(MIXED, tmp_path / "bank"))
    deck = bank / "mixed" / "1-kinds.toml"
    deck.write_text(
        deck.read_text().replace('key = ["b"]', 'key = ["z"]').replace('stem.ru = "Что из', 'stm.ru = "Что из')
    )
    return bank


# --- check


@pytest.mark.parametrize(("lang", "parts"), [
    ("en", ["✓ settings:", "✓ data file:", "✓ bank:", "✓ catalogues: English, Русский"]),
    ("ru", ["✓ настройки:", "✓ файл данных:", "✓ банк заданий:", "✓ переводы: English, Русский"]),
])  # fmt: skip
def test_check_of_a_good_installation_gives_a_line_for_each_part(
    lang: str, parts: list[str], environ: dict[str, str], capsys: SAYS
) -> None:
    assert run(["check", "--lang", lang], environ) == 0
    lines = capsys.readouterr().out.splitlines()
    for part in parts:
        assert sum(line.startswith(part) for line in lines) == 1, part
    assert not Path(environ["KONTROLKA_DATA"]).exists()


def test_check_knows_which_platforms_are_on_and_never_shows_a_token(environ: dict[str, str], capsys: SAYS) -> None:
    run(["check"], {**environ, "TELEGRAM_TOKEN": "1:secret"})
    said = capsys.readouterr()
    assert "Telegram: on; Discord: off, no token" in said.out
    assert "secret" not in said.out + said.err


def test_check_of_a_typo_in_the_settings_names_it_and_still_looks_at_the_rest(
    environ: dict[str, str], capsys: SAYS
) -> None:
    assert run(["check"], {**environ, "KONTROLKA_DATE": "x", "KONTROLKA_LANG": "de"}) == 1
    said = capsys.readouterr().out
    assert "✗ settings:" in said
    assert "KONTROLKA_DATE is not a setting. Settings: KONTROLKA_DATA," in said
    assert "KONTROLKA_LANG is “de”; it must be one of: en, ru." in said
    assert f"✓ data file: {environ['KONTROLKA_DATA']}" in said
    assert "✓ bank:" in said


def test_check_of_a_bad_bank_lists_its_problems(environ: dict[str, str], tmp_path: Path, capsys: SAYS) -> None:
    assert run(["check"], {**environ, "KONTROLKA_CONTENT": str(_broken_bank(tmp_path))}) == 1
    said = capsys.readouterr().out
    assert "✗ bank:" in said
    assert "mixed/1-kinds.toml: kind-single: key" in said
    assert "stm" in said
    assert "nothing was started" in said


def test_check_of_a_missing_content_folder_says_so(environ: dict[str, str], tmp_path: Path, capsys: SAYS) -> None:
    assert run(["check"], {**environ, "KONTROLKA_CONTENT": str(tmp_path / "nowhere")}) == 1
    assert "✗ bank:" in capsys.readouterr().out


def test_check_of_a_corrupt_file_says_so_and_leaves_it(environ: dict[str, str], capsys: SAYS) -> None:
    path = Path(environ["KONTROLKA_DATA"])
    path.write_bytes(b"this is no database at all" * 100)
    before = path.read_bytes()
    assert run(["check", "--lang", "ru"], environ) == 1
    said = capsys.readouterr().out
    assert f"✗ файл данных: Файл данных {path} повреждён или создан не «Контролькой»." in said
    assert path.read_bytes() == before


def test_check_of_a_file_of_a_newer_program_says_so(environ: dict[str, str], capsys: SAYS) -> None:
    path = Path(environ["KONTROLKA_DATA"])
    _make_file(path)
    with sqlite3.connect(path) as db:
        row = db.execute("SELECT * FROM _sqlite_migrations LIMIT 1").fetchone()
        names = [column[1] for column in db.execute("PRAGMA table_info(_sqlite_migrations)")]
        values = dict(zip(names, row, strict=True)) | {"name": "m999_from_the_future"}
        if "id" in values:
            values["id"] = 999
        marks = ", ".join("?" for _ in values)
        db.execute(f"INSERT INTO _sqlite_migrations ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
    db.close()
    assert run(["check"], environ) == 1
    assert "was written by a newer Kontrolka" in capsys.readouterr().out
    assert run(["play"], environ) == 2
    assert "was written by a newer Kontrolka" in capsys.readouterr().err


def test_check_of_a_folder_as_data_file_says_so(environ: dict[str, str], tmp_path: Path, capsys: SAYS) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    assert run(["check"], {**environ, "KONTROLKA_DATA": str(folder)}) == 1
    assert f"{folder} is a folder. Name a file in KONTROLKA_DATA" in capsys.readouterr().out


async def test_check_beside_a_running_program_is_well(environ: dict[str, str], capsys: SAYS) -> None:
    async with Store.open(Path(environ["KONTROLKA_DATA"]), clock=now):
        assert run(["check"], environ) == 0
    assert f"✓ data file: {environ['KONTROLKA_DATA']}" in capsys.readouterr().out


# --- bank


def test_bank_list_shows_courses_modules_and_quizzes_with_counts(environ: dict[str, str], capsys: SAYS) -> None:
    assert run(["bank", "list", "--lang", "ru"], {**environ, "KONTROLKA_CONTENT": str(MIXED)}) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Задания всех видов (mixed)",
        "  kinds: Четыре вида — 4 задания; уровни 1×4; с доказательством: 0",
        "  wide: Широкие и составные символы — 1 задание; уровни 1×1; с доказательством: 0",
        "  english: English only — 1 задание; уровни 1×1; с доказательством: 0",
        "  ▸ kinds: Задания четырёх видов",
        "  ▸ english: A quiz without Russian",
    ]


def test_bank_lint_gives_every_problem_and_their_number(environ: dict[str, str], tmp_path: Path, capsys: SAYS) -> None:
    broken = {**environ, "KONTROLKA_CONTENT": str(_broken_bank(tmp_path))}
    assert run(["bank", "lint"], broken) == 1
    *problems, count = capsys.readouterr().out.splitlines()
    assert len(problems) >= 2
    assert count == f"{len(problems)} problems."
    assert all(problem.startswith("mixed/") and problem.count(": ") >= 3 for problem in problems)


@pytest.mark.parametrize(("lang", "words"), [
    ("en", ["Which of them is a file?", "Right.", "Your answer: ", "a shard", "A. A rank is a process."]),
    ("ru", ["Что из этого — файл?", "Верно.", "Ваш ответ: ", "шард", "A. Ранг — это процесс."]),
])  # fmt: skip
def test_bank_show_gives_question_key_explanation_and_every_feedback(
    lang: str, words: list[str], environ: dict[str, str], capsys: SAYS
) -> None:
    assert run(["bank", "show", "kind-single", "--lang", lang], {**environ, "KONTROLKA_CONTENT": str(MIXED)}) == 0
    said = capsys.readouterr().out
    for word in words:
        assert word in said


@pytest.mark.parametrize("item", ["kind-multiple", "kind-text", "kind-number", "wide-options", "only-in-english"])
def test_bank_show_takes_items_of_every_kind_in_every_language(
    item: str, environ: dict[str, str], capsys: SAYS
) -> None:
    for lang in ("en", "ru"):
        assert run(["bank", "show", item, "--lang", lang], {**environ, "KONTROLKA_CONTENT": str(MIXED)}) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("command", [["bank", "show"], ["bank", "void"], ["play"]])
def test_a_mistyped_item_is_told_what_is_similar_and_where_all_are(
    command: list[str], environ: dict[str, str], capsys: SAYS
) -> None:
    """It was told to look in a list that has no items."""
    bank = {**environ, "KONTROLKA_CONTENT": str(MIXED)}
    assert run([*command, "kind-numbers"], bank) == 1
    first, similar, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("There is no ")
    assert "“kind-numbers”" in first
    assert similar.startswith("Similar: kind-number")
    assert last == "Items of a module: kontrolka bank list MODULE"
    assert run([*command, "only-in"], bank) == 1
    assert "Similar: only-in-english." in capsys.readouterr().err
    assert run([*command, "xyzzy"], bank) == 1
    assert "Similar" not in capsys.readouterr().err


def test_bank_list_of_a_module_shows_its_items(environ: dict[str, str], tmp_path: Path, capsys: SAYS) -> None:
    bank = Path(shutil.copytree(MIXED, tmp_path / "bank"))
    deck = bank / "mixed" / "1-kinds.toml"
    deck.write_text(deck.read_text().replace('kind = "text"', 'kind = "text"\nretired = true'))
    assert run(["bank", "list", "kinds"], {**environ, "KONTROLKA_CONTENT": str(bank)}) == 0
    assert capsys.readouterr().out.splitlines() == [
        "kind-multiple (multiple, level 1): Which of these numbers are even?",
        "kind-text (text, level 1, retired): What is a saved state of training called?",
        "kind-number (number, level 1): How many megabytes per second is this? 5 MB in 2 s",
        "kind-single (single, level 1): Which of them is a file?",
    ]
    assert run(["bank", "list", "english", "--lang", "ru"], {**environ, "KONTROLKA_CONTENT": str(bank)}) == 0
    said = capsys.readouterr().out
    assert said == "only-in-english (single, уровень 1, только на языке: en): Is this in English only?\n"


def test_bank_list_of_the_course_names_proofs_and_is_one_line_an_item(environ: dict[str, str], capsys: SAYS) -> None:
    assert run(["bank", "list", "why"], environ) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 10
    assert any(", proof m1-" in line for line in lines)
    assert all(len(line.partition(": ")[2]) <= 60 for line in lines)


def test_bank_list_of_an_unknown_module_names_the_modules(environ: dict[str, str], capsys: SAYS) -> None:
    assert run(["bank", "list", "kidns"], {**environ, "KONTROLKA_CONTENT": str(MIXED)}) == 1
    said = capsys.readouterr().err.splitlines()
    assert said == ["There is no module “kidns”.", "Similar: kinds.", "Modules: kinds, wide, english."]


def test_bank_show_of_an_item_that_a_language_lacks_says_so_and_is_not_half_translated(
    environ: dict[str, str], tmp_path: Path, capsys: SAYS
) -> None:
    """It showed English words in a Russian frame, as if learners saw them so."""
    bank = Path(shutil.copytree(MIXED, tmp_path / "bank"))
    deck = bank / "mixed" / "1-kinds.toml"
    kept = [line for line in deck.read_text().splitlines() if line != 'explanation.ru = "Шард — это файл."']
    deck.write_text("\n".join(kept))
    where = {**environ, "KONTROLKA_CONTENT": str(bank), "KONTROLKA_LANG": "ru"}
    assert run(["bank", "show", "kind-single"], where) == 0
    said, *shown = capsys.readouterr().out.splitlines()
    assert said == (
        "На этом языке учащиеся такого задания не получают: в нём не хватает explanation.ru. "
        "Оно показано на языке: English."
    )
    assert "Right." in shown
    assert not re.search("[а-яё]", "".join(shown), re.IGNORECASE)
    assert run(["bank", "show", "only-in-english"], where) == 0
    said, *shown = capsys.readouterr().out.splitlines()
    assert said == "На этом языке модуля нет; задание показано на языке: English."
    assert not re.search("[а-яё]", "".join(shown), re.IGNORECASE)


def test_a_retired_item_is_said_to_be_retired(environ: dict[str, str], tmp_path: Path, capsys: SAYS) -> None:
    """Whoever played it was told that the quiz has no questions."""
    bank = Path(shutil.copytree(MIXED, tmp_path / "bank"))
    deck = bank / "mixed" / "1-kinds.toml"
    deck.write_text(deck.read_text().replace('kind = "text"', 'kind = "text"\nretired = true'))
    where = {**environ, "KONTROLKA_CONTENT": str(bank)}
    assert run(["play", "kind-text"], where) == 1
    assert capsys.readouterr().err == "The item “kind-text” is retired: it is no longer asked.\n"
    assert run(["bank", "show", "kind-text"], where) == 0
    said = capsys.readouterr().out
    assert said.startswith("The item is retired: it is no longer asked.\n\n")
    assert "checkpoint" in said


# --- run and play


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_run_without_a_token_names_play_and_where_tokens_come_from(
    lang: str, environ: dict[str, str], capsys: SAYS
) -> None:
    assert run(["run", "--lang", lang], environ) == 2
    said = capsys.readouterr().err
    for name in ("kontrolka play", "@BotFather", "TELEGRAM_TOKEN", "DISCORD_TOKEN"):
        assert name in said


def test_play_with_bad_settings_names_all_of_them_and_starts_nothing(environ: dict[str, str], capsys: SAYS) -> None:
    bad = {
        **environ,
        "KONTROLKA_LANGUAGE": "ru",
        "KONTROLKA_LOG": "xml",
        "TELEGRAM_API_URL": "localhost:8081",
        "TELEGRAM_TOKEN": "12 34",
        "KONTROLKA_LANG_ALIASES": "uk",
    }
    assert run(["play"], bad) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 5
    for name in ("KONTROLKA_LANGUAGE", "KONTROLKA_LOG", "TELEGRAM_API_URL", "TELEGRAM_TOKEN", "KONTROLKA_LANG_ALIASES"):
        assert sum(line.startswith(f"{name} ") for line in said.splitlines()) == 1
    assert "12 34" not in said
    assert not Path(environ["KONTROLKA_DATA"]).exists()


def test_play_with_a_bad_bank_gives_every_problem(environ: dict[str, str], tmp_path: Path, capsys: SAYS) -> None:
    assert run(["play"], {**environ, "KONTROLKA_CONTENT": str(_broken_bank(tmp_path))}) == 2
    said = capsys.readouterr().err
    assert "problems; nothing was started." in said
    assert said.count("mixed/1-kinds.toml: ") >= 2
