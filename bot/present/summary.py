"""Summaries: how a session went, what was missed, what to study next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from bot.bank import Bank, Paragraph, Rich, Span, Words
from bot.i18n import Language
from bot.present.message import Action, Message, Verb
from bot.present.question import (
    answer_words,
    answered_item,
    labelled,
    line,
    proof_actions,
    right_answer,
    words_of,
)
from bot.present.talk import titled
from bot.quiz import Ending, Feedback, Result, Session, score


def mistakes(results: Sequence[Result]) -> tuple[str, ...]:
    """The items of some results that count and did not earn full marks, in order."""
    return tuple(result.item for result in results if result.counts and result.grade != 1)


def summary(session: Session, results: Sequence[Result], bank: Bank, t: Language) -> Message:
    """How a solo session went.

    Args:
        session: The session, closed.
        results: One per position that was asked, in order.
        bank: Where the words come from.
        t: The language of the learner.
    """
    counted = [result for result in results if result.counts]
    body: list[Rich] = [(line(Span(_opening(t, session), bold=True)),)]
    if not results:
        body.append((line(t.gettext("You did not answer anything, so there is no result.")),))
    elif not counted:
        body.append((line(t.gettext("Every question you were asked was withdrawn, so there is no result.")),))
    else:
        body.append((line(_result(t, counted)),))
        if withdrawn := len(results) - len(counted):
            body.append((line(_withdrawn(t, withdrawn)),))
        if len(_modules(counted, bank)) > 1:
            body.append(_by_module(t, counted, bank))
        body += _missed(t, session, counted, bank)
    return Message(
        body=tuple(b for part in body for b in part), actions=_actions(t, session, counted), session=session.id
    )


def _opening(t: Language, session: Session) -> str:
    return t.gettext("Quiz stopped.") if session.ending is Ending.STOPPED else t.gettext("Quiz finished.")


def _result(t: Language, counted: Sequence[Result]) -> str:
    grades = [result.grade for result in counted]
    return t.ngettext(
        "Result: {n} point out of {total} ({share}).",
        "Result: {n} points out of {total} ({share}).",
        sum(grades, Fraction(0)),
        total=t.number(len(counted)),
        share=t.percent(score(grades, len(counted))),
    )


def _withdrawn(t: Language, n: int) -> str:
    return t.ngettext(
        "{n} question was withdrawn and does not count.", "{n} questions were withdrawn and do not count.", n
    )


def _modules(counted: Sequence[Result], bank: Bank) -> dict[str, list[Result]]:
    modules: dict[str, list[Result]] = {}
    for result in counted:
        if entry := bank.entries.get(result.item):
            modules.setdefault(entry.item.module, []).append(result)
    return modules


def _by_module(t: Language, counted: Sequence[Result], bank: Bank) -> Rich:
    """A line per module, and which to study next: those below full marks, the weakest first."""
    lines: list[Paragraph] = []
    weak: list[tuple[Fraction, int, str]] = []
    for module, found in _modules(counted, bank).items():
        name = titled(bank.decks[module].title, t)
        share = score([result.grade for result in found], len(found))
        lines.append(line(f"{name}: {t.percent(share)}"))
        if share != 1:
            weak.append((share, len(weak), name))
    if weak:
        label = Span(t.gettext("What to study next:"), bold=True)
        lines.append(line(label, " " + "; ".join(name for _, _, name in sorted(weak)[:3]) + "."))
    return tuple(lines)


def _missed(t: Language, session: Session, counted: Sequence[Result], bank: Bank) -> list[Rich]:
    """Every item below full marks: number, stem, what was answered, what is right."""
    wrong = [result for result in counted if result.grade != 1 and result.item in bank.entries]
    if not wrong:
        return [(line(t.gettext("No mistakes.")),)]
    parts: list[Rich] = [(line(Span(t.ngettext("{n} mistake:", "{n} mistakes:", len(wrong)), bold=True)),)]
    for result in wrong:
        entry, planned = bank.entries[result.item], session.plan[result.position]
        words = words_of(entry, t, session.locales)
        parts.append(labelled(f"{result.position + 1}.", words.stem))
        parts.append(labelled(t.gettext("Your answer:"), _given(t, session, result, words)))
        parts.append(labelled(t.gettext("Right answer:"), right_answer(entry, planned, words, t)))
    return parts


def _given(t: Language, session: Session, result: Result, words: Words) -> Rich:
    if result.attempt is None:
        return (line(t.gettext("none")),)
    if result.attempt.response.skipped:
        return (line(t.gettext("skipped")),)
    response = result.attempt.response
    return answer_words(session.plan[result.position], words, response.chosen, response.text)


def _actions(t: Language, session: Session, counted: Sequence[Result]) -> tuple[Action, ...]:
    actions = []
    if mistakes(counted):
        actions.append(Action(Verb.PRACTISE, t.gettext("Practise what I missed"), primary=True))
    if session.policy.feedback is Feedback.AT_END and any(result.attempt for result in counted):
        actions.append(Action(Verb.REVIEW, t.gettext("Go through the answers")))
    if session.quiz:
        actions.append(Action(Verb.AGAIN, t.gettext("Try again")))
    return tuple(actions)


def reviewable(results: Sequence[Result], bank: Bank) -> tuple[Result, ...]:
    """Those of some results that `review` goes through: answered, of items the bank still has."""
    return tuple(result for result in results if result.attempt and result.item in bank.entries)


def review(session: Session, results: Sequence[Result], index: int, bank: Bank, t: Language) -> Message | None:
    """One answer of a finished self-check with its explanation. Its actions carry the index that comes next.

    Args:
        session: The session, closed.
        results: As for `summary`.
        index: Which of the reviewable answers, from 0.
        bank: Where the words come from.
        t: The language of the learner.

    Returns:
        The message; None behind the last answer.
    """
    answered = reviewable(results, bank)
    if index >= len(answered):
        return None
    attempt = answered[index].attempt
    assert attempt is not None
    further = (Action(Verb.REVIEW, t.gettext("Next"), primary=True),) if index + 1 < len(answered) else ()
    actions = (*further, *proof_actions(bank.entries[attempt.item], t))
    return replace(answered_item(session, attempt, bank, t), actions=actions, position=index + 1)
