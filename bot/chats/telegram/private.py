"""The private chat: what one person's updates do, each in one transaction together with its removal from the inbox.

Nothing is said here: a transaction leaves a `Done`, and `speaking` says it after the commit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from bot.bank import Bank, Quiz
from bot.chats.context import Context
from bot.chats.letters import options_meant
from bot.chats.payload import Pick, Tap
from bot.chats.taps import command as command_of
from bot.chats.telegram import menus
from bot.chats.telegram.delivery import QUESTION, REPORT, SUMMARY, demand
from bot.chats.telegram.menus import Menu, said
from bot.chats.telegram.who import Who
from bot.present import (
    Message,
    Verb,
    feedback,
    help_words,
    line,
    mistakes,
    nothing_to_ask,
    progress,
    refusal,
    render,
    review,
    titled,
)
from bot.quiz import (
    LEARN,
    Answer,
    Ask,
    Command,
    Effect,
    Feedback,
    Hint,
    Phase,
    Policy,
    Refuse,
    Response,
    Retire,
    Session,
    Step,
    Stop,
    Summarise,
    Tell,
    exam,
)
from bot.store import Post, PostState, Tx
from bot.tutor import Busy, Empty, act, begin, results, show, solo_slot


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


class Private:
    """The use cases of a private chat, over one transaction each."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def _bank(self) -> Bank:
        return self._context.bank

    # --- buttons of a session

    def tap(self, asked: Asked, tap: Tap, message: int) -> Done:
        """A button of a session was pressed on a message."""
        _prove(asked, tap, message)
        session = asked.tx.session(tap.session)
        if session is None or session.host != asked.to.learner:
            return Done(asked.to, retire=(message,), toast=asked.to.t.gettext("This quiz is over."))
        match tap.verb:
            case Verb.REPORT:
                return self._report(asked, session, tap)
            case Verb.REVIEW:
                return self._review(asked, session, tap, message)
            case Verb.PRACTISE:
                wrong = mistakes(results(asked.tx, session, session.host))
                return self._begin(asked, wrong, LEARN, retire=(message,))
            case Verb.AGAIN if quiz := self._bank.quizzes.get(session.quiz):
                return self._begin(asked, quiz, session.policy, retire=(message,))
            case _:
                return self._command(asked, session, tap, message)

    def _command(self, asked: Asked, session: Session, tap: Tap, message: int) -> Done:
        command = command_of(asked.tx, tap, by=asked.to.learner, at=asked.at)
        step = act(asked.tx, self._bank, session.id, command) if command is not None else None
        if step is None:
            return Done(asked.to, retire=(message,), toast=asked.to.t.gettext("This quiz is over."))
        if step.refused is not None:
            return self._refused(asked, step, step.refused, tap, message)
        done = self._done(asked, step)
        if any(isinstance(e, Retire) and e.position == tap.position for e in step.effects):
            done = replace(done, retire=tuple(dict.fromkeys((*done.retire, message))))
        return done

    def _refused(self, asked: Asked, step: Step, refuse: Refuse, tap: Tap, message: int) -> Done:
        """Nothing changed; the message may show less than it should, because the program ended before it could."""
        session, t = step.session, asked.to.t
        if tap.position == session.position and not session.closed:
            shown = show(asked.tx, self._bank, session, at=asked.at)
            said_now = [m for m in render(shown, self._bank, (t,), t) if m.head]
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

    def _report(self, asked: Asked, session: Session, tap: Tap) -> Done:
        if tap.position >= len(session.plan):
            return Done(asked.to, toast=asked.to.t.gettext("That is not possible now."))
        item = session.plan[tap.position].item
        asked.tx.add_report(item, asked.to.t.tag, asked.to.learner, "", asked.at)
        post = asked.tx.posts.demand(asked.to.place, REPORT, asked.at, payload={"item": item})
        return Done(asked.to, posts=(post,))

    def _review(self, asked: Asked, session: Session, tap: Tap, message: int) -> Done:
        index = tap.position
        found = results(asked.tx, session, session.host)
        shown = review(session, found, index, self._bank, asked.to.t) if session.closed else None
        if shown is None:
            return Done(asked.to, retire=(message,))
        return Done(asked.to, message=shown, retire=(message,) if index else ())

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
                retire = self._stopped(asked) if pick.menu == "over" else ()
                return self._begin(asked, quiz, _policy(quiz, mode), length=int(length), pick=pick, retire=retire)
            case "go", ():
                return replace(self.resume(asked), retire=(message,))
            case "lang", (tag,) if tag in self._context.languages.tags:
                return self._language(asked, tag)
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

    def _again(self, asked: Asked, number: int, message: int) -> Done:
        post = asked.tx.posts.post(number)
        if post is None or post.place != asked.to.place or not asked.tx.posts.again(number):
            return Done(asked.to, retire=(message,), toast=asked.to.t.gettext("It has arrived meanwhile."))
        return Done(asked.to, posts=(post,), retire=(message,))

    def _language(self, asked: Asked, tag: str) -> Done:
        asked.tx.set_learner_locale(asked.to.learner, tag)
        to = replace(asked.to, t=self._context.languages[tag])
        words = to.t.gettext("I speak English now.")
        edits: tuple[tuple[int, Message], ...] = ()
        if session := asked.tx.open_session(to.place, solo_slot(to.learner)):
            step = show(asked.tx, self._bank, session, at=asked.at)
            shown = [m for m in render(step, self._bank, (to.t,), to.t) if m.head]
            edits = tuple((id_, m) for m in shown for id_ in _messages(asked.tx, session, session.position)[-1:])
        return Done(to, menu=said(words), edits=edits)

    def _stopped(self, asked: Asked) -> tuple[int, ...]:
        """Stop the open session without a word; the messages that lose their buttons."""
        session = asked.tx.open_session(asked.to.place, solo_slot(asked.to.learner))
        if session is None:
            return ()
        act(asked.tx, self._bank, session.id, Stop(by=asked.to.learner, at=asked.at))
        return _messages(asked.tx, session, session.position)

    # --- beginning and going on

    def _begin(
        self,
        asked: Asked,
        wanted: Quiz | Sequence[str],
        policy: Policy,
        *,
        length: int = 0,
        pick: Pick | None = None,
        retire: tuple[int, ...] = (),
    ) -> Done:
        to = asked.to
        begun = begin(
            asked.tx,
            self._bank,
            session=asked.new_id,
            place=to.place,
            slot=solo_slot(to.learner),
            host=to.learner,
            quiz=wanted,
            policy=policy,
            locales=(to.t.tag,),
            at=asked.at,
            length=length or None,
            origin=asked.origin,
        )
        match begun:
            case Busy(session):
                return Done(to, menu=menus.busy(session, self._bank, to.t, pick))
            case Empty(locales):
                names = [self._context.languages[tag].name for tag in locales]
                return Done(to, menu=said(nothing_to_ask(to.t, names)))
            case Step():
                done = self._done(asked, begun)
                title = said((line(titled(wanted.title, to.t)),)) if isinstance(wanted, Quiz) and pick else None
                return replace(done, retire=(*done.retire, *retire), menu=title)
            case _:
                assert_never(begun)

    def resume(self, asked: Asked) -> Done:
        """Show the present state again, in a new message."""
        session = self._open(asked)
        if session is None:
            return Done(asked.to, menu=_nothing_open(asked.to))
        return self._done(asked, show(asked.tx, self._bank, session, at=asked.at), anew=True)

    def _open(self, asked: Asked) -> Session | None:
        return asked.tx.open_session(asked.to.place, solo_slot(asked.to.learner))

    def _done(self, asked: Asked, step: Step, *, anew: bool = False) -> Done:
        """Demand what a step has sent, and find the messages that lose their buttons.

        Args:
            asked: The transaction.
            step: Not refused.
            anew: Whether feedback comes in a message of its own instead of the question's.
        """
        retire: list[int] = []
        posts: list[Post] = []
        session = step.session
        for effect in step.effects:
            match effect:
                case Retire(position):
                    retire += _messages(asked.tx, session, position)
                case Tell(_, position) | Ask(position, again=True) if anew or isinstance(effect, Ask):
                    retire += _messages(asked.tx, session, position)
            if isinstance(effect, Ask) and session.item in self._bank.entries:
                posts.append(demand(asked.tx, asked.to, QUESTION, asked.at, session.id, effect.position))
            if isinstance(effect, Summarise):
                posts.append(demand(asked.tx, asked.to, SUMMARY, asked.at, session.id, session.position))
        message = self._told_anew(step, asked.to) if anew else None
        return Done(asked.to, step, tuple(posts), tuple(dict.fromkeys(retire)), message=message)

    def _told_anew(self, step: Step, to: Who) -> Message | None:
        tells: tuple[Effect, ...] = tuple(effect for effect in step.effects if isinstance(effect, Tell))
        shown = render(replace(step, effects=tells), self._bank, (to.t,), to.t)
        return replace(shown[-1], replaces=False) if shown else None

    # --- typed words

    def typed(self, asked: Asked, text: str, reply_to: int | None) -> Done:
        """Somebody typed something that is no command."""
        t = asked.to.t
        prompt = asked.tx.posts.by_message(asked.to.place, str(reply_to)) if reply_to is not None else None
        if prompt is not None and prompt.kind == REPORT:
            asked.tx.add_report(prompt.payload["item"], t.tag, asked.to.learner, text[:2000], asked.at)
            return Done(asked.to, menu=said(t.gettext("Thank you: your words are with the report.")))
        session = self._open(asked)
        if session is None:
            return Done(asked.to, menu=_nothing_open(asked.to))
        command = _typed_command(session, text, asked)
        if command is None:
            words = t.gettext("Press a button or type the letter of an option. /help says what else there is.")
            return Done(asked.to, menu=said(words))
        step = act(asked.tx, self._bank, session.id, command)
        assert step is not None  # it was read in this transaction
        if step.refused is None:
            return self._done(asked, step, anew=step.attempt is not None)
        return Done(asked.to, step, message=self._refused_typed(asked, step, step.refused))

    def _refused_typed(self, asked: Asked, step: Step, refuse: Refuse) -> Message:
        """Why nothing changed; behind an answered question with the button that leads on."""
        session, t = step.session, asked.to.t
        body = (line(refusal(session, refuse, t)),)
        if session.closed or session.phase is not Phase.REVEALED:
            return Message(body=body)
        standing = self._told_anew(show(asked.tx, self._bank, session, at=asked.at), asked.to)
        actions = () if standing is None else tuple(a for a in standing.actions if a.verb is Verb.NEXT)
        return Message(body=body, actions=actions, session=session.id, position=session.position)

    # --- commands

    def start(self, asked: Asked, payload: str) -> Done:
        """First contact, or a deep link `quiz_<id>` or `item_<id>`."""
        kind, _, name = payload.partition("_")
        if kind == "quiz" and name in self._bank.quizzes:
            quiz = self._bank.quizzes[name]
            mode = "exam" if quiz.exam else "learn"
            return self._begin(asked, quiz, _policy(quiz, mode), pick=Pick("begin", (name, mode, "0")))
        if kind == "item" and name in self._bank.entries and not self._bank.entries[name].retired:
            return self._begin(asked, (name,), LEARN)
        if (session := self._open(asked)) is not None:
            return Done(asked.to, menu=menus.busy(session, self._bank, asked.to.t, None))
        return Done(asked.to, menu=menus.greeting(self._bank, asked.to.t))

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
        """Plain figures."""
        known = asked.tx.progress_of(asked.to.learner)
        grades = {item: found.grade for item, found in known.items.items()}
        return Done(asked.to, menu=said(progress(asked.to.t, self._bank, grades, len(known.days))))

    def help(self, asked: Asked) -> Done:
        """What can be done."""
        return Done(asked.to, menu=said(help_words(asked.to.t)))

    def privacy(self, asked: Asked) -> Done:
        """What is stored, and the offer to delete it."""
        return Done(asked.to, menu=menus.privacy(asked.to.t))

    def unknown(self, asked: Asked) -> Done:
        """A command we do not have."""
        return Done(asked.to, menu=said(asked.to.t.gettext("I do not know that command. /help lists those I know.")))

    def foreign(self, asked: Asked) -> Done:
        """A button that is not ours, or of a version we do not know."""
        return Done(
            asked.to, toast=asked.to.t.gettext("This button is out of date. /resume shows the present question.")
        )

    def told(self, asked: Asked, step: Step) -> Done:
        """A step that the clock has carried out already."""
        return self._done(asked, step)

    def wordless(self, asked: Asked) -> Done:
        """Something without words: a sticker, a photo, a voice message."""
        words = asked.to.t.gettext("I understand only buttons and typed words. /help says what can be done.")
        return Done(asked.to, menu=said(words))


def _prove(asked: Asked, tap: Tap, message: int) -> None:
    """A tap on a message proves that it was sent, and when it was not known, which one it is."""
    tx, at = asked.tx, asked.at
    if tx.posts.by_message(asked.to.place, str(message)) is not None:
        return
    for post in reversed(tx.posts.of_session(tap.session, tap.position)):
        if post.message is None and post.state in (PostState.SENDING, PostState.UNCERTAIN):
            tx.posts.sent(post.id, str(message), at)
            return


def _messages(tx: Tx, session: Session, position: int) -> tuple[int, ...]:
    """The messages that carry the question of a position, oldest first."""
    posts = tx.posts.of_session(session.id, position)
    return tuple(int(post.message) for post in posts if post.message is not None and post.kind == QUESTION)


def _policy(quiz: Quiz, mode: str) -> Policy:
    if mode != "exam":
        return LEARN
    return exam(session_limit_s=quiz.minutes * 60 if quiz.minutes else None)


def _nothing_open(to: Who) -> Menu:
    return said(to.t.gettext("No quiz is open."), (to.t.gettext("All quizzes"), Pick("list")), primary=0)


def _typed_command(session: Session, text: str, asked: Asked) -> Command | None:
    """What typed words mean at the present position; None if they mean nothing."""
    by, at, position = asked.to.learner, asked.at, session.position
    if text.strip() == "?":
        return Hint(by=by, at=at, position=position)
    shown = session.plan[position].options
    if not shown:
        return Answer(by=by, at=at, position=position, response=Response(text=text.strip()))
    chosen = options_meant(text, shown)
    return None if chosen is None else Answer(by=by, at=at, position=position, response=Response(chosen=chosen))
