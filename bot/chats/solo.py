"""Alone with the tutor: what one person's commands and presses do, each in one transaction. No platform is known here.

How something is begun and goes on is in `starting`.
"""

from __future__ import annotations

from dataclasses import replace

from bot.chats import menus
from bot.chats.menus import said
from bot.chats.payload import Pick, Tap
from bot.chats.posts import messages_of, prove
from bot.chats.starting import Asked, Done, Starting, Wish, nothing_open, policy_of
from bot.chats.taps import command as command_of
from bot.present import (
    Message,
    Verb,
    feedback,
    mistakes,
    nothing_to_practise,
    practising,
    progress,
    render,
    review,
    reviewable,
    show_me,
    titled,
)
from bot.quiz import (
    LEARN,
    Feedback,
    Phase,
    Refuse,
    Retire,
    Session,
    Step,
    Stop,
)
from bot.store import Progress
from bot.tutor import act, results, show
from bot.tutor.practice import SITTING, to_practise


class Solo(Starting):
    """The use cases of a person alone with the tutor, over one transaction each."""

    # --- buttons of a session

    def tap(self, asked: Asked, tap: Tap, message: int) -> Done:
        """A button of a session was pressed on a message."""
        if asked.posted:
            prove(asked.tx, asked.to.place, tap.session, tap.position, message, asked.at)
        session = self._own(asked, tap.session)
        if session is None:
            return self._over(asked, message)
        match tap.verb:
            case Verb.REPORT:
                return self.report(asked, session, tap.position)
            case Verb.SHOW_ME:
                return self._show_me(asked, session, tap.position)
            case Verb.REVIEW:
                return self._review(asked, session, tap, message)
            case Verb.PRACTISE:
                return self._press(asked, self._missed(asked, session), retire=(message,))
            case Verb.AGAIN if quiz := self._bank.quizzes.get(session.quiz):
                mode = "exam" if session.policy.feedback is Feedback.AT_END else "learn"
                again = Pick("over", (quiz.blueprint.id, mode, "0"))
                return self._press(asked, Wish(quiz, session.policy, again), retire=(message,))
            case _:
                return self._command(asked, session, tap, message)

    def _own(self, asked: Asked, session: str) -> Session | None:
        """A session of this person; None if it is somebody else's or no more."""
        found = asked.tx.session(session)
        return found if found is not None and found.host == asked.to.learner else None

    def _over(self, asked: Asked, message: int) -> Done:
        return Done(asked.to, retire=(message,), toast=asked.to.t.gettext("This quiz is over."))

    def _command(self, asked: Asked, session: Session, tap: Tap, message: int) -> Done:
        command = command_of(asked.tx, tap, by=asked.to.learner, at=asked.at, sent_at=asked.sent_at)
        step = act(asked.tx, self._bank, session.id, command) if command is not None else None
        if step is None:
            return self._over(asked, message)
        return self._acted(asked, step, tap.position, message)

    def _acted(self, asked: Asked, step: Step, position: int, message: int) -> Done:
        """What a command on a message's question leaves, be it refused or not."""
        if step.refused is not None:
            return self._refused(asked, step, step.refused, position, message)
        done = self._done(asked, step)
        if any(isinstance(e, Retire) and e.position == position for e in step.effects):
            done = replace(done, retire=tuple(dict.fromkeys((*done.retire, message))))
        return done

    def _refused(self, asked: Asked, step: Step, refuse: Refuse, position: int, message: int) -> Done:
        """Nothing changed; the message may show less than it should, because the program ended before it could."""
        session, t = step.session, asked.to.t
        if not asked.posted or (position == session.position and not session.closed):
            shown = show(asked.tx, self._bank, session, at=asked.at)
            said_now = [m for m in render(shown, self._bank, (t,), t) if m.head or not asked.posted]
            return Done(asked.to, step, edits=tuple((message, m) for m in said_now))
        recorded = refuse.recorded
        if (
            recorded is None
            or session.policy.feedback is not Feedback.AT_ONCE
            or recorded.item not in self._bank.entries
        ):
            return Done(asked.to, step, retire=(message,))
        past = replace(feedback(session, recorded, self._bank, t, last=False), actions=())
        return Done(asked.to, step, edits=((message, past),))

    def report(self, asked: Asked, session: Session, position: int, words: str = "") -> Done:
        """Somebody says that an item is wrong, and perhaps why; what is longer than 2000 characters is cut (by us)."""
        if position >= len(session.plan):
            return Done(asked.to, toast=asked.to.t.gettext("That is not possible right now."))
        item = session.plan[position].item
        asked.tx.add_report(item, asked.to.t.tag, asked.to.learner, words[:2000], asked.at)
        return Done(asked.to, toast=asked.to.t.gettext("Thank you, your report is saved."))

    def _review(self, asked: Asked, session: Session, tap: Tap, message: int) -> Done:
        index = tap.position
        found = results(asked.tx, session, session.host)
        shown = review(session, found, index, self._bank, asked.to.t) if session.closed else None
        if shown is None:
            return Done(asked.to, retire=(message,))
        return Done(asked.to, message=shown, retire=(message,) if index else ())

    def _show_me(self, asked: Asked, session: Session, position: int) -> Done:
        """Show the proof of an item whose explanation was read; in a review positions count the answers from 1."""
        item = ""
        if session.policy.feedback is Feedback.AT_END and session.closed:
            reviewed = reviewable(results(asked.tx, session, session.host), self._bank)
            item = reviewed[position - 1].item if 0 < position <= len(reviewed) else ""
        elif session.policy.feedback is Feedback.AT_ONCE and _explained(session, position):
            item = session.plan[position].item
        entry = self._bank.entries.get(item)
        shown = show_me(entry, asked.to.t) if entry is not None else None
        if shown is None:
            return Done(asked.to, toast=asked.to.t.gettext("That is not possible right now."))
        return Done(asked.to, message=shown)

    # --- buttons of menus

    def pick(self, asked: Asked, pick: Pick, message: int) -> Done:
        """A button of a menu was pressed on a message."""
        t, bank = asked.to.t, self._bank
        match pick.menu, pick.values:
            case "list", ():
                return Done(asked.to, menu=menus.quizzes(bank, t))
            case "quiz", (name,) if name in bank.quizzes:
                return Done(asked.to, menu=menus.how(bank, bank.quizzes[name], t))
            case (("begin" | "over"), (name, mode, length)) if name in bank.quizzes and length.isdecimal():
                quiz = bank.quizzes[name]
                wish = Wish(quiz, policy_of(quiz, mode), replace(pick, menu="over"), int(length))
                return self._press(asked, wish, title=titled(quiz.title, t), over=pick.menu == "over")
            case "mistakes", ():
                return self._practise(asked, retire=(message,))
            case "mistakes", ("over",):
                return self._practise(asked, title=practising(t), over=True)
            case "missed", (name,) if session := self._own(asked, name):
                return self._press(asked, self._missed(asked, session), title=practising(t), over=True)
            case "go", ():
                resumed = self.resume(asked)
                return replace(resumed, retire=(*resumed.retire, message))
            case "lang", (tag,) if tag in self._context.languages.tags:
                return self.speak(asked, tag)
            case "forget", ("ask",):
                return Done(asked.to, menu=menus.forgetting(t))
            case "forget", ("no",):
                return Done(asked.to, menu=said(t.gettext("Nothing was deleted.")))
            case "forget", ("yes",):
                return Done(asked.to, forget=True)
            case "again", (number,) if number.isdecimal():
                return self._again(asked, int(number), message)
            case _:
                return Done(asked.to, menu=menus.quizzes(bank, t), toast=t.gettext("This button is out of date."))

    def _missed(self, asked: Asked, session: Session) -> Wish:
        """Practise what was missed in one session."""
        wrong = mistakes(results(asked.tx, session, session.host))
        return Wish(wrong, LEARN, Pick("missed", (session.id,)))

    def _practise(self, asked: Asked, *, title: str = "", over: bool = False, retire: tuple[int, ...] = ()) -> Done:
        """Ask again what was answered wrong, in whatever quiz."""
        t, known = asked.to.t, asked.tx.progress_of(asked.to.learner)
        wrong = to_practise(known, self._bank, t.tag)
        if not wrong:
            return Done(asked.to, menu=said(nothing_to_practise(t, self._elsewhere(known))), beside=not over)
        wish = Wish(wrong, LEARN, Pick("mistakes", ("over",)), SITTING)
        return self._press(asked, wish, title=title, over=over, retire=retire)

    def _elsewhere(self, known: Progress) -> list[str]:
        """The languages in which there is something to practise, by their own names."""
        languages = self._context.languages
        return [languages[tag].name for tag in languages.tags if to_practise(known, self._bank, tag)]

    def _again(self, asked: Asked, number: int, message: int) -> Done:
        post = asked.tx.posts.post(number)
        if post is None or post.place != asked.to.place or not asked.tx.posts.again(number):
            return Done(
                asked.to, retire=(message,), toast=asked.to.t.gettext("The message has arrived in the meantime.")
            )
        return Done(asked.to, posts=(post,), retire=(message,))

    def speak(self, asked: Asked, tag: str) -> Done:
        """Speak another language from now on, the open question included."""
        asked.tx.set_learner_locale(asked.to.learner, tag)
        to = replace(asked.to, t=self._context.languages[tag])
        words = to.t.gettext("I speak English now.")
        edits: tuple[tuple[int, Message], ...] = ()
        if session := self._open(asked):
            step = show(asked.tx, self._bank, session, at=asked.at)
            shown = [m for m in render(step, self._bank, (to.t,), to.t) if m.head]
            edits = tuple((id_, m) for m in shown for id_ in messages_of(asked.tx, session, session.position)[-1:])
        return Done(to, menu=said(words), edits=edits)

    # --- commands

    def quiz(self, asked: Asked) -> Done:
        """Choose a quiz, or go on with the open one."""
        if (session := self._open(asked)) is not None:
            return Done(asked.to, menu=menus.busy(session, self._bank, asked.to.t, None))
        return Done(asked.to, menu=menus.quizzes(self._bank, asked.to.t))

    def stop(self, asked: Asked) -> Done:
        """End the open quiz and see the result."""
        session = self._open(asked)
        if session is None:
            return Done(asked.to, menu=nothing_open(asked.to))
        step = act(asked.tx, self._bank, session.id, Stop(by=asked.to.learner, at=asked.at))
        assert step is not None  # it was read in this transaction
        return self._done(asked, step)

    def language(self, asked: Asked) -> Done:
        """Choose a language."""
        return Done(asked.to, menu=menus.language(self._context.languages, asked.to.t))

    def progress(self, asked: Asked) -> Done:
        """Plain figures, and the offer to practise what was wrong."""
        t, learner = asked.to.t, asked.to.learner
        known = asked.tx.progress_of(learner)
        grades = {item: found.grade for item, found in known.items.items()}
        words = progress(t, self._bank, grades, len(known.days))
        return Done(asked.to, menu=menus.figures(words, t, len(to_practise(known, self._bank, t.tag))))

    def privacy(self, asked: Asked) -> Done:
        """What is stored, and the offer to delete it."""
        return Done(asked.to, menu=menus.privacy(asked.to.t))

    def told(self, asked: Asked, step: Step) -> Done:
        """A step that the clock has carried out already."""
        return self._done(asked, step)


def _explained(session: Session, position: int) -> bool:
    """Whether the item of a position was answered and explained."""
    if session.closed:
        return position < len(session.plan)
    return position < session.position or (position == session.position and session.phase is Phase.REVEALED)
