from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.cli.main import run


class Ran(NamedTuple):
    """What one command line did."""

    code: int
    out: str
    err: str


Kontrolka = Callable[..., Ran]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kontrolka.db"


@pytest.fixture
def kontrolka(path: Path, capsys: pytest.CaptureFixture[str]) -> Kontrolka:
    """Carries out a command line as the program does, over the data file of the test."""

    def carry_out(*arguments: str, lang: str = "en") -> Ran:
        code = run(["--lang", lang, *arguments], {"KONTROLKA_DATA": str(path), "LANG": "C"})
        return Ran(code, *capsys.readouterr())

    return carry_out
