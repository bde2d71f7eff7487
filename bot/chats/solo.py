"""Alone with the tutor: what one person's commands and presses do, each in one transaction. No platform is known here.

Nothing is said here: a transaction leaves a `Done`, and the platform says it after the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from bot.bank import Bank, Quiz
from bot.chats import menus
from bot.chats.context import Context
from bot.chats.menus import Menu, said
from bot.chats.payload import Pick, Tap
from bot.chats.posts import messages_of, prove
from bot.chats.taps import command as command_of
from bot.chats.who import Who
from bot.present import (
    Message,
    Verb,
    feedback,
    line,
    mistakes,
    nothing_to_ask,
    nothing_to_practise,
    practising,
    progress,
    render,
    review,
    reviewable,
    show_me,
    summary,
    titled,
)
from bot.quiz import (
    LEARN,
    Ask,
    Effect,
    Feedback,
    Phase,
    Policy,
    Refuse,
    Resume,
    Retire,
    Session,
    Step,
    Stop,
    Summarise,
    Tell,
    exam,
)
from bot.store import Post, Progress, Tx
from bot.tutor import QUESTION, SUMMARY, Busy, Empty, act, begin, results, show, solo_slot
from bot.tutor.practice import SITTING, to_practise


@dataclass(frozen=True, slots=True)
class Done:
    """What a transaction left to be said, to one person."""

    to: Who
    step: Step | None = None
    posts: tuple[Post, ...] = ()
    """Demanded by the step: a question or a summary, in its order."""
    retire: tuple[int, ...] = ()
    """Messages that lose their buttons."""
    edits: tuple[tuple[int, Message], ...] = ()
    """Messages that are to show something else."""
    menu: Menu | None = None
    """Takes the place of the menu whose button was pressed; otherwise a new message."""
    beside: bool = False
    """Whether the menu is a message of its own all the same, because what was pressed is to be kept."""
    message: Message | None = None
    """Said in a new message."""
    toast: str = ""
    """Answers the pressed button."""
    forget: bool = False
    """Whether everything about the person is to be deleted now."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What all transactions of one update share."""

    tx: Tx
    to: Who
    at: datetime
    """When the update was received, UTC."""
    new_id: str
    """For a session, if one is begun."""
    origin: str
    """The update; a session is begun only once by it."""
    sent_at: datetime | None = None
    """The platform's own time of the update, where it has one, UTC."""
    posted: bool = True
    """Whether questions are messages of their own that can be found again; if not, one message shows it all in turn."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to begin."""

    items: Quiz | Sequence[str]
    policy: Policy
    over: Pick | None = None
    """Begins it in the place of what is open; None offers the list of quizzes instead."""
    length: int = 0
    """At most so many questions; 0 asks them all."""


class Solo:
    """The use cases of a person alone with the tutor, over one transaction each."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def _bank(self) -> Bank:
        return self._context.bank

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

    # --- beginning and going on

    def begin(self, asked: Asked, quiz: Quiz, mode: str, length: int = 0) -> Done:
        """Begin a quiz of the bank; an open one is not touched.

        Args:
            asked: The transaction.
            quiz: The quiz.
            mode: `exam` or `learn`; empty is what the quiz offers first.
            length: At most so many questions; 0 asks them all.
        """
        mode = mode or ("exam" if quiz.exam else "learn")
        over = Pick("over", (quiz.blueprint.id, mode, str(length)))
        wish = Wish(quiz, policy_of(quiz, mode), over, length)
        return self._begin(asked, wish, title=titled(quiz.title, asked.to.t))

    def _press(
        self, asked: Asked, wish: Wish, *, title: str = "", over: bool = False, retire: tuple[int, ...] = ()
    ) -> Done:
        """A button that begins something was pressed, perhaps twice.

        Args:
            asked: The transaction.
            wish: What is to begin.
            title: Takes the place of the menu that was pressed; empty keeps what was pressed.
            over: Whether it begins in the place of what is open.
            retire: Messages that lose their buttons if it begins.
        """
        open_one = self._open(asked)
        if open_one is not None and self._just_begun(asked, open_one, wish):
            if not asked.posted:
                return self.resume(asked)
            return Done(asked.to, toast=asked.to.t.gettext("It has begun already: the question is below."))
        if open_one is None or not over or asked.tx.session_by_origin(asked.origin) is not None:
            return self._begin(asked, wish, title=title, retire=retire)
        stopped = act(asked.tx, self._bank, open_one.id, Stop(by=asked.to.learner, at=asked.at))
        assert stopped is not None  # it was read in this transaction
        ended = messages_of(asked.tx, open_one, open_one.position)
        return self._behind(asked, stopped.session, self._begin(asked, wish, title=title, retire=(*retire, *ended)))

    def _just_begun(self, asked: Asked, session: Session, wish: Wish) -> bool:
        """Whether an open session is what is wished, and nothing was done in it yet."""
        if session.position or session.phase not in (Phase.ASKED, Phase.OPEN) or session.policy != wish.policy:
            return False
        if isinstance(wish.items, Quiz):
            total = menus.count(self._bank, wish.items, asked.to.t)
            same = session.quiz == wish.items.blueprint.id and len(session.plan) == min(wish.length or total, total)
        else:
            same = not session.quiz and set(session.plan.items) <= set(wish.items)
        return same and not asked.tx.attempts_of(session.id)

    def _behind(self, asked: Asked, ended: Session, begun: Done) -> Done:
        """What was begun, behind the result of an exam that was ended for it: it is told nowhere else."""
        if ended.policy.feedback is not Feedback.AT_END or not asked.tx.attempts_of(ended.id):
            return begun
        if asked.posted:
            result = self._demanding(asked, ended)(SUMMARY, ended.position)
            return replace(begun, step=None, posts=(result, *begun.posts))
        told = summary(ended, results(asked.tx, ended, ended.host), self._bank, asked.to.t, stopped=True)
        return replace(begun, menu=said((line(told.verdict), *told.body[:1])))

    def _begin(self, asked: Asked, wish: Wish, *, title: str = "", retire: tuple[int, ...] = ()) -> Done:
        to = asked.to
        begun = begin(
            asked.tx,
            self._bank,
            session=asked.new_id,
            place=to.place,
            slot=solo_slot(to.learner),
            host=to.learner,
            quiz=wish.items,
            policy=wish.policy,
            locales=(to.t.tag,),
            at=asked.at,
            length=wish.length or None,
            origin=asked.origin,
        )
        match begun:
            case Busy(session):
                return Done(to, menu=menus.busy(session, self._bank, to.t, wish.over), beside=not title)
            case Empty(locales):
                names = [self._context.languages[tag].name for tag in locales]
                return Done(to, menu=said(nothing_to_ask(to.t, names)), beside=not title)
            case Step():
                done = self._done(asked, begun)
                return replace(done, retire=(*done.retire, *retire), menu=said(title) if title else None)
            case _:
                assert_never(begun)

    def resume(self, asked: Asked) -> Done:
        """Show the present state again, in a new message; what stood still goes on."""
        session = self._open(asked)
        if session is None:
            return Done(asked.to, menu=_nothing_open(asked.to))
        if session.paused_at is not None:
            step = act(asked.tx, self._bank, session.id, Resume(by=asked.to.learner, at=asked.at))
            assert step is not None  # it was read in this transaction
        else:
            step = show(asked.tx, self._bank, session, at=asked.at)
        return self._done(asked, step, anew=True)

    def _open(self, asked: Asked) -> Session | None:
        return asked.tx.open_session(asked.to.place, solo_slot(asked.to.learner))

    def _done(self, asked: Asked, step: Step, *, anew: bool = False) -> Done:
        """Demand what a step has sent, and find the messages that lose their buttons.

        Args:
            asked: The transaction.
            step: Not refused.
            anew: Whether feedback comes in a message of its own instead of the question's.
        """
        message = self._told_anew(step, asked.to) if anew else None
        if not asked.posted:
            return Done(asked.to, step, message=message)
        retire: list[int] = []
        posts: list[Post] = []
        session, demand = step.session, self._demanding(asked, step.session)
        for effect in step.effects:
            match effect:
                case Retire(position):
                    retire += messages_of(asked.tx, session, position)
                case Tell(_, position) | Ask(position, again=True) if anew or isinstance(effect, Ask):
                    retire += messages_of(asked.tx, session, position)
            if isinstance(effect, Ask) and session.item in self._bank.entries:
                posts.append(demand(QUESTION, effect.position))
            if isinstance(effect, Summarise):
                posts.append(demand(SUMMARY, session.position))
        return Done(asked.to, step, tuple(posts), tuple(dict.fromkeys(retire)), message=message)

    def _demanding(self, asked: Asked, session: Session) -> Callable[[str, int], Post]:
        return lambda kind, position: asked.tx.posts.demand(
            asked.to.place, kind, asked.at, session=session.id, position=position
        )

    def _told_anew(self, step: Step, to: Who) -> Message | None:
        tells: tuple[Effect, ...] = tuple(effect for effect in step.effects if isinstance(effect, Tell))
        shown = render(replace(step, effects=tells), self._bank, (to.t,), to.t)
        return replace(shown[-1], replaces=False) if shown else None

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
            return Done(asked.to, menu=_nothing_open(asked.to))
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


def policy_of(quiz: Quiz, mode: str) -> Policy:
    """The rules of a quiz in a mode, `exam` or `learn`."""
    if mode != "exam":
        return LEARN
    return exam(session_limit_s=quiz.minutes * 60 if quiz.minutes else None)


def _explained(session: Session, position: int) -> bool:
    """Whether the item of a position was answered and explained."""
    if session.closed:
        return position < len(session.plan)
    return position < session.position or (position == session.position and session.phase is Phase.REVEALED)


def _nothing_open(to: Who) -> Menu:
    return said(to.t.gettext("You have no quiz in progress."), (to.t.gettext("All quizzes"), Pick("list")), primary=0)
