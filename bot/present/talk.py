"""Talk: what the tutor says besides questions: welcome, help, choices, progress, privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bot.bank import Bank, Paragraph, Quiz, Rich, Span
from bot.i18n import Language
from bot.present.question import line
from bot.quiz import Session, score


def titled(words: Mapping[str, str], t: Language) -> str:
    """A title in a language, else in whichever it has; empty if there is none."""
    return words.get(t.tag) or next(iter(words.values()), "")


def paragraphs(text: str) -> Rich:
    """Plain text as blocks, one per empty line."""
    return tuple(line(part) for part in text.split("\n\n"))


def welcome(t: Language, quiz: Quiz | None) -> Rich:
    """The first words to a new learner.

    Args:
        t: The learner's language.
        quiz: What is offered first; None if the bank has nothing in this language.
    """
    text = t.gettext(
        "Hello! I ask questions one at a time, explain every answer and remember where you stopped: you can leave at "
        "any moment and continue days later."
    )
    if quiz is None:
        return (line(text), line(t.gettext("There is no quiz in this language yet. To change the language: /language")))
    offer = t.gettext("You could start with “{title}”.", title=titled(quiz.title, t))
    return (line(text), line(offer))


def help_words(t: Language) -> Rich:
    """What can be done, and how."""
    return paragraphs(
        t.gettext(
            "Press a button or type the letter of an option. For a hint, send “?”.\n\n"
            "/quiz — choose a quiz\n"
            "/resume — show the current question again\n"
            "/stop — end the quiz and see the result\n"
            "/progress — your progress\n"
            "/streak — how many days in a row you have answered\n"
            "/top — in groups: who leads; here: whether boards show you\n"
            "/link, /unlink — one account for Discord and Telegram\n"
            "/language — change the language\n"
            "/privacy — what is stored, and how to delete it\n\n"
            "Is a question wrong? Press “Report a mistake” under the explanation."
        )
    )


def privacy(t: Language) -> Rich:
    """What is stored."""
    return paragraphs(
        t.gettext(
            "I store your account number on this platform and on those you link, the language and the city you chose, "
            "your quizzes, your answers and when you gave them, and the mistakes you report. In groups I also store "
            "the name you have there; boards there show it with your points, unless you hide yourself with /top. I "
            "store no conversations, and I share nothing with anyone else.\n\n"
            "You can delete all of it at any time, for all linked accounts at once. Deleted data cannot be restored; "
            "the operator's backups keep it until they are replaced."
        )
    )


def forgotten(t: Language, removed: Mapping[str, int]) -> Rich:
    """What was deleted."""
    answers = removed.get("attempts", 0)
    deleted = t.ngettext(
        "Deleted everything I knew about you, including {n} answer.",
        "Deleted everything I knew about you, including {n} answers.",
        answers,
    )
    return (
        line(deleted if answers else t.gettext("Deleted everything I knew about you.")),
        line(t.gettext("The operator's backups keep it until they are replaced. To start over: /start")),
    )


def choosing(t: Language, bank: Bank, quiz: Quiz, count: int) -> Rich:
    """What a quiz is and asks for, before it begins.

    Args:
        t: The learner's language.
        bank: Where the titles of modules come from.
        quiz: The quiz; if it is about one module, those to know first are named.
        count: How many questions it asks.
    """
    about = titled(quiz.about, t)
    blocks = [line(Span(titled(quiz.title, t), bold=True))]
    if about:
        blocks.append(line(about))
    if first := _known_first(t, bank, quiz.blueprint.modules):
        blocks.append(line(t.gettext("Good to know first: {modules}.", modules=first)))
    blocks.append(line(t.ngettext("{n} question.", "{n} questions.", count)))
    if quiz.minutes:
        exam = t.ngettext(
            "As an exam it is limited to {n} minute.", "As an exam it is limited to {n} minutes.", quiz.minutes
        )
        blocks.append(line(exam))
    return tuple(blocks)


def _known_first(t: Language, bank: Bank, modules: Sequence[str]) -> str:
    """The titles of the modules to know before a single one; empty for several modules, or if it needs none."""
    needs = bank.decks[modules[0]].needs if len(modules) == 1 else ()
    return "; ".join(titled(bank.decks[module].title, t) for module in needs)


def unfinished(t: Language, session: Session, bank: Bank) -> str:
    """That a quiz is open already, and where it stands."""
    title, number, total = title_of(session, bank, t), session.position + 1, len(session.plan)
    if not title:
        return t.gettext("You have an unfinished quiz, question {number} of {total}.", number=number, total=total)
    return t.gettext(
        "You have an unfinished quiz: “{title}”, question {number} of {total}.",
        title=title,
        number=number,
        total=total,
    )


def title_of(session: Session, bank: Bank, t: Language) -> str:
    """The title of what somebody plays; empty for a single item, and for a quiz that the bank has no longer."""
    if quiz := bank.quiz(session.quiz):
        return titled(quiz.title, t)
    return "" if session.quiz or len(session.plan) == 1 else practising(t)


def practising(t: Language) -> str:
    """The title of a quiz of mistakes; no other is made of several named items."""
    return t.gettext("Practising mistakes")


def nothing_to_practise(t: Language, names: Sequence[str]) -> str:
    """That there are no mistakes to practise in this language.

    Args:
        t: The language wanted.
        names: The languages in which there are some, by their own names; may be empty.
    """
    if names:
        return t.gettext(
            "You have mistakes left to practise, but not in this language, only in: {languages}.",
            languages=", ".join(names),
        )
    return t.gettext("You have no mistakes left to practise.")


def nothing_to_ask(t: Language, names: Sequence[str]) -> str:
    """That a quiz has nothing to ask in this language.

    Args:
        t: The language wanted.
        names: The languages in which it has something, by their own names; may be empty.
    """
    if names:
        return t.gettext("This quiz does not exist in this language, only in: {languages}.", languages=", ".join(names))
    return t.gettext("There is nothing to ask: the quiz has no questions.")


def progress(t: Language, bank: Bank, grades: Mapping[str, Fraction], days: int) -> Rich:
    """How far a learner has come.

    Args:
        t: The learner's language.
        bank: Where modules and their items come from.
        grades: Item id to the grade of its last counting attempt; items the bank has no longer are passed over.
        days: On how many local days there was an answer.
    """
    known = {item: grade for item, grade in grades.items() if item in bank.entries}
    if not known:
        return (line(t.gettext("You have not answered any questions yet. To start: /quiz")),)
    overall = t.ngettext(
        "You have answered {n} question and earned {share} of the points.",
        "You have answered {n} questions and earned {share} of the points.",
        len(known),
        share=t.percent(score(known.values(), len(known))),
    )
    active = t.ngettext("Active on {n} day.", "Active on {n} days.", days)
    return (line(Span(t.gettext("Your progress"), bold=True)), line(f"{overall} {active}"), *_modules(t, bank, known))


def _modules(t: Language, bank: Bank, grades: Mapping[str, Fraction]) -> tuple[Paragraph, ...]:
    lines = []
    for deck in bank.decks.values():
        items = [item.id for item in bank.live([]) if item.module == deck.id]
        right = sum(grades.get(item) == 1 for item in items)
        if any(item in grades for item in items):
            lines.append(
                t.gettext(
                    "{module} — {right} of {total} right",
                    module=titled(deck.title, t),
                    right=t.number(right),
                    total=t.number(len(items)),
                )
            )
    return (line("\n".join(lines)),) if lines else ()
