"""The private chat: what only Telegram has besides the use cases of `solo`: typed words, deep links, replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.bank import clean
from bot.chats import menus
from bot.chats.context import Context
from bot.chats.letters import options_meant
from bot.chats.menus import said
from bot.chats.payload import Pick
from bot.chats.posts import REPORT
from bot.chats.solo import Solo
from bot.chats.starting import Asked, Done, Wish
from bot.chats.telegram.boards import HOME, OwnBoards
from bot.present import Message, Verb, feedback, help_words, line, refusal
from bot.quiz import LEARN, Answer, Command, Feedback, Hint, Phase, Refuse, Response, Session, Step, Tell
from bot.tutor import act, show

WHY_LINK = "why"
"""The deep link `why_<session>_<position>`: the explanation of an answered item in the private chat."""


class Private(Solo):
    """The use cases of a private chat."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._boards = OwnBoards(context)

    def pick(self, asked: Asked, pick: Pick, message: int) -> Done:
        """A button of a menu was pressed on a message."""
        return self._boards.pick(asked, pick) or super().pick(asked, pick, message)

    def report(self, asked: Asked, session: Session, position: int, words: str = "") -> Done:
        """Keep the report, and ask for words in a message that can be replied to."""
        done = super().report(asked, session, position, words)
        if position >= len(session.plan):
            return done
        item = session.plan[position].item
        post = asked.tx.posts.demand(asked.to.place, REPORT, asked.at, payload={"item": item})
        return Done(asked.to, posts=(post,))

    # --- typed words

    def typed(self, asked: Asked, text: str, reply_to: int | None) -> Done:
        """Somebody typed something that is no command."""
        t, text = asked.to.t, clean(text)
        prompt = asked.tx.posts.by_message(asked.to.place, str(reply_to)) if reply_to is not None else None
        if prompt is not None and prompt.kind == REPORT:
            asked.tx.add_report(prompt.payload["item"], t.tag, asked.to.learner, text[:2000], asked.at)
            return Done(asked.to, menu=said(t.gettext("Thank you, I have added that to your report.")))
        if prompt is not None and prompt.kind == HOME:
            return self._boards.streak(asked, text)
        session = self._open(asked)
        if session is None:
            return self.resume(asked)
        command = _typed_command(session, text, asked)
        if command is None:
            words = t.gettext("Press a button or type the letter of an option. To see what else you can do: /help")
            return Done(asked.to, menu=said(words))
        step = act(asked.tx, self._bank, session.id, command)
        assert step is not None  # it was read in this transaction
        if step.refused is None:
            return self._done(asked, step) if step.attempt is None else self._answered(asked, step)
        return Done(asked.to, step, message=self._refused_typed(asked, step, step.refused))

    def _answered(self, asked: Asked, step: Step) -> Done:
        """A typed answer: feedback comes below it; one that may still change is shown in the question as well."""
        done = self._done(asked, step, anew=True)
        if done.message is None or any(isinstance(e, Tell) and e.feedback for e in step.effects):
            return done
        edits = tuple((message, done.message) for message in done.retire[-1:])
        return replace(done, retire=(), edits=edits, message=Message(body=done.message.body))

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

    def command(self, name: str, rest: str) -> Callable[[Asked], Done] | None:
        """The use case of a command behind which something may be typed; None if it is none of these."""
        if name == "start":
            return lambda asked: self.start(asked, rest)
        return self._boards.command(name, rest)

    def start(self, asked: Asked, payload: str) -> Done:
        """First contact, or a deep link `quiz_<id>` or `item_<id>`."""
        kind, _, name = payload.partition("_")
        if kind == "quiz" and name in self._bank.quizzes:
            return self.begin(asked, self._bank.quizzes[name], "")
        if kind == WHY_LINK:
            return self._why(asked, name)
        if kind == "item" and name in self._bank.entries and not self._bank.entries[name].retired:
            return self._begin(asked, Wish((name,), LEARN))
        if (session := self._open(asked)) is not None:
            return Done(asked.to, menu=menus.busy(session, self._bank, asked.to.t, None))
        return Done(asked.to, menu=menus.greeting(self._bank, asked.to.t))

    def _why(self, asked: Asked, name: str) -> Done:
        """The explanation of an item that this person has answered in a group: `<session>_<position>`."""
        t = asked.to.t
        found, _, number = name.partition("_")
        session = asked.tx.session(found)
        position = int(number) if number.isdecimal() and len(number) <= 3 else -1
        if session is None or session.policy.solo or not 0 <= position < len(session.plan):
            return Done(asked.to, menu=said(t.gettext("This quiz is over.")))
        attempt = asked.tx.last_attempt(session.id, position, asked.to.learner)
        shown = session.closed or position < session.position or session.phase is Phase.REVEALED
        if attempt is None:
            return Done(asked.to, menu=said(t.gettext("You have not answered this question there yet.")))
        if session.policy.feedback is not Feedback.AT_ONCE and not shown:
            return Done(asked.to, menu=said(t.gettext("The answer has not been revealed yet.")))
        if attempt.item not in self._bank.entries:
            return Done(asked.to, menu=said(t.gettext("This question was withdrawn and does not count.")))
        full = feedback(session, attempt, self._bank, t, last=True, replaces=False)
        return Done(asked.to, message=replace(full, actions=()))

    def help(self, asked: Asked) -> Done:
        """What can be done."""
        return Done(asked.to, menu=said(help_words(asked.to.t)))

    def unknown(self, asked: Asked) -> Done:
        """A command we do not have."""
        return Done(asked.to, menu=said(asked.to.t.gettext("I do not know that command. To see those I know: /help")))

    def foreign(self, asked: Asked) -> Done:
        """A button that is not ours, or of a version we do not know."""
        return Done(
            asked.to, toast=asked.to.t.gettext("This button is out of date. To see the current question: /resume")
        )

    def wordless(self, asked: Asked) -> Done:
        """Something without words: a sticker, a photo, a voice message."""
        words = asked.to.t.gettext("I understand only buttons and text. To see what you can do: /help")
        return Done(asked.to, menu=said(words))


def _typed_command(session: Session, text: str, asked: Asked) -> Command | None:
    """What typed words mean at the present position; None if they mean nothing."""
    by, at, position = asked.to.learner, asked.at, session.position
    if text == "?":
        return Hint(by=by, at=at, position=position)
    shown = session.plan[position].options
    if not shown:
        return Answer(by=by, at=at, position=position, response=Response(text=text))
    chosen = options_meant(text, shown)
    return None if chosen is None else Answer(by=by, at=at, position=position, response=Response(chosen=chosen))
