"""Alone with the tutor, beginning and going on: once, however often a button is pressed. No platform is known here.

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
from bot.chats.payload import Pick
from bot.chats.posts import messages_of
from bot.chats.who import Who
from bot.present import (
    Message,
    line,
    nothing_to_ask,
    render,
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
    Resume,
    Retire,
    Session,
    Step,
    Stop,
    Summarise,
    Tell,
    exam,
)
from bot.store import Post, Tx
from bot.tutor import QUESTION, SUMMARY, Busy, Empty, act, begin, results, show, solo_slot, timed


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


class Starting:
    """What every use case of one person stands on: the open session, and how one is begun, shown and ended."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def _bank(self) -> Bank:
        return self._context.bank

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
        told = summary(ended, results(asked.tx, ended, ended.host), self._bank, asked.to.t)
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
            return Done(asked.to, menu=nothing_open(asked.to))
        if session.paused_at is not None:
            step = act(asked.tx, self._bank, session.id, Resume(by=asked.to.learner, at=asked.at))
            assert step is not None  # it was read in this transaction
        else:
            step = show(asked.tx, self._bank, session, at=asked.at)
        return self._done(asked, timed(step, asked.at), anew=True)

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


def policy_of(quiz: Quiz, mode: str) -> Policy:
    """The rules of a quiz in a mode, `exam` or `learn`."""
    if mode != "exam":
        return LEARN
    return exam(session_limit_s=quiz.minutes * 60 if quiz.minutes else None)


def nothing_open(to: Who) -> Menu:
    """That there is nothing to go on with."""
    return said(to.t.gettext("You have no quiz in progress."), (to.t.gettext("All quizzes"), Pick("list")), primary=0)
