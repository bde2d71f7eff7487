"""The command line as a process: what it imports, and that no state of the machine leaves a traceback."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program import ROOT, WAIT_S, environment, kontrolka

NOT_WRITABLE = {
    "en": "Kontrolka may not open or write the data file /sys/kontrolka.db. Correct the owner or the permissions",
    "ru": "Нет прав на чтение или запись файла данных /sys/kontrolka.db. Исправьте владельца или права",
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
    assert ran.err.startswith("Kontrolka may not open or write the data file /sys/.local/share/kontrolka/kontrolka.db.")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"KONTROLKA_DATA": "/dev/null/kontrolka.db"}, "The data file /dev/null/kontrolka.db cannot be opened."),
        ({"KONTROLKA_DATA": "/proc/nowhere/kontrolka.db"}, "The data file /proc/nowhere/kontrolka.db cannot be opened"),
        ({"KONTROLKA_DATA": "/sys/kontrolka.db"}, "Kontrolka may not open or write the data file /sys/kontrolka.db."),
        ({"HOME": "/sys/nowhere", "KONTROLKA_DATA": ""}, "Kontrolka may not open or write the data file /sys/nowhere/"),
    ],
)
def test_check_does_not_promise_a_data_file_that_cannot_be_made(
    more: dict[str, str], words: str, tmp_path: Path
) -> None:
    ran = kontrolka(tmp_path, "check", more=more)
    assert (ran.code, ran.err) == (1, "")
    assert f"✗ data file: {words}" in ran.out


def test_check_leaves_nothing_where_a_data_file_will_be_made(tmp_path: Path) -> None:
    data = tmp_path / "new" / "folder" / "kontrolka.db"
    ran = kontrolka(tmp_path, "check", more={"KONTROLKA_DATA": str(data)})
    assert (ran.code, ran.err) == (0, "")
    assert f"✓ data file: {data}, will be made at the first start" in ran.out
    assert list(tmp_path.iterdir()) == []


def without_privilege(home: Path, *arguments: str, more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the program as somebody for whom the permissions of files hold, even if that is root."""

    def obey() -> None:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP

    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        stdin=subprocess.DEVNULL,
        env=environment(home, more),
        cwd=ROOT,
        capture_output=True,
        timeout=WAIT_S,
        check=False,
        text=True,
        preexec_fn=obey,
    )


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """A file in a folder that may not be entered."""
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "kontrolka.db").touch()
    folder.chmod(0)
    yield folder / "kontrolka.db"
    folder.chmod(0o700)


READERS = [
    "play",
    "data info",
    "data backup",
    "data forget telegram 1",
    "data export attempts.csv",
    "data restore {saved}",
    "bank void",
    "bank void role-of-the-index-file",
    "bank void role-of-the-index-file --end",
    "bank reports",
]


@pytest.mark.parametrize("command", READERS)
def test_data_file_in_a_folder_that_may_not_be_entered_is_explained(command: str, closed: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.db"
    assert kontrolka(tmp_path, "play", more={"KONTROLKA_DATA": str(saved)}).code == 0
    arguments = command.format(saved=saved).split()
    ran = without_privilege(tmp_path, *arguments, more={"KONTROLKA_DATA": str(closed)})
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"Kontrolka may not open or write the data file {closed}. Correct the owner")
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", [*READERS, "check"])
def test_data_file_whose_name_is_too_long_is_explained(command: str, tmp_path: Path) -> None:
    saved, data = tmp_path / "saved.db", tmp_path / f"{'k' * 300}.db"
    assert kontrolka(tmp_path, "play", more={"KONTROLKA_DATA": str(saved)}).code == 0
    ran = kontrolka(tmp_path, *command.format(saved=saved).split(), more={"KONTROLKA_DATA": str(data)})
    assert ran.code == (1 if command == "check" else 2)
    assert f"The data file {data} cannot be opened." in ran.out + ran.err
    assert "should never happen" not in ran.err


def test_check_of_folders_that_may_not_be_entered_names_them(closed: Path, tmp_path: Path) -> None:
    more = {"KONTROLKA_DATA": str(closed), "KONTROLKA_CONTENT": str(closed.with_name("content"))}
    ran = without_privilege(tmp_path, "check", more=more)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert f"✗ data file: Kontrolka may not open or write the data file {closed}." in ran.stdout
    assert "cannot be read (Permission denied): make it readable" in ran.stdout


@pytest.mark.parametrize("command", ["backup", "export"])
def test_copy_into_a_folder_that_may_not_be_entered_is_explained(command: str, closed: Path, tmp_path: Path) -> None:
    assert kontrolka(tmp_path, "play").code == 0
    target = closed.with_suffix(".csv")
    ran = without_privilege(tmp_path, "data", command, str(target), more={})
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"{target} could not be written. Check that its folder exists")


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
