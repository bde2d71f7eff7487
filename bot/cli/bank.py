"""`kontrolka bank`: what authors need: every problem, what there is, how an item will look."""

from __future__ import annotations

from textwrap import shorten

import click
from rich.console import Console

from bot.app import catalogues, content
from bot.bank import Bank, Deck, Entry, check, load, plain
from bot.chats.terminal import WIDTH, page
from bot.cli.names import no_item, similar
from bot.i18n import Language
from bot.present import preview, titled, words_of
from bot.settings import Settings

BEGINNING = 60
"""Characters of a stem in a list at most. Chosen by us: ids are long already."""


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


def list_all(settings: Settings, t: Language, module: str | None = None) -> int:
    """Print courses, modules and quizzes with their counts, or the items of one module.

    Returns:
        0; 1 if there is no such module.
    """
    bank = load(content(settings))
    if module is not None:
        return _list_items(bank, t, module)
    for course in bank.courses.values():
        click.echo(f"{titled(course.title, t)} ({course.id})")
        for deck in (d for d in bank.decks.values() if d.course == course.id):
            click.echo(f"  {deck.id}: {titled(deck.title, t)} — {_counts(bank, deck, t)}")
        for quiz in (q for q in bank.quizzes.values() if q.course == course.id):
            click.echo(f"  ▸ {quiz.blueprint.id}: {titled(quiz.title, t)}")
    return 0


def _list_items(bank: Bank, t: Language, module: str) -> int:
    """Print a line for each item of a module: its id, what is known of it, how its stem begins."""
    if module not in bank.decks:
        lines = [t.gettext("There is no module “{name}”.", name=module), *similar(t, module, bank.decks)]
        lines.append(t.gettext("Modules: {known}.", known=", ".join(bank.decks) or "—"))
        click.echo("\n".join(lines), err=True)
        return 1
    for entry in (e for e in bank.entries.values() if e.item.module == module):
        click.echo(f"{entry.item.id} ({', '.join(_facts(entry, t))}): {_beginning(entry, t)}")
    return 0


def _facts(entry: Entry, t: Language) -> list[str]:
    facts = [str(entry.item.kind), t.gettext("level {level}", level=entry.item.level)]
    if entry.proof is not None:
        facts.append(t.gettext("proof {name}", name=entry.proof.name))
    if t.tag not in entry.words:
        facts.append(t.gettext("only in: {languages}", languages=", ".join(entry.words)))
    if entry.retired:
        facts.append(t.gettext("retired"))
    return facts


def _beginning(entry: Entry, t: Language) -> str:
    stem = " ".join(plain(words_of(entry, t).stem).split())
    return shorten(stem, BEGINNING, placeholder=" …")


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
    """Print an item as learners will see it; one that is not complete in the language, in another one."""
    bank = load(content(settings))
    entry = bank.entries.get(item)
    if entry is None:
        click.echo(no_item(t, item, bank), err=True)
        return 1
    if entry.retired:
        click.echo(t.gettext("The item is retired: it is no longer asked.") + "\n")
    if t.tag not in entry.words:
        shown = catalogues(settings.lang_aliases)[next(iter(entry.words))]
        click.echo(_not_in(entry, t, shown) + "\n")
        t = shown
    console = Console(highlight=False)
    console.width = min(console.width, WIDTH)
    for message in preview(entry, bank, t):
        console.print(page(message), end="")
    return 0


def _not_in(entry: Entry, t: Language, shown: Language) -> str:
    """That learners do not get an item in a language, what it lacks there, and in which language it is shown here."""
    lacks = entry.missing.get(t.tag)
    if lacks is None:
        return t.gettext("The module is not in this language; the item is shown in: {language}.", language=shown.name)
    return t.gettext(
        "Learners do not get this item in this language, because it lacks: {fields}. It is shown in: {language}.",
        fields=", ".join(f"{field}.{t.tag}" for field in lacks),
        language=shown.name,
    )
