"""`kontrolka play`: the terminal, wired up."""

from __future__ import annotations

import asyncio
import io
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

import click
from rich.console import Console

from bot.app import opened, tick
from bot.bank import Bank, Quiz
from bot.chats.terminal import PLATFORM, WIDTH, Dialogue, Event, Keyboard, Wanted
from bot.cli.names import similar, where_items_are
from bot.i18n import Language
from bot.present import nothing_to_practise
from bot.quiz import LEARN, Policy, exam
from bot.settings import Settings
from bot.store import Progress, Tx
from bot.tutor.practice import SITTING, to_practise


def play(
    settings: Settings,
    t: Language,
    *,
    quiz: str | None,
    mode: str | None,
    minutes: int | None,
    fresh: bool,
    mistakes: bool,
) -> int:
    """Play until the person leaves.

    Returns:
        0; 1 if there was nothing to ask, or no such quiz; 2 for options that exclude each other.
    """
    if mistakes and quiz is not None:
        click.echo(t.gettext("--mistakes takes questions from all quizzes: leave out {quiz}.", quiz=quiz), err=True)
        return 2
    if minutes and mode == "learn":
        click.echo(t.gettext("--minutes sets the time limit of an exam; learning has none."), err=True)
        return 2
    return asyncio.run(_play(settings, t, quiz, mode, minutes, fresh=fresh, mistakes=mistakes))


async def _play(
    settings: Settings,
    t: Language,
    quiz: str | None,
    mode: str | None,
    minutes: int | None,
    *,
    fresh: bool,
    mistakes: bool,
) -> int:
    async with opened(settings) as context:
        items = _wanted(context.bank, quiz)
        if mistakes:
            known = await context.store.read(_progress)
            items = to_practise(known, context.bank, t.tag)[:SITTING]
            if not items:
                tags = [tag for tag in context.languages.tags if to_practise(known, context.bank, tag)]
                click.echo(nothing_to_practise(t, [context.languages[tag].name for tag in tags]))
                return 0
        if items is None:
            click.echo(_unknown(context.bank, quiz, t), err=True)
            return 1
        if isinstance(items, tuple) and quiz is not None and context.bank.entries[quiz].retired:
            click.echo(t.gettext("The item “{name}” is retired: it is no longer asked.", name=quiz), err=True)
            return 1
        wanted = Wanted(
            items,
            _policy(items, mode, minutes),
            named=mistakes or quiz is not None,
            ruled=mode is not None or minutes is not None,
            mistakes=mistakes,
        )
        console = Console(highlight=False)
        console.width = min(console.width, WIDTH)
        events: asyncio.Queue[Event] = asyncio.Queue()
        ticker = asyncio.create_task(tick(context, events.put))
        typed = sys.stdin or io.StringIO()  # a closed one is an empty one
        Keyboard(typed, events)
        dialogue = Dialogue(context, console, t, events, echo=not typed.isatty())
        _leave_at_the_first_interrupt()
        try:
            return 0 if await dialogue.play(wanted, fresh=fresh) else 1
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            ticker.cancel()


def _leave_at_the_first_interrupt() -> None:
    """Have Ctrl-C cancel the present task once; another one would only spoil the leaving."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None  # the caller is a coroutine
    pressed: list[bool] = []

    def leave() -> None:
        if not pressed:
            pressed.append(True)
            task.cancel()

    with suppress(NotImplementedError):  # Windows; there asyncio does the same for the first one
        loop.add_signal_handler(signal.SIGINT, leave)


def _wanted(bank: Bank, name: str | None) -> Quiz | Sequence[str] | None:
    """The quiz, module or item of that id; without an id the first quiz of the bank."""
    if name is None:
        return next(iter(bank.quizzes.values()), None)
    if (quiz := bank.quiz(name)) is not None:
        return quiz
    return (name,) if name in bank.entries else None


def _progress(tx: Tx) -> Progress:
    """The figures of the person at this terminal."""
    learner = tx.known_learner(PLATFORM, "")
    return Progress(0, 0, (), {}) if learner is None else tx.progress_of(learner)


def _unknown(bank: Bank, name: str | None, t: Language) -> str:
    if name is None:
        return t.gettext("The bank has no quiz. To write one, see docs/content.md.")
    lines = [t.gettext("There is no quiz, module or item “{name}”.", name=name)]
    lines += similar(t, name, [*bank.quizzes, *bank.decks, *bank.entries])
    if bank.quizzes:
        lines.append(t.gettext("Quizzes: {known}.", known=", ".join(bank.quizzes)))
    if modules := [deck for deck in bank.decks if deck not in bank.quizzes]:
        lines.append(t.gettext("Modules: {known}.", known=", ".join(modules)))
    lines.append(where_items_are(t))
    return "\n".join(lines)


def _policy(items: Quiz | Sequence[str], mode: str | None, minutes: int | None) -> Policy:
    offered = isinstance(items, Quiz) and items.exam
    if mode == "exam" or (mode is None and (offered or minutes)):
        limit = minutes or (items.minutes if isinstance(items, Quiz) else None)
        return exam(session_limit_s=limit * 60 if limit else None)
    return LEARN
