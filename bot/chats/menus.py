"""Menus: messages with buttons that belong to no session. All they need to know is in the buttons."""

from __future__ import annotations

from dataclasses import dataclass

from bot.bank import Bank, Quiz, Rich
from bot.chats.payload import Pick, Tap
from bot.i18n import Language, Languages
from bot.present import choosing, line, titled, unfinished, welcome
from bot.present import privacy as privacy_words
from bot.quiz import Session, draw
from bot.tutor.practice import SITTING

LENGTHS = (5, 10)
"""Shorter lengths that are offered where a quiz is longer. Chosen by us."""


@dataclass(frozen=True, slots=True)
class Menu:
    """Words with buttons."""

    words: Rich
    buttons: tuple[tuple[str, Pick | Tap], ...] = ()
    """Label and what is picked, in order; a label has at most 80 characters."""
    primary: int | None = None
    """Which button most people will want."""


def said(words: Rich | str, *buttons: tuple[str, Pick], primary: int | None = None) -> Menu:
    """Some words with buttons below."""
    blocks = (line(words),) if isinstance(words, str) else words
    return Menu(blocks, buttons, primary)


def playable(bank: Bank, t: Language) -> list[Quiz]:
    """The quizzes that have something to ask in a language, in the bank's order."""
    return [quiz for quiz in bank.quizzes.values() if count(bank, quiz, t)]


def count(bank: Bank, quiz: Quiz, t: Language) -> int:
    """How many questions a quiz asks in a language."""
    plan = draw(quiz.blueprint, bank.live([t.tag]), "", twins=bank.twins)
    return 0 if plan is None else len(plan)


def greeting(bank: Bank, t: Language) -> Menu:
    """The first message to somebody."""
    quizzes = playable(bank, t)
    if not quizzes:
        return said(welcome(t, None))
    first = quizzes[0]
    buttons = [
        (t.gettext("Start the quiz"), Pick("begin", (first.blueprint.id, "exam" if first.exam else "learn", "0")))
    ]
    if len(quizzes) > 1:
        buttons.append((t.gettext("All quizzes"), Pick("list")))
    return said(welcome(t, first), *buttons, primary=0)


def quizzes(bank: Bank, t: Language) -> Menu:
    """All quizzes to choose from."""
    found = playable(bank, t)
    if not found:
        return said(welcome(t, None)[1:])
    buttons = [(titled(quiz.title, t), Pick("quiz", (quiz.blueprint.id,))) for quiz in found]
    return said(t.gettext("Which quiz?"), *buttons)


def how(bank: Bank, quiz: Quiz, t: Language) -> Menu:
    """Mode and length of one quiz."""
    name, total = quiz.blueprint.id, count(bank, quiz, t)
    learn = (t.gettext("Learn: explanations at once"), Pick("begin", (name, "learn", "0")))
    exam = (t.gettext("Exam: results at the end"), Pick("begin", (name, "exam", "0")))
    shorter = [
        (t.ngettext("Only {n} question", "Only {n} questions", n), Pick("begin", (name, "learn", str(n))))
        for n in LENGTHS
        if n < total
    ]
    back = (t.gettext("Back"), Pick("list"))
    first, second = (exam, learn) if quiz.exam else (learn, exam)
    return said(choosing(t, bank, quiz, total), first, second, *shorter, back, primary=0)


def busy(session: Session, bank: Bank, t: Language, over: Pick | None) -> Menu:
    """A quiz is open: go on or start over.

    Args:
        session: The open one.
        bank: Where its title comes from.
        t: The learner's language.
        over: Stops the open one and begins what was wanted; None offers the list of quizzes instead.
    """
    other = (t.gettext("Another quiz"), Pick("list")) if over is None else (t.gettext("Start the new one"), over)
    return said(unfinished(t, session, bank), (t.gettext("Continue"), Pick("go")), other, primary=0)


def figures(words: Rich, t: Language, wrong: int) -> Menu:
    """How far a learner has come.

    Args:
        words: The figures.
        t: The learner's language.
        wrong: How many items there are to practise.
    """
    if not wrong:
        return said(words)
    left = t.ngettext("{n} question still needs a right answer.", "{n} questions still need a right answer.", wrong)
    if wrong > SITTING:
        left += " " + t.ngettext("At most {n} is asked at a time.", "At most {n} are asked at a time.", SITTING)
    return said((*words, line(left)), (t.gettext("Practise my mistakes"), Pick("mistakes")), primary=0)


def language(languages: Languages, t: Language) -> Menu:
    """Which language to speak."""
    buttons = [(languages[tag].name, Pick("lang", (tag,))) for tag in languages.tags]
    return said(t.gettext("Which language should I use?"), *buttons)


def privacy(t: Language) -> Menu:
    """What is stored, with the offer to delete it."""
    return said(privacy_words(t), (t.gettext("Delete my data"), Pick("forget", ("ask",))))


def forgetting(t: Language) -> Menu:
    """The last question before everything is deleted."""
    return said(
        t.gettext("Delete everything: your answers, results and settings? This cannot be undone."),
        (t.gettext("Yes, delete everything"), Pick("forget", ("yes",))),
        (t.gettext("No, keep it"), Pick("forget", ("no",))),
    )
