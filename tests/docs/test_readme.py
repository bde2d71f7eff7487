"""The READMEs say what is: settings, commands, links, and the dialogue they show."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import click
import pytest
from markdown_it import MarkdownIt

from bot.app import catalogues
from bot.cli.main import build
from bot.settings import table
from tests.program import ROOT

READMES = {"en": ROOT / "README.md", "ru": ROOT / "README.ru.md"}
PAGES = sorted({*READMES.values(), *(ROOT / "docs").rglob("*.md"), ROOT / "CHANGELOG.md"})
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CALL = re.compile(r"(?<![.\w-])(kontrolka|make) (?!(?:kontrolka|cat|sh|env) )([a-z][^#|&;'\"\n]*)")
"""What follows the name is a command, unless it is the name of a service or a person who runs another program."""
EVERY_README = pytest.mark.parametrize("tag", READMES)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def commands_of(page: Path) -> list[list[str]]:
    """Every call of `make` and of the program, however it is reached, in the code of a page that a shell would read."""
    tokens = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    shell = [token.content for token in tokens if token.type == "fence" and token.info in ("sh", "cron")]
    inline = [part.content for token in tokens for part in token.children or () if part.type == "code_inline"]
    return [[call[1], *call[2].split()] for code in (*shell, *inline) for call in CALL.finditer(code)]


@EVERY_README
def test_table_of_settings_is_that_of_the_program(tag: str) -> None:
    text = READMES[tag].read_text(encoding="utf-8")
    shown = text.split("<!-- settings -->\n")[1].split("<!-- /settings -->")[0].strip()
    assert shown == table(catalogues(None)[tag].gettext)


EVERY_PAGE_WITH_COMMANDS = pytest.mark.parametrize(
    "page", [page for page in PAGES if commands_of(page)], ids=lambda page: str(page.relative_to(ROOT))
)


@EVERY_PAGE_WITH_COMMANDS
def test_commands_exist(page: Path) -> None:
    targets = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets is not None
    for program, *rest in commands_of(page):
        if program == "make":
            assert rest[0] in targets[1].split()
            continue
        command: click.Command = build(catalogues(None)["en"], {})
        for word in rest:
            options = {option for p in command.params if isinstance(p, click.Option) for option in p.opts}
            if word.startswith("-"):
                assert word in {*options, "--help"}, (rest, word)
            elif isinstance(command, click.Group):
                assert word in command.commands, rest
                command = command.commands[word]


def test_pages_for_every_reader_have_commands() -> None:
    names = {page.name for page in PAGES if commands_of(page)}
    assert names >= {"README.md", "README.ru.md", "operations.md", "content.md", "telegram.md", "telegram.ru.md"}


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent != ROOT / "docs" / "decisions"], ids=str)
def test_page_that_names_the_program_says_how_to_call_it(page: Path) -> None:
    """After `make play` no shell finds `kontrolka`."""
    text = page.read_text(encoding="utf-8")
    named = [call for call in commands_of(page) if call[0] == "kontrolka"]
    assert not named or page.name in ("CHANGELOG.md", "content-review.md") or ".venv/bin/kontrolka" in text


@EVERY_README
def test_first_commands_are_play_and_test(tag: str) -> None:
    assert blocks(READMES[tag], "sh")[:2] == ["make play\n", "make test\n"]


def parts_of(page: Path) -> set[str]:
    """What a link to a heading of the page may name, as GitHub forms it."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    for target in LINK.findall(re.sub(r"`[^`]*`", "", page.read_text(encoding="utf-8"))):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, part = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), target
        assert not part or part in parts_of(path), target
        if tracked:
            name = str(path.relative_to(ROOT))
            assert any(file == name or file.startswith(f"{name}/") for file in tracked), (
                f"{target} is not in the repository"
            )


@EVERY_README
def test_dialogue_is_one_that_the_program_has(tag: str) -> None:
    """Every paragraph shown, up to an […], stands in a transcript of the real program."""
    (dialogue,) = blocks(READMES[tag], "text")
    folder = ROOT / "tests" / "terminal" / "transcripts"
    real = " ".join(" ".join(p.read_text(encoding="utf-8").split()) for p in sorted(folder.glob(f"*.{tag}.txt")))
    assert real
    paragraphs = [" ".join(part.split()) for part in dialogue.split("\n\n")]
    missing = [part for part in paragraphs if part.removesuffix("[…]").strip() not in real]
    assert missing == []


def test_both_readmes_have_the_same_parts() -> None:
    counts = [
        [
            len(re.findall(pattern, page.read_text(encoding="utf-8"), re.MULTILINE))
            for pattern in ("^## ", "^```", r"^\| ")
        ]
        for page in READMES.values()
    ]
    assert counts[0] == counts[1]
    assert all(counts[0])


def test_index_of_decisions_names_each_page_by_its_title() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    pages = sorted(page for page in (ROOT / "docs" / "decisions").glob("*.md") if page.name != "README.md")
    assert len(pages) >= 10
    titles = [page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for page in pages]
    listed = [f"* [{title}]({page.name})" for title, page in zip(titles, pages, strict=True)]
    assert [line for line in index.splitlines() if line.startswith("* ")] == listed
