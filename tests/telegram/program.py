"""`kontrolka run` as a process of its own, at a far end in the test's loop."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.program import ROOT, WAIT_S, environment
from tests.telegram.desk import seed_folder


class Program:
    """The program, started, stopped and killed as often as is needed, always on the same data file."""

    def __init__(self, home: Path, token: str, api: str, more: Mapping[str, str] | None = None) -> None:
        self.home, self.data = home, home / "kontrolka.db"
        self.log = home / "log.txt"
        self._environment = environment(
            home,
            {
                "TELEGRAM_TOKEN": token,
                "TELEGRAM_API_URL": api,
                "KONTROLKA_LIMITS": "off",
                "KONTROLKA_CONTENT": str(seed_folder(home / "content")),
                **(more or {}),
            },
        )

    async def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", env=self._environment, cwd=ROOT, stdout=log, stderr=log
            )

    async def end(self, number: signal.Signals) -> int:
        """Send a signal and wait for the end; gives the exit code."""
        if self._process.returncode is None:
            self._process.send_signal(number)
        async with asyncio.timeout(WAIT_S):
            return await self._process.wait()

    async def ended(self) -> int:
        """Wait for the end; gives the exit code."""
        async with asyncio.timeout(WAIT_S):
            return await self._process.wait()

    @property
    def words(self) -> str:
        """All that was logged."""
        return self.log.read_text(encoding="utf-8")
