"""The built wheel, installed alone in an empty environment, plays the seed quiz from anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.program import ROOT, WAIT_S, environment

CONTENT = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "content").rglob("*.toml"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=WAIT_S,
    )
    (built,) = folder.glob("kontrolka-*-py3-none-any.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `kontrolka` of an environment that has the wheel, and beside it only what the wheel depends on.

    The dependencies come from where the tests have them; the project's own folder is not among their paths.
    """
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False)
    (packages,) = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    borrowed = Path(sysconfig.get_path("purelib"))
    for path in borrowed.iterdir():
        if path.suffix != ".pth" and not path.name.lower().startswith(("kontrolka", "_kontrolka", "__editable__")):
            target = packages / path.name
            if not target.exists():
                target.symlink_to(path)
    command = home / "bin" / "kontrolka"
    command.write_text(f"#!{home / 'bin' / 'python'}\nfrom bot.cli import main\nmain()\n")
    command.chmod(0o755)
    return command


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    def work(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        clean = environment(tmp_path)
        del clean["PYTHONPATH"]
        return subprocess.run(
            [str(installed), *arguments],
            input=typed,
            env=clean,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )

    return work


def test_wheel_has_content_and_languages_and_nothing_that_only_authors_need(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert CONTENT
    assert {f"bot/_data/{name}" for name in CONTENT} <= set(names)
    languages = {path.parent.parent.name for path in (ROOT / "locales").glob("*/LC_MESSAGES/bot.po")}
    assert {name.split("/")[3] for name in names if name.startswith("bot/_data/locales/")} == languages
    assert [name for name in names if name.endswith("__main__.py")] == ["bot/__main__.py"]
    assert [name for name in names if not name.startswith(("bot/", "kontrolka-"))] == []
    metadata = next(name for name in names if name.endswith("entry_points.txt"))
    assert "kontrolka = bot.cli:main" in zipfile.ZipFile(wheel).read(metadata).decode()


def test_installed_wheel_plays_the_seed_quiz_from_a_foreign_folder(
    run: Callable[..., subprocess.CompletedProcess[str]], installed: Path
) -> None:
    played = run("play", "--lang", "ru", typed="\n\n".join([*"dbcabcad", ""]))
    assert (played.returncode, played.stderr) == (0, "")
    assert "Результат: 8 баллов из 8" in played.stdout
    python = installed.parent / "python"
    where = subprocess.run(
        [str(python), "-c", "import bot; print(bot.__file__)"], capture_output=True, text=True, check=True, cwd=os.sep
    )
    assert Path(where.stdout.strip()).is_relative_to(installed.parent.parent)


def test_installed_wheel_finds_everything_right_with_itself(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    checked = run("check")
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.count("✓") == 4
