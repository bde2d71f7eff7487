"""Each module played from its first question to its last, in both languages, through the terminal's dialogue."""

from __future__ import annotations

import asyncio
import io
import itertools
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from rich.console import Console

from bot.app import catalogues
from bot.bank import Entry, Paragraph, Rich
from bot.chats.context import Context
from bot.chats.terminal import Dialogue, Event, Line, Wanted
from bot.quiz import LEARN
from bot.store import Store
from tests.content.bank import LANGUAGES, ROOT, bank, entries, modules

WIDE = 2000
"""Columns: no line is broken, so that what was said can be looked for."""
BEGIN = datetime(2026, 11, 30, 9, tzinfo=UTC)


def typed(entry: Entry, language: str) -> list[str]:
    """A hint, an answer, the proof, and on to the next question."""
    if entry.item.options:
        answer = "a"
    else:
        answer = str(entry.item.answer.value) if entry.item.answer else entry.words[language].accept[0]
    return ["?", answer, *(["o"] if entry.proof else []), ""]


async def played(module: str, language: str, tmp_path: Path) -> tuple[str, list[str]]:
    """What a person reads who plays a module, and the items that are answered afterwards."""
    found = [entry for entry in entries() if entry.item.module == module]
    lines = [line for entry in found for line in typed(entry, language)]
    events: asyncio.Queue[Event] = asyncio.Queue()
    for line in [*lines, "", None]:
        events.put_nowait(Line(line))
    seconds, ids = itertools.count(), itertools.count()
    async with Store.open(tmp_path / "kontrolka.db", clock=lambda: BEGIN) as store:
        context = Context(
            store,
            bank(),
            catalogues(None),
            lambda: BEGIN + timedelta(seconds=next(seconds)),
            lambda: f"s{next(ids)}",
        )
        page = io.StringIO()
        console = Console(file=page, width=WIDE, highlight=False, no_color=True)
        dialogue = Dialogue(context, console, context.languages[language], events, echo=True)
        assert await dialogue.play(Wanted(bank().quizzes[f"module-{module}"], LEARN), fresh=False)
        attempts = await store.run(lambda tx: tx.attempts_of("s0"))
    shown = "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())
    return shown, [attempt.item for attempt in attempts]


def said(words: Rich) -> list[str]:
    """The lines of some words as the terminal prints them."""
    lines: list[str] = []
    for block in words:
        if isinstance(block, Paragraph):
            shown = "".join(f"`{span.text}`" if span.code else span.text for span in block.spans)
            lines += shown.splitlines()
    return [line.strip() for line in lines if line.strip()]


def english() -> list[str]:
    """What the program itself says in English, in three words or more: fewer stand in the output of a proof too."""
    with (ROOT / "locales" / "ru" / "LC_MESSAGES" / "bot.po").open("rb") as file:
        catalogue = read_po(file)
    singular = [message.id if isinstance(message.id, str) else message.id[0] for message in catalogue if message.id]
    return [
        piece
        for text in singular
        for piece in re.split(r"\{\w+\}|\n", text)
        if len(re.findall("[A-Za-z]{2,}", piece)) >= 3
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("module", modules())
async def test_a_module_can_be_played_from_end_to_end(module: str, language: str, tmp_path: Path) -> None:
    page, answered = await played(module, language, tmp_path)
    found = [entry for entry in entries() if entry.item.module == module]
    assert answered == [entry.item.id for entry in found]
    for entry in found:
        words = entry.words[language]
        for line in [*said(words.stem), *said(words.hint), *said(words.explanation)]:
            assert line in page, entry.item.id
        if entry.proof:
            assert entry.proof.output.splitlines()[0] in page, entry.item.id
    if language == "en":
        assert re.findall("[а-яё]{2,}", page, re.IGNORECASE) == []
    else:
        left = [text.strip() for text in english() if text.strip() in page]
        assert left == []
