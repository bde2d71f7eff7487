"""What is well formed but could be better: the style rules over a loaded bank, and languages that are incomplete."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from bot.bank.bank import Bank, Entry
from bot.bank.fields import Log, Table
from bot.bank.load import TERMS_FILE, read, read_toml
from bot.bank.problems import Problem
from bot.bank.proofs import check_proofs
from bot.bank.style import languages, options, stems
from bot.bank.style.balance import check_balance
from bot.bank.style.prose import Finding
from bot.bank.style.terms import Terms, check_term, read_terms

_CHECKS = (
    stems.check_source,
    stems.check_negative,
    stems.check_long,
    options.check_reference,
    options.check_length,
    options.check_absolute,
    options.check_hedge,
    languages.check_code,
    languages.check_quotes,
    languages.check_dash,
    languages.check_space,
    languages.check_yo,
)
_MANY = 3


def lint(bank: Bank) -> list[Problem]:
    """Everything in a bank that breaks a rule of style, lacks a language, is waived idly, or names a stale proof.

    Reads `terms.toml` in each course's folder, if it is there. Retired items are not looked at.

    Returns:
        The problems by file, then in the order of the bank; those over many items first.
    """
    log = Log()
    terms = {course: _terms(bank, course, log) for course in sorted({deck.course for deck in bank.decks.values()})}
    problems = [*check_balance(bank), *log.problems, *check_proofs(bank)]
    for entry in bank.entries.values():
        if not entry.retired:
            problems += _missing(entry)
            problems += _style(entry, terms[bank.decks[entry.item.module].course])
    return sorted(problems, key=lambda problem: problem.file)


def check(root: Path) -> list[Problem]:
    """Every problem of a folder of content in one run: those that `load` raises, and `lint` of what is sound."""
    bank, problems = read(root)
    return sorted([*problems, *lint(bank)], key=lambda problem: problem.file)


def _terms(bank: Bank, course: str, log: Log) -> Terms:
    file = bank.root / course / TERMS_FILE
    name = f"{course}/{TERMS_FILE}"
    values = read_toml(file, name, bank.root, log) if file.exists() else None
    return Terms() if values is None else read_terms(Table(values, log, name, ""))


def _missing(entry: Entry) -> Iterator[Problem]:
    for language, lacks in entry.missing.items():
        todo = f"write it: the item is not offered in {language} before"
        if len(lacks) > _MANY:
            what = f"{len(lacks)} fields are missing in {language}: {', '.join(lacks)}"
            yield Problem(entry.where, entry.item.id, language, what, todo.replace("it:", "them:"), "missing")
        else:
            for name in lacks:
                yield Problem(entry.where, entry.item.id, f"{name}.{language}", "is missing", todo, "missing")


def _style(entry: Entry, terms: Terms) -> Iterator[Problem]:
    findings: Iterator[Finding] = chain(
        *(rule(entry) for rule in _CHECKS),
        options.check_clang(entry, terms.subject),
        languages.check_alphabet(entry, terms.latin),
        check_term(entry, terms),
    )
    used = set()
    for rule, field, what, todo in findings:
        if rule in entry.waive:
            used.add(rule)
        else:
            yield Problem(entry.where, entry.item.id, field, what, todo, rule)
    for rule in entry.waive:
        if rule not in used:
            what = "waives a rule that the item keeps"
            yield Problem(entry.where, entry.item.id, f"waive.{rule}", what, "take the waiver out", "waive")
