"""docs/operations.md says what is: its files fit together, its nightly lines rotate, its table has every warning."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable
from configparser import ConfigParser
from pathlib import Path

import pytest

from bot.settings import names
from tests.docs.test_readme import blocks
from tests.program import ROOT, WAIT_S, environment, kontrolka

PAGE = ROOT / "docs" / "operations.md"
DAY_S = 24 * 60 * 60


def block(language: str, having: str) -> str:
    (found,) = (text for text in blocks(PAGE, language) if having in text)
    return found


def unit() -> ConfigParser:
    parser = ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(block("ini", "[Service]"))
    return parser


WRAPPER = block("sh", "exec /usr/sbin/runuser")
INSTALL = block("sh", "-m venv")


def test_service_starts_with_the_machine_and_its_files_are_those_that_the_page_makes() -> None:
    service = unit()["Service"]
    assert unit()["Install"]["WantedBy"] == "multi-user.target"
    program = service["ExecStart"].removesuffix(" run")
    assert INSTALL.splitlines()[0].endswith(f"-m venv {Path(program).parents[1]}")
    assert f"runuser -u {service['User']} -- {program} " in WRAPPER
    assert f". {service['EnvironmentFile']}\n" in WRAPPER
    assert service["EnvironmentFile"] in INSTALL
    folder = f"/var/lib/{service['StateDirectory']}"
    assert f"KONTROLKA_DATA={folder}/kontrolka.db\n" in block("env", "KONTROLKA_DATA")
    assert f"-o {service['User']} -g {service['User']} {folder}\n" in INSTALL


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder for everything that lies on the machine: the program, the data file in use, its old copies."""
    program = tmp_path / "bin" / "kontrolka"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bot "$@"\n')
    program.chmod(0o755)
    data = tmp_path / "data"
    data.mkdir()
    assert kontrolka(tmp_path, "play", typed=["q"], more={"KONTROLKA_DATA": str(data / "kontrolka.db")}).code == 0
    for name, days in (("kontrolka.2026-10-01T031500Z.db", 31), ("kontrolka.2026-11-02T031500Z.db", 28)):
        (data / name).touch()
        then = data.stat().st_mtime - days * DAY_S
        os.utime(data / name, (then, then))
    (data / "kontrolka.before-6.db").touch()
    os.utime(data / "kontrolka.before-6.db", (0, 0))
    return tmp_path


def run(line: str, machine: Path) -> subprocess.CompletedProcess[str]:
    variables = environment(machine)
    del variables["KONTROLKA_DATA"]
    variables["PATH"] = f"{machine / 'bin'}:{variables['PATH']}"
    return subprocess.run(
        ["sh", "-c", line], env=variables, capture_output=True, text=True, timeout=WAIT_S, check=False, cwd=ROOT
    )


def with_systemd(line: str, machine: Path) -> str:
    """A line of the page with what it finds on the machine; it is not run as another person."""
    (machine / "env").write_text(f"KONTROLKA_DATA={machine / 'data' / 'kontrolka.db'}\n")
    wrapper = machine / "wrapper"
    wrapper.write_text(
        WRAPPER.replace("/etc/kontrolka.env", str(machine / "env"))
        .replace("/usr/sbin/runuser -u kontrolka -- ", "")
        .replace("/opt/kontrolka/bin/", f"{machine / 'bin'}/")
    )
    wrapper.chmod(0o755)
    return line.replace("/usr/local/bin/kontrolka", str(wrapper)).replace("/var/lib/kontrolka", str(machine / "data"))


def in_a_container(line: str, machine: Path) -> str:
    """A line of the page as its shell in the container runs it."""
    _, _, inside = line.partition("docker compose exec -T kontrolka ")
    return f"KONTROLKA_DATA={machine / 'data' / 'kontrolka.db'} {inside.replace('/data', str(machine / 'data'))}"


CRON = dict(zip((with_systemd, in_a_container), blocks(PAGE, "cron"), strict=True))


@pytest.mark.parametrize("there", [with_systemd, in_a_container])
def test_nightly_line_makes_a_backup_and_deletes_those_of_more_than_a_month(
    there: Callable[[str, Path], str], machine: Path
) -> None:
    when, _, command = CRON[there].strip().partition("  root  ")
    assert when == "15 3 * * *"
    assert "%" not in command  # cron ends the command there
    done = run(there(command, machine), machine)
    assert (done.returncode, done.stderr) == (0, "")
    kept = sorted(path.name for path in (machine / "data").glob("kontrolka.*.db"))
    fresh = [name for name in kept if name not in ("kontrolka.2026-11-02T031500Z.db", "kontrolka.before-6.db")]
    assert len(fresh) == 1
    assert len(kept) == 3
    assert (machine / "data" / fresh[0]).stat().st_size > 0


def test_container_is_handed_every_setting_but_the_data_file() -> None:
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^    environment:.*\n((?:      - .*\n)+)", compose, re.MULTILINE)
    handed = re.findall(r"- (\S+)\n", listed)
    assert sorted([*handed, "KONTROLKA_DATA"]) == sorted(names())
    assert "KONTROLKA_DATA=/data/kontrolka.db" in (ROOT / "Dockerfile").read_text()


def logged(*levels: str) -> dict[str, str]:
    """What the program logs at these levels, and where."""
    found = {}
    for path in sorted((ROOT / "bot").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            if not isinstance(call.func.value, ast.Name) or call.func.value.id not in ("log", "logger", "logging"):
                continue
            if call.func.attr in levels:
                words = call.args[1 if call.func.attr == "log" else 0]
                assert isinstance(words, ast.Constant), f"{path}:{call.lineno}: no table can have what is put together"
                found[str(words.value)] = f"{path.relative_to(ROOT)}:{call.lineno}"
    return found


def phrases() -> list[str]:
    """What the table quotes, each with at least two words of its own."""
    text = PAGE.read_text(encoding="utf-8")
    table = text.split("| the log says | it means | do |\n")[1].split("\n\n")[0]
    quoted = [phrase for row in table.splitlines() for phrase in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
    assert all(len(phrase.replace("…", "").split()) >= 2 for phrase in quoted)
    return quoted


def says(phrase: str, message: str) -> bool:
    return re.search(".*".join(map(re.escape, phrase.split("…"))), message) is not None


def test_table_of_warnings_has_every_warning_of_the_program() -> None:
    warnings = logged("warning", "error", "exception", "critical", "log")
    assert len(warnings) >= 35
    assert {m: at for m, at in warnings.items() if not any(says(phrase, m) for phrase in phrases())} == {}


def test_table_of_warnings_has_nothing_that_the_program_does_not_say() -> None:
    everything = logged("info", "warning", "error", "exception", "critical", "log")
    assert [phrase for phrase in phrases() if not any(says(phrase, message) for message in everything)] == []
