"""The command line as a process: what it imports, and that no state of the machine leaves a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.program import ROOT, WAIT_S, environment, kontrolka

NOT_WRITABLE = {
    "en": "The data file /sys/kontrolka.db is not writable. Correct the owner or the permissions",
    "ru": "Нет прав на запись файла данных /sys/kontrolka.db. Исправьте владельца или права",
}
HEAVY = ("sqlite_utils", "telegram", "discord", "rich", "markdown_it", "aiohttp", "bot.store")


def test_help_imports_none_of_the_heavy_libraries(tmp_path: Path) -> None:
    code = (
        "import sys, contextlib, bot.cli\n"
        "with contextlib.suppress(SystemExit): bot.cli.main(['play', '--help'])\n"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(tmp_path), cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert "Usage: kontrolka play" in done.stdout
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("command", ["--help", "bank list", "bank show role-of-the-index-file", "check", "play"])
def test_reader_that_goes_away_leaves_no_traceback(command: str, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "bot", *command.split()],
        input=b"a\n\nb\n\nq\n",
        stdout=write,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        cwd=ROOT,
        timeout=WAIT_S,
        check=False,
    )
    os.close(write)
    assert done.stderr.decode() == ""
    assert done.returncode == 1


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_data_folder_that_may_not_be_written_is_explained(lang: str, tmp_path: Path) -> None:
    ran = kontrolka(tmp_path, "play", "--lang", lang, more={"KONTROLKA_DATA": "/sys/kontrolka.db"})
    assert ran.code == 2
    assert ran.err.startswith(NOT_WRITABLE[lang])
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("data", ["/dev/null/kontrolka.db", "/proc/nowhere/kontrolka.db"])
def test_data_folder_that_cannot_be_made_is_explained(data: str, tmp_path: Path) -> None:
    ran = kontrolka(tmp_path, "play", more={"KONTROLKA_DATA": data})
    assert ran.code == 2
    assert ran.err.startswith(f"The data file {data} cannot be opened.")
    assert len(ran.err.splitlines()) == 1


def test_folder_as_data_file_is_explained(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    ran = kontrolka(tmp_path, "play", "--lang", "ru", more={"KONTROLKA_DATA": str(folder)})
    assert ran.code == 2
    assert ran.err.strip() == f"{folder} — это папка. Укажите в KONTROLKA_DATA файл, например {folder}/kontrolka.db."


def test_home_that_may_not_be_written_is_explained(tmp_path: Path) -> None:
    more = {"HOME": "/sys", "KONTROLKA_DATA": ""}
    ran = kontrolka(tmp_path, "play", more=more)
    assert ran.code == 2
    assert ran.err.startswith("The data file /sys/.local/share/kontrolka/kontrolka.db is not writable.")


def test_closed_input_is_the_end_of_input(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec '{sys.executable}' -m bot play <&-"],
        env=environment(tmp_path),
        cwd=ROOT,
        capture_output=True,
        timeout=WAIT_S,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Your place is saved" in done.stdout
