"""Dialogues as a person reads them: what was done, and which messages came or changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from simcord.results import InteractionResult

from tests.far_ends.discord import Person, Place, World

HERE = Path(__file__).parent / "transcripts"


class Script:
    """One person in one place; everything that is done and shown is written down."""

    def __init__(self, world: World, person: Person, place: Place) -> None:
        self.world, self.person, self.place = world, person, place
        self._lines: list[str] = []
        self._shown = {m.id: m.whole for m in world.messages(place)}
        self._last: InteractionResult | None = None

    async def types(self, command: str, **options: Any) -> InteractionResult:
        given = "".join(f" {name}:{value}" for name, value in options.items())
        return self._then(f"/{command}{given}", await self.person.types(self.place, command, **options))

    async def presses(self, label: str) -> InteractionResult:
        return self._then(f"[{label}]", await self.person.presses(self.place, label))

    async def chooses(self, *values: str) -> InteractionResult:
        return self._then(f"({', '.join(values)})", await self.person.chooses(self.place, *values))

    async def writes(self, words: str) -> InteractionResult:
        assert self._last is not None
        return self._then(f"«{words}»", await self.person.writes(self._last, words))

    def remark(self, words: str) -> None:
        self._lines.append(f"== {words} ==\n")

    def _then(self, what: str, result: InteractionResult) -> InteractionResult:
        self._last = result
        self._lines.append(f"> {what}\n")
        if result.modal is not None:
            self._lines.append(_form(result.modal))
        self.news()
        return result

    def news(self) -> None:
        """Write down what came, changed or went."""
        now = {m.id: m for m in self.world.messages(self.place)}
        for id_, message in now.items():
            if id_ not in self._shown:
                sign = "new, only for you" if message.hidden else "new"
            elif self._shown[id_] != message.whole:
                sign = "changed"
            else:
                continue
            self._lines.append(f"--- {sign}\n{message.whole}\n")
        self._lines += ["--- gone\n" for id_ in self._shown if id_ not in now]
        self._shown = {id_: message.whole for id_, message in now.items()}

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def compare(self, name: str, config: pytest.Config) -> None:
        """Compare with the transcript; `--rewrite-transcripts` writes it instead."""
        path = HERE / f"{name}.txt"
        if config.getoption("--rewrite-transcripts"):
            path.write_text(self.text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == self.text


def _form(modal: dict[str, Any]) -> str:
    fields = [
        f"{label['label']} [{'required' if label['component'].get('required', True) else 'may stay empty'}]"
        for label in modal["components"]
    ]
    return "\n".join([f"--- form: {modal['title']}", *fields, ""])
