"""A disk that refuses: the person reads why, nothing unkept is confirmed, and it goes on when it can."""

from __future__ import annotations

import asyncio
import io
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from rich.console import Console

from bot.app import catalogues, shipped
from bot.bank import load
from bot.chats.context import Context
from bot.chats.terminal import Dialogue, Event, Line, Wanted
from bot.chats.terminal.trouble import trouble
from bot.quiz import LEARN
from bot.store import Store, Tx, Unavailable
from bot.store.connection import Reason
from tests.store.world import NOW, open_store


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program holds the file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def hurry(tx: Tx) -> None:
    """Do not wait long for a lock of another program."""
    tx._sql.one("PRAGMA busy_timeout = 20")


def attempts(path: Path) -> int:
    """How many are on disk, as another program sees it."""
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM attempts").fetchone()[0])


class Table:
    """A person at a terminal."""

    def __init__(self, store: Store) -> None:
        names = iter(range(100))
        self.context = Context(
            store, load(shipped("content")), catalogues(None), lambda: NOW, lambda: f"s{next(names)}"
        )
        self.out, self.events = io.StringIO(), asyncio.Queue[Event]()

    def sit_down(self) -> asyncio.Task[bool]:
        console = Console(file=self.out, width=72, no_color=True, highlight=False)
        dialogue = Dialogue(self.context, console, self.context.languages["en"], self.events, echo=True)
        return asyncio.create_task(dialogue.play(Wanted(self.context.bank.quizzes["seed"], LEARN), fresh=False))

    async def type(self, line: str, *, until: str) -> str:
        """Type a line; gives what is printed until the words come."""
        seen = len(self.out.getvalue())
        await self.events.put(Line(line))
        return await self.read(until, seen)

    async def read(self, until: str, seen: int = 0) -> str:
        async with asyncio.timeout(60):
            while until not in self.out.getvalue()[seen:]:  # noqa: ASYNC110 what is printed raises no event
                await asyncio.sleep(0)
        return " ".join(self.out.getvalue()[seen:].split())


async def test_an_answer_that_could_not_be_kept_is_not_confirmed_and_may_be_typed_again(tmp_path: Path) -> None:
    path = tmp_path / "kontrolka.db"
    async with open_store(path) as store:
        table = Table(store)
        playing = table.sit_down()
        await table.read("Your answer (A–D):")
        await store.run(hurry)
        with locked(path):
            said = await table.type("d", until="Your answer (A–D):")
            assert "This could not be saved, so it does not count: another program has locked the data file." in said
            assert "Right." not in said
            assert attempts(path) == 0
        assert "Right." in await table.type("d", until="continue, q")
        assert attempts(path) == 1
        await table.type("q", until="Your place is saved")
        assert await playing


async def test_a_question_whose_showing_could_not_be_kept_is_answered_all_the_same(tmp_path: Path) -> None:
    async with open_store(tmp_path / "kontrolka.db") as store:
        table = Table(store)
        showing, opened = asyncio.Event(), store.run

        class Narrow:
            """A store whose disk is full just when a question has been shown."""

            def run(self, fn: object) -> asyncio.Future[object]:
                if "Your answer" not in table.out.getvalue() and "Question 1" in table.out.getvalue():
                    showing.set()
                    refused: asyncio.Future[object] = asyncio.get_running_loop().create_future()
                    refused.set_exception(Unavailable(Path("kontrolka.db"), "full"))
                    return refused
                return opened(fn)  # type: ignore[arg-type]

        table.context = replace(table.context, store=Narrow())  # type: ignore[arg-type]
        playing = table.sit_down()
        await table.read("Your answer (A–D):")
        assert showing.is_set()
        assert "Right." in await table.type("d", until="continue, q")
        await table.type("q", until="Your place is saved")
        assert await playing


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_reason_has_words_of_its_own_that_say_what_to_do(lang: str) -> None:
    t = catalogues(None)[lang]
    words = {trouble(Unavailable(Path("kontrolka.db"), reason), t) for reason in get_args(Reason)}
    assert len(words) == len(get_args(Reason)) == 5
    for text in words:
        assert text.startswith({"en": "This could not be saved", "ru": "Сохранить не удалось"}[lang])
