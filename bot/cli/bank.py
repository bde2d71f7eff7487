"""`kontrolka bank`: what authors need: every problem, what there is, how an item will look."""

from __future__ import annotations

import click
from rich.console import Console

from bot.app import content
from bot.bank import Bank, Deck, check, load
from bot.chats.terminal import WIDTH, page
from bot.i18n import Language
from bot.present import preview, titled
from bot.settings import Settings


def lint_all(settings: Settings, t: Language) -> int:
    """Print every problem of the content as `file: item: field: what is wrong: what to do`.

    Returns:
        0 if there is none, else 1.
    """
    problems = check(content(settings))
    for problem in problems:
        click.echo(str(problem))
    click.echo(t.ngettext("{n} problem.", "{n} problems.", len(problems)) if problems else t.gettext("No problems."))
    return 1 if problems else 0


def list_all(settings: Settings, t: Language) -> int:
    """Print courses, modules and quizzes with their counts."""
    bank = load(content(settings))
    for course in bank.courses.values():
        click.echo(f"{titled(course.title, t)} ({course.id})")
        for deck in (d for d in bank.decks.values() if d.course == course.id):
            click.echo(f"  {deck.id}: {titled(deck.title, t)} — {_counts(bank, deck, t)}")
        for quiz in (q for q in bank.quizzes.values() if q.course == course.id):
            click.echo(f"  ▸ {quiz.blueprint.id}: {titled(quiz.title, t)}")
    return 0


def _counts(bank: Bank, deck: Deck, t: Language) -> str:
    entries = [e for e in bank.entries.values() if e.item.module == deck.id and not e.retired]
    levels = " ".join(f"{level}×{n}" for level in range(1, 6) if (n := sum(e.item.level == level for e in entries)))
    proofs = sum(entry.proof is not None for entry in entries)
    parts = [
        t.ngettext("{n} item", "{n} items", len(entries)),
        t.gettext("levels {levels}; with proof: {proofs}", levels=levels, proofs=proofs),
    ]
    if deck.needs:
        parts.append(t.gettext("after: {modules}", modules=", ".join(deck.needs)))
    return "; ".join(parts)


def show(settings: Settings, t: Language, item: str) -> int:
    """Print an item as learners will see it."""
    bank = load(content(settings))
    entry = bank.entries.get(item)
    if entry is None:
        click.echo(
            t.gettext("There is no item “{name}”. `kontrolka bank list` shows what there is.", name=item), err=True
        )
        return 1
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    for message in preview(entry, bank, t):
        console.print(page(message), end="")
    return 0
