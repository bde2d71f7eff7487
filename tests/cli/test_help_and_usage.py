"""Help pages and usage errors, in both languages, compared with text files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from bot.app import catalogues
from bot.cli.main import build, run
from tests.program import assert_same

PAGES = Path(__file__).parent / "pages"


def _commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _commands(below, (*path, name))


COMMANDS = list(_commands(build(catalogues(None)["en"], {})))
LATIN_IN_RUSSIAN = re.compile(
    r"kontrolka|--?[a-z-]+|\b(?:en|ru|learn|exam|[xN]|csv|json|CSV|JSON|UTC|telegram|discord|terminal)\b|KONTROLKA_\w+"
)


def test_there_are_commands() -> None:
    assert {("play",), ("run",), ("check",), ("bank", "lint"), ("bank", "list"), ("bank", "show")} <= set(COMMANDS)


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_page_reads_as_in_its_file(
    path: tuple[str, ...], lang: str, capsys: pytest.CaptureFixture[str], pytestconfig: pytest.Config
) -> None:
    assert run([*path, "--help"], {"KONTROLKA_LANG": lang}) == 0
    page = capsys.readouterr().out
    name = "-".join(("kontrolka", *path))
    assert_same(PAGES / f"{name}.{lang}.txt", page, pytestconfig)
    if lang == "ru":
        names = {word for command in COMMANDS for word in command}
        rest = LATIN_IN_RUSSIAN.sub("", page)
        left = [word for word in re.findall(r"[A-Za-z]{2,}", rest) if word not in names]
        assert left == []
    else:
        assert not re.search("[а-яё]", page, re.IGNORECASE)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_command_without_anything_shows_its_help(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ((), ("bank",), ("data",)):
        assert run([*path, "--help"], {"KONTROLKA_LANG": lang}) == 0
        page = capsys.readouterr().out
        assert run([*path], {"KONTROLKA_LANG": lang}) == 2
        assert capsys.readouterr().out == page
    assert run(["--lang", lang], {}) == 2
    assert capsys.readouterr().out.startswith({"en": "Usage:", "ru": "Использование:"}[lang])


@pytest.mark.parametrize("where", [["--lang", "ru", "check"], ["check", "--lang", "ru"], ["check", "--lang=ru"]])
def test_language_may_stand_before_or_behind_the_command(
    where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(where, {"KONTROLKA_LANG": "en", "KONTROLKA_DATA": str(tmp_path / "k.db")})
    assert "настройки" in capsys.readouterr().out


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_language_may_stand_behind_any_word_of_the_command(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """`kontrolka bank --lang ru list` was refused."""
    for place in range(len(path) + 1):
        assert run([*path[:place], "--lang", "ru", *path[place:], "--help"], {"KONTROLKA_LANG": "en"}) == 0
        assert capsys.readouterr().out.startswith("Использование:")


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_value_can_be_refused_in_the_words_of_the_library(path: tuple[str, ...]) -> None:
    """A file that could not be read was refused with an English sentence inside a Russian one."""
    command: click.Command = build(catalogues(None)["en"], {})
    for name in path:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    for parameter in command.params:
        kind = parameter.type
        looks = isinstance(kind, click.Path) and (kind.exists or kind.readable or kind.writable or kind.executable)
        known = isinstance(kind, click.Path | click.Choice | click.IntRange | type(click.STRING) | type(click.BOOL))
        assert known, parameter
        assert not looks, parameter


@pytest.mark.parametrize(
    ("environ", "usage"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "Использование:"),
        ({"LANG": "ru_RU.UTF-8", "KONTROLKA_LANG": "en"}, "Usage:"),
        ({"LANG": "uk_UA.UTF-8"}, "Usage:"),
        ({"LANG": "uk_UA.UTF-8", "KONTROLKA_LANG_ALIASES": "uk=ru"}, "Использование:"),
        ({"LANG": "C", "KONTROLKA_LANG": "xx"}, "Usage:"),
    ],
)
def test_language_of_the_help(environ: dict[str, str], usage: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["--help"], environ)
    assert capsys.readouterr().out.startswith(usage)


ERRORS = {
    "play --bogus": ("There is no option --bogus.", "Нет параметра --bogus."),
    "play --mod": (
        "There is no option --mod. Similar: --mode.",
        "Нет параметра --mod. Похожие: --mode.",
    ),
    "plai": ("There is no command plai. Similar: play.", "Нет команды plai. Похожие: play."),
    "xyzzy": ("There is no command xyzzy.", "Нет команды xyzzy."),
    "play --mode x": ("--mode must be one of: learn, exam.", "--mode: возможные значения — learn, exam."),
    "play --minutes 0": ("--minutes must be a whole number, at least 1.", "--minutes: нужно целое число не меньше 1."),
    "play --minutes x": ("--minutes must be a whole number, at least 1.", "--minutes: нужно целое число не меньше 1."),
    "play --minutes": ("The option --minutes needs a value.", "Параметру --minutes нужно значение."),
    "play --fresh=1": ("The option --fresh takes no value.", "Параметр --fresh задаётся без значения."),
    "play a b c": ("Too many arguments: b c.", "Лишние аргументы: b c."),
    "bank lint x": ("Too many arguments: x.", "Лишние аргументы: x."),
    "bank list a b": ("Too many arguments: b.", "Лишние аргументы: b."),
    "bank show": ("ITEM is missing.", "Не хватает: ЗАДАНИЕ."),
    "bank shw": ("There is no command shw. Similar: show.", "Нет команды shw. Похожие: show."),
    "--lang xx": ("--lang must be one of: en, ru.", "--lang: возможные значения — en, ru."),
}


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("line", ERRORS)
def test_usage_error_says_what_is_wrong_and_where_help_is(
    line: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line.split(), {"KONTROLKA_LANG": lang}) == 2
    said = capsys.readouterr()
    what, where = said.err.splitlines()
    assert what == ERRORS[line][lang == "ru"]
    words = line.split()
    known = [words[: n + 1] for n in range(2) if tuple(words[: n + 1]) in COMMANDS]
    path = " ".join(["kontrolka", *(known[-1] if known else [])])
    assert where == {"en": f"Help: {path} --help", "ru": f"Справка: {path} --help"}[lang]
    assert said.out == ""


@pytest.mark.parametrize(("lang", "said"), [("en", "learning has none"), ("ru", "в учёбе его нет")])
def test_a_time_limit_without_an_exam_is_said_to_be_none(
    lang: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["play", "--mode", "learn", "--minutes", "5"], {"KONTROLKA_LANG": lang}) == 2
    assert said in capsys.readouterr().err
