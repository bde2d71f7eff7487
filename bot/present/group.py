"""Sessions for many: the reveal, the board, and what one person is told in private."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.bank import Bank, Code, Paragraph, Rich, Span, plain
from bot.i18n import Language
from bot.present.message import Action, Message, Verb
from bot.present.question import (
    answer_words,
    choices_of,
    labelled,
    letter_of,
    line,
    right_answer,
    sources,
    spoken,
    stem_of,
    title,
    verdict,
    words_of,
)
from bot.present.talk import titled
from bot.quiz import Attempt, Kind, Pace, Planned, Session, ranks

BAR = 10
"""Characters of the longest bar. Chosen by us: it fits a phone beside a letter and figures."""

NAMES = 30
"""Names in one list at most; the others are counted. Chosen by us."""


def isolated(name: str) -> str:
    """A person's name that cannot turn its neighbours around: isolated (U+2068, U+2069), one line, never empty."""
    return f"\u2068{' '.join(name.split()) or '—'}\u2069"


def reveal(
    session: Session,
    position: int,
    attempts: Sequence[Attempt] | None,
    bank: Bank,
    languages: Sequence[Language],
    names: Mapping[int, str] | None,
    *,
    last: bool,
) -> Message:
    """What is right, how everybody answered, why, and who was right.

    Args:
        session: For many.
        position: Which item; the bank must have it.
        attempts: The counting attempts of all learners at this position; None where nobody's are known.
        bank: Where the words come from.
        languages: The session's, one or two.
        names: Learner id to name; None says only how many were right.
        last: Whether nothing follows.
    """
    entry, planned = bank.entries[session.plan[position].item], session.plan[position]
    words = [words_of(entry, t, session.locales) for t in languages]
    notes = {option: spoken(languages, lambda t: t.gettext("right answer")) for option in entry.item.key}
    body: list[Rich] = []
    if not planned.options:
        body.append(
            labelled(
                spoken(languages, lambda t: t.gettext("Right answer:")),
                right_answer(entry, planned, words[0], languages[0]),
            )
        )
    elif attempts:
        body.append((Code("\n".join(_bars(planned, attempts))),))
    if attempts is not None:
        body.append((line(Span(_how_many(languages, attempts), bold=True)),))
    if names is not None and attempts and (right := [a for a in attempts if a.grade == 1]):
        body.append((line(_who(languages, right, names)),))
    body += [w.explanation for w in words]
    body.append(sources(entry, languages[0]))
    following = spoken(languages, lambda t: t.gettext("Finish") if last else t.gettext("Next"))
    steered = len(session.plan) > 1 and session.policy.pace is not Pace.CLOCK
    return Message(
        title=title(languages, session, position),
        progress=(position + 1, len(session.plan)),
        head=stem_of(entry, languages),
        choices=choices_of(entry, planned, languages, chosen=(), notes=notes, right=entry.item.key),
        body=tuple(block for part in body for block in part),
        actions=(Action(Verb.NEXT, following, primary=True),) if steered else (),
        session=session.id,
        position=position,
        replaces=True,
    )


def _bars(planned: Planned, attempts: Sequence[Attempt]) -> list[str]:
    """A line per option: letter, bar, how many chose it."""
    counts = Counter(option for attempt in attempts for option in attempt.response.chosen)
    most = max(counts.values(), default=0) or 1
    width = len(str(most))
    return [
        f"{letter_of(planned, o)} {'█' * -(-counts[o] * BAR // most):<{BAR}} {counts[o]:>{width}}"
        for o in planned.options
    ]


def _how_many(languages: Sequence[Language], attempts: Sequence[Attempt]) -> str:
    right = sum(attempt.grade == 1 for attempt in attempts)
    if not attempts:
        return spoken(languages, lambda t: t.gettext("Nobody has answered."))
    return spoken(
        languages,
        lambda t: t.ngettext(
            "{n} of {total} got it right.",
            "{n} of {total} got it right.",
            right,
            total=len(attempts),
        ),
    )


def _who(languages: Sequence[Language], right: Sequence[Attempt], names: Mapping[int, str]) -> str:
    shown = [isolated(names[a.learner]) for a in right if a.learner in names]
    listed = ", ".join(shown[:NAMES])
    if (more := len(right) - len(shown[:NAMES])) and shown:
        listed += " " + spoken(languages, lambda t: t.ngettext("and {n} more", "and {n} more", more))
    return listed


def board(
    session: Session, scores: Sequence[tuple[int, Fraction]], languages: Sequence[Language], names: Mapping[int, str]
) -> Message:
    """The final board of a group session: ties share a rank."""
    heading = line(Span(spoken(languages, lambda t: t.gettext("Final board")), bold=True))
    if not scores:
        nobody = spoken(languages, lambda t: t.gettext("Nobody has answered."))
        return Message(body=(heading, line(nobody)), session=session.id)
    t = languages[0]
    places = ranks(scores, lambda one, other: one[1] == other[1])
    rows = [
        f"{rank}. {isolated(names.get(learner, ''))} — {t.number(points)}"
        for rank, (learner, points) in zip(places, scores, strict=True)
    ]
    return Message(body=(heading, Paragraph((Span("\n".join(rows)),))), session=session.id)


def running(t: Language, session: Session, bank: Bank, name: str) -> str:
    """That a quiz is running in a place already, where it stands, and who has begun it; at most 200 characters."""
    quiz = bank.quizzes.get(session.quiz)
    number, total = session.position + 1, len(session.plan)
    words = t.gettext("A quiz is running here already: question {number} of {total}.", number=number, total=total)
    if quiz is not None:
        words = t.gettext(
            "A quiz is running here already: “{title}”, question {number} of {total}.",
            title=titled(quiz.title, t),
            number=number,
            total=total,
        )
    begun = t.gettext("Started by {name}.", name=isolated(name)) if name else ""
    return f"{words} {begun}".strip() if len(words) + len(begun) < 200 else words


def whisper(session: Session, attempt: Attempt, bank: Bank, t: Language, limit: int) -> str:
    """Private feedback in a few words: the verdict with as much of the reason as fits.

    Args:
        session: Where it was answered.
        attempt: The answer.
        bank: Where the words come from; it must have the item.
        t: The language of the learner.
        limit: Characters at most.
    """
    entry, planned = bank.entries[attempt.item], session.plan[attempt.position]
    words = words_of(entry, t, session.locales)
    said = verdict(t, attempt)
    reasons = []
    if entry.item.kind is Kind.SINGLE and attempt.response.chosen:
        reasons.append(plain(words.options[attempt.response.chosen[0]].why))
    reasons.append(words.brief)
    if attempt.grade != 1:
        key = plain(answer_words(planned, words, tuple(entry.item.key), "")) if planned.options else ""
        reasons.append(t.gettext("Right answer:") + f" {key or plain(right_answer(entry, planned, words, t))}")
    fitting = (f"{said} {reason}" for reason in reasons if reason)
    return next((text for text in fitting if len(text) <= limit), said)
