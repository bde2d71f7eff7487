"""Sessions for many: what presses and commands in a group, channel or thread do, each in one transaction.

Group quizzes and daily questions alike. Nothing is said here: a transaction leaves a `Told`, and the platform says it
after the commit. Public text follows the session, private text the person. No platform is known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.bank import Bank, Quiz, plain
from bot.chats.context import Context
from bot.chats.payload import Tap
from bot.chats.posts import prove
from bot.chats.taps import command as command_of
from bot.i18n import Language
from bot.present import (
    Message,
    board,
    feedback,
    hint,
    nothing_to_ask,
    notice,
    question,
    refusal,
    render,
    reveal,
    running,
    whisper,
)
from bot.quiz import (
    Answer,
    Ask,
    Attempt,
    Change,
    Command,
    Feedback,
    GiveHint,
    Join,
    Leave,
    Mark,
    News,
    Next,
    Notice,
    Pace,
    Pause,
    Phase,
    Policy,
    Refuse,
    Response,
    Resume,
    Retire,
    Reveal,
    Session,
    Show,
    Skip,
    Step,
    Stop,
    Summarise,
    Tally,
    Tell,
    group,
)
from bot.store import Place, Post, PostState, Tx
from bot.tutor import QUESTION, REVEAL, SUMMARY, Busy, Empty, act, begin, names_shown, show

GROUP = "group"
"""The slot of a group quiz: at most one is open in a place."""


def group_policy(pace: str, *, joined: bool, final: bool) -> Policy:
    """The rules of a group quiz as somebody chose them.

    Args:
        pace: `h`, the host reveals; `a`, when all have answered; else seconds per question.
        joined: Whether only those who joined first may answer.
        final: Whether an answer is final; then each is told privately at once whether it was right.
    """
    return group(
        pace={"h": Pace.HOST, "a": Pace.ALL_ANSWERED}.get(pace, Pace.CLOCK),
        change=Change.NEVER if final else Change.UNTIL_REVEAL,
        feedback=Feedback.AT_ONCE if final else Feedback.ON_REVEAL,
        item_limit_s=int(pace) if pace.isdecimal() else None,
        open_to_all=not joined,
    )


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody in a shared place."""

    learner: int
    name: str
    """As the place knows them now."""
    moderator: bool
    t: Language
    """For private text."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What all transactions of one update in a shared place share."""

    tx: Tx
    place: Place
    by: Member
    at: datetime
    """When the update was received, UTC."""
    new_id: str
    """For a session, if one is begun."""
    origin: str
    """The update; a session is begun only once by it."""
    sent_at: datetime | None = None
    """The platform's own time of the update, where it has one, UTC."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a transaction left to be said in a shared place."""

    place: Place
    posts: tuple[Post, ...] = ()
    """To be sent, in order: questions, revealed answers, boards."""
    edits: tuple[tuple[str, Message], ...] = ()
    """The platform's ids of messages that are to show something else; without actions they lose their buttons."""
    retired: tuple[tuple[str, int], ...] = ()
    """The platform's ids of messages that lose their buttons and keep their words, with the position each is about."""
    polls: frozenset[str] = frozenset()
    """Which of the retired are native polls, to be closed."""
    notices: tuple[str, ...] = ()
    """Said in passing to everybody, in the place's language."""
    whisper: str = ""
    """For the person alone, at most 200 characters."""
    private: Message | None = None
    """For the person alone, in full, where the platform can show it; it says what `whisper` says and more."""
    session: Session | None = None


WHISPER = 200
"""Characters. Source: Telegram Bot API 10.0, answerCallbackQuery.text."""


class Many:
    """The use cases of a shared place, over one transaction each."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def _bank(self) -> Bank:
        return self._context.bank

    def languages(self, session: Session) -> tuple[Language, ...]:
        """The languages of a session's public text."""
        return tuple(self._context.languages[tag] for tag in session.locales)

    # --- what people do

    def tap(self, heard: Heard, tap: Tap, message: str) -> Told:
        """A button of a session was pressed on a message."""
        prove(heard.tx, heard.place.id, tap.session, tap.position, int(message), heard.at)
        session = heard.tx.session(tap.session)
        if session is None or session.place != heard.place.id:  # a forwarded copy, or forgotten
            return Told(heard.place, whisper=heard.by.t.gettext("This quiz is over."))
        by = heard.by
        command = command_of(heard.tx, tap, by=by.learner, at=heard.at, moderator=by.moderator, sent_at=heard.sent_at)
        if command is None:
            return Told(heard.place, whisper=by.t.gettext("That is not possible right now."))
        return self.carry_out(heard, session, command)

    def answer(self, heard: Heard, session: Session, response: Response) -> Told:
        """A typed answer to the present question, or the one a poll gave."""
        command = Answer(
            by=heard.by.learner,
            moderator=heard.by.moderator,
            at=heard.at,
            position=session.position,
            response=response,
            sent_at=heard.sent_at,
        )
        return self.carry_out(heard, session, command)

    def carry_out(self, heard: Heard, session: Session, command: Command) -> Told:
        """Carry out a command of a person and say what it did, publicly and privately."""
        if isinstance(command, Answer | Join):
            heard.tx.set_name(heard.place.id, heard.by.learner, heard.by.name)
        step = act(heard.tx, self._bank, session.id, command)
        if step is None:
            return Told(heard.place, whisper=heard.by.t.gettext("This quiz is over."))
        told = self.told(heard.tx, heard.place, step)
        private = self._private(step, heard.by)
        return replace(told, whisper=private[0], private=private[1])

    def _private(self, step: Step, by: Member) -> tuple[str, Message | None]:
        """What one person is told: in a few words, and in full."""
        session, t = step.session, by.t
        for effect in step.effects:
            match effect:
                case Refuse():
                    return refusal(session, effect, t), None
                case Tell(_, position, attempt, True) if session.plan[position].item in self._bank.entries:
                    full = replace(feedback(session, attempt, self._bank, t, last=False, replaces=False), actions=())
                    return whisper(session, attempt, self._bank, t, WHISPER), full
                case Notice(News.JOINED):
                    return t.gettext("You have joined the quiz."), None
                case Notice(News.LEFT):
                    return t.gettext("You have left the quiz. Your answers are kept."), None
                case Tell() | Mark():
                    (said,) = render(Step(session, (effect,)), self._bank, (t,), t)
                    return plain(said.body), None
                case GiveHint(_, position) if session.plan[position].item in self._bank.entries:
                    said = hint(session, position, self._bank, t, learner=by.learner)
                    return plain(said.body), said
        return "", None

    def start(
        self, heard: Heard, wanted: Quiz | Sequence[str], policy: Policy, locales: tuple[str, ...], length: int = 0
    ) -> Told:
        """Begin a group quiz; a second one is told which is running."""
        begun = begin(
            heard.tx,
            self._bank,
            session=heard.new_id,
            place=heard.place.id,
            slot=GROUP,
            host=heard.by.learner,
            quiz=wanted,
            policy=policy,
            locales=locales,
            at=heard.at,
            length=length or None,
            origin=heard.origin,
        )
        t = heard.by.t
        match begun:
            case Busy(session):
                return self.busy(heard, session)
            case Empty(found):
                names = [self._context.languages[tag].name for tag in found]
                return Told(heard.place, whisper=nothing_to_ask(t, names))
            case Step():
                heard.tx.set_name(heard.place.id, heard.by.learner, heard.by.name)
                return self.told(heard.tx, heard.place, begun)

    def busy(self, heard: Heard, session: Session) -> Told:
        """That a quiz is running, where it stands and who has begun it."""
        name = heard.tx.names_of(heard.place.id, (session.host,)).get(session.host, "")
        return Told(heard.place, whisper=running(heard.by.t, session, self._bank, name), session=session)

    def running(self, heard: Heard) -> Session | None:
        """The open group quiz of the place."""
        return heard.tx.open_session(heard.place.id, GROUP)

    def steer(self, heard: Heard, verb: str) -> Told:
        """A command in words: `next`, `reveal`, `skip`, `pause`, `resume`, `stop`, `join` or `leave`."""
        session = self.running(heard)
        if session is None:
            return Told(heard.place, whisper=heard.by.t.gettext("No quiz is running here."))
        by, at, position = heard.by.learner, heard.at, session.position
        moderator = heard.by.moderator
        commands: Mapping[str, Command] = {
            "next": Next(by=by, moderator=moderator, at=at, position=position),
            "reveal": Reveal(by=by, moderator=moderator, at=at, position=position),
            "skip": Skip(by=by, moderator=moderator, at=at, position=position),
            "pause": Pause(by=by, moderator=moderator, at=at),
            "resume": Resume(by=by, moderator=moderator, at=at),
            "stop": Stop(by=by, moderator=moderator, at=at),
            "join": Join(by=by, moderator=moderator, at=at),
            "leave": Leave(by=by, moderator=moderator, at=at),
        }
        return self.carry_out(heard, session, commands[verb])

    def show_again(self, heard: Heard) -> Told:
        """The present question in a new message, with what is due first."""
        session = self.running(heard)
        if session is None:
            return Told(heard.place, whisper=heard.by.t.gettext("No quiz is running here."))
        step = show(heard.tx, self._bank, session, at=heard.at)
        if step.session.phase in (Phase.ASKED, Phase.OPEN):
            post = heard.tx.posts.demand(
                heard.place.id, QUESTION, heard.at, session=session.id, position=step.session.position
            )
            return Told(heard.place, posts=(post,), session=step.session)
        return self.told(heard.tx, heard.place, step)

    # --- what is said publicly

    def told(self, tx: Tx, place: Place, step: Step) -> Told:
        """What a step says to everybody; of the clock's steps there is nothing else."""
        session, languages = step.session, self.languages(step.session)
        edits: list[tuple[str, Message]] = []
        left: list[tuple[Post, int]] = []
        notices: list[str] = []
        shown = {effect.position for effect in step.effects if isinstance(effect, Show)}
        for effect in step.effects:
            match effect:
                case Retire(position) if position not in shown:
                    left += [(post, position) for post in _left(tx, session, position)]
                case Ask(position, again=True) if self._known(session, position):
                    answered = tx.answered_count(session.id, position)
                    message = question(session, position, self._bank, languages, answered=answered, replaces=True)
                    edits += [(number, message) for number in self._messages(tx, session, position)]
                case Tally(position, answered) if self._known(session, position):
                    if numbers := self._messages(tx, session, position):
                        message = question(session, position, self._bank, languages, answered=answered, replaces=True)
                        edits += [(number, message) for number in numbers]
                case Show(position, attempts, last) if self._known(session, position):
                    left += [(p, position) for p in tx.posts.of_session(session.id, position) if p.poll is not None]
                    message = self._reveal(tx, session, position, attempts, languages, last=last)
                    if any(post.kind == REVEAL for post in tx.posts.of_session(session.id, position)):
                        message = question(
                            session, position, self._bank, languages, answered=len(attempts), replaces=True
                        )
                        message = replace(
                            message, actions=(), choices=tuple(replace(c, right=False) for c in message.choices)
                        )
                    edits += [(number, message) for number in self._messages(tx, session, position)]
                case Notice(News.JOINED | News.LEFT):
                    pass  # joining and leaving is quiet
                case Notice(news, _, count):
                    notices.append(" / ".join(dict.fromkeys(notice(news, t, count=count) for t in languages)))
        posts = tuple(p for p in tx.posts.of_session(session.id) if p.state is PostState.PENDING)
        retired = tuple((post.message, position) for post, position in left if post.message is not None)
        polls = frozenset(post.message for post, _ in left if post.message is not None and post.poll is not None)
        return Told(place, posts, tuple(edits), retired, polls, tuple(notices), session=session)

    def _known(self, session: Session, position: int) -> bool:
        return session.plan[position].item in self._bank.entries

    def _messages(self, tx: Tx, session: Session, position: int) -> list[str]:
        """The messages of a question that can show something else: a poll cannot."""
        posts = tx.posts.of_session(session.id, position)
        return [post.message for post in posts if post.message and post.kind == QUESTION and post.poll is None]

    def _reveal(
        self,
        tx: Tx,
        session: Session,
        position: int,
        attempts: Sequence[Attempt],
        languages: Sequence[Language],
        *,
        last: bool,
    ) -> Message:
        names = None
        if _names_wanted(tx, session):
            names = tx.names_of(session.place, (attempt.learner for attempt in attempts))
        return reveal(session, position, attempts, self._bank, languages, names, last=last)

    def says(self, tx: Tx, post: Post, at: datetime) -> Message | None:
        """What a post of a session for many says now.

        Returns:
            The message; None if its moment has passed.
        """
        session = tx.session(post.session) if post.session is not None else None
        if session is None or session.policy.solo:
            return None
        languages = self.languages(session)
        if post.kind == SUMMARY:
            step = show(tx, self._bank, session, at=at)
            scores = next((e.scores for e in step.effects if isinstance(e, Summarise)), ())
            return board(session, scores, languages, tx.names_of(session.place, (learner for learner, _ in scores)))
        if post.position is None or not self._known(session, post.position):
            return None
        if post.kind == REVEAL:
            attempts = tuple(a for a in tx.counting_attempts(session.id) if a.position == post.position)
            return replace(self._reveal(tx, session, post.position, attempts, languages, last=True), replaces=False)
        if session.closed or session.position != post.position or session.phase is Phase.REVEALED:
            return None
        answered = tx.answered_count(session.id, post.position)
        return question(session, post.position, self._bank, languages, answered=answered)


def _left(tx: Tx, session: Session, position: int) -> list[Post]:
    """The posts about a question that is over; without its polls where it was revealed, for that has closed them."""
    posts = [post for post in tx.posts.of_session(session.id, position) if post.kind in (QUESTION, REVEAL)]
    revealed = any(post.kind == REVEAL for post in posts)
    return [post for post in posts if not (revealed and post.poll is not None)]


def _names_wanted(tx: Tx, session: Session) -> bool:
    """Whether the reveal names who was right: as the daily question says, else as the chat prefers."""
    daily = tx.dailies.of_session(session.id)
    if daily is not None:
        return daily.names
    place = tx.place(session.place)
    return place is None or names_shown(tx, place)
