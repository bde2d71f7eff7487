"""Use cases that only Discord has besides those of `solo`: menus of options, forms, commands with their options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.bank import Bank, Quiz, clean
from bot.chats import menus
from bot.chats.discord.items import Filled, Form
from bot.chats.menus import said
from bot.chats.payload import Tap
from bot.chats.solo import Solo
from bot.chats.starting import Asked, Done
from bot.i18n import Language
from bot.present import notice, paragraphs, titled
from bot.quiz import Answer, Ending, News, Phase, Reason, Refuse, Response, Select, Session, Step
from bot.tutor import act


class Quizzes(Solo):
    """The use cases of a person alone with the tutor in Discord."""

    def start(self, asked: Asked, wanted: str, mode: str, length: int) -> Done:
        """Begin a quiz by its id or title; without one, offer them all."""
        if not wanted:
            return self.quiz(asked)
        quiz = quiz_named(self._bank, wanted)
        if quiz is None:
            words = asked.to.t.gettext("There is no such quiz. Choose one from the list.")
            return Done(asked.to, menu=menus.quizzes(self._bank, asked.to.t), toast=words)
        return self.begin(asked, quiz, mode, length)

    def tick(self, asked: Asked, tap: Tap, chosen: Sequence[str], message: int) -> Done:
        """The menu of a multiple-choice question was closed with these options ticked."""
        session = self._own(asked, tap.session)
        if session is None:
            return self._over(asked, message)
        step: Step | None = None
        ticked = asked.tx.draft(session.id, tap.position, asked.to.learner)
        for option in sorted(set(chosen) ^ set(ticked)):
            select = Select(
                by=asked.to.learner, at=asked.at, position=tap.position, option=option, sent_at=asked.sent_at
            )
            step = act(asked.tx, self._bank, session.id, select)
            if step is not None and step.refused is not None:
                break
        return Done(asked.to) if step is None else self._acted(asked, step, tap.position, message)

    def opens(self, asked: Asked, filled: Filled, message: int) -> Done | None:
        """Whether a form may be filled in now; None means yes, otherwise what is to be said."""
        session = self._own(asked, filled.session)
        if session is None or filled.position >= len(session.plan):
            return self._over(asked, message)
        reason = None if filled.form is Form.REPORT else _closed(session, filled.position)
        if reason is None:
            return None
        recorded = asked.tx.last_attempt(session.id, filled.position, asked.to.learner)
        refuse = Refuse(reason, recorded)
        return self._refused(asked, Step(session, (refuse,)), refuse, filled.position, message)

    def fill(self, asked: Asked, filled: Filled, words: str, message: int) -> Done:
        """A form was filled in and sent."""
        session = self._own(asked, filled.session)
        if session is None:
            return self._over(asked, message)
        words = clean(words)
        if filled.form is Form.REPORT:
            return self.report(asked, session, filled.position, words)
        answer = Answer(
            by=asked.to.learner,
            at=asked.at,
            position=filled.position,
            response=Response(text=words),
            sent_at=asked.sent_at,
        )
        step = act(asked.tx, self._bank, session.id, answer)
        assert step is not None  # it was read in this transaction
        return self._acted(asked, step, filled.position, message)

    def _refused(self, asked: Asked, step: Step, refuse: Refuse, position: int, message: int) -> Done:
        """As for everybody; what one hidden message shows has not yet said that the time was up."""
        done = super()._refused(asked, step, refuse, position, message)
        if asked.posted or step.session.ending is not Ending.TIME_UP:
            return done
        return replace(done, step=None, toast=notice(News.SESSION_TIME_UP, asked.to.t))

    def progress(self, asked: Asked) -> Done:
        """Plain figures, or how to begin."""
        if not asked.tx.progress_of(asked.to.learner).items:
            words = asked.to.t.gettext("You have not answered any questions yet. To start: /quiz start")
            return Done(asked.to, menu=said(words))
        return super().progress(asked)

    def help(self, asked: Asked) -> Done:
        """What can be done."""
        t = asked.to.t
        words = t.gettext(
            "Answer with the buttons or the menu under the question. On a server only you see your quiz; in direct "
            "messages it stays in the chat.\n\n"
            "/quiz start — start a quiz\n"
            "/quiz resume — show the current question again\n"
            "/quiz stop — end the quiz and see the result\n"
            "/group start — start a quiz for everybody on this server\n"
            "/daily — a question every day, for moderators\n"
            "/top, /streak — who leads here, and how many days in a row you have answered\n"
            "/link, /unlink — one account for Discord and Telegram\n"
            "/progress — your progress\n"
            "/language — change the language\n"
            "/privacy — what is stored, and how to delete it\n"
            "/doctor — what works here and what does not\n\n"
            "Is a question wrong? Press “Report a mistake” under the explanation."
        )
        return Done(asked.to, menu=said(paragraphs(words)))

    def foreign(self, asked: Asked) -> Done:
        """A button that is not ours, or of a version we do not know."""
        words = asked.to.t.gettext("This button is out of date. To see the current question: /quiz resume")
        return Done(asked.to, toast=words)


def _closed(session: Session, position: int) -> Reason | None:
    """Why an answer cannot be given at a position any more; None if it can."""
    if session.closed:
        return Reason.CLOSED
    if position != session.position:
        return Reason.STALE
    return Reason.ALREADY if session.phase is Phase.REVEALED else None


def quiz_named(bank: Bank, wanted: str) -> Quiz | None:
    """A quiz by its id, or by its title in any language, as somebody types it who passes over the suggestions."""
    if wanted in bank.quizzes:
        return bank.quizzes[wanted]
    typed = wanted.strip().casefold()
    return next((q for q in bank.quizzes.values() if typed in (title.casefold() for title in q.title.values())), None)


def suggestions(bank: Bank, t: Language, typed: str, most: int) -> list[tuple[str, str]]:
    """Titles and ids of the quizzes that somebody may mean who has typed this much, in the bank's order."""
    part = typed.strip().casefold()
    found = [
        (titled(quiz.title, t), quiz.blueprint.id)
        for quiz in menus.playable(bank, t)
        if part in titled(quiz.title, t).casefold() or part in quiz.blueprint.id
    ]
    return found[:most]
