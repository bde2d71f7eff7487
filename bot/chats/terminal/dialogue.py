"""The dialogue: one person plays in a terminal. Nothing is printed before it is on disk."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from bot.chats.context import Context
from bot.chats.letters import options_meant
from bot.chats.terminal.farewell import farewell
from bot.chats.terminal.keyboard import Event, Line
from bot.chats.terminal.keys import Key, letter_may_answer
from bot.chats.terminal.page import page
from bot.chats.terminal.trouble import trouble
from bot.chats.terminal.wanted import Wanted, going_on
from bot.i18n import Language
from bot.present import LETTERS, Message, Verb, nothing_to_ask, render, review, show_me
from bot.present import mistakes as mistakes_of
from bot.quiz import (
    LEARN,
    Answer,
    Ask,
    Change,
    Command,
    Hint,
    Kind,
    Next,
    Opened,
    Phase,
    Policy,
    Response,
    Session,
    Skip,
    Step,
    Stop,
    Summarise,
)
from bot.store import Tx, Unavailable
from bot.tutor import Busy, Empty, act, begin, show, solo_slot, timed

PLATFORM = "terminal"


class _Nothing(Exception):  # noqa: N818 it reads as what is the case
    """There is nothing to ask; raised inside a transaction, so that an old session stopped for it stays open."""

    def __init__(self, empty: Empty) -> None:
        super().__init__()
        self.empty = empty


class Dialogue:
    """One run of the program: a person, a language, a console, and the events that move it on."""

    def __init__(
        self, context: Context, console: Console, language: Language, events: asyncio.Queue[Event], *, echo: bool
    ) -> None:
        self._context, self._console, self._t, self._events, self._echo = context, console, language, events, echo
        self._recorded = False
        """Whether an answer stands that may still change."""
        self._asked = False
        """Whether there was something to ask."""
        self._session: Session | None = None
        """What is played, as it was when it was last read."""

    async def play(self, wanted: Wanted, *, fresh: bool) -> bool:
        """Play until the person leaves or has finished.

        Args:
            wanted: What to begin; an open session is continued instead, unless `fresh`.
            fresh: Stop an open session and begin a new one.

        Returns:
            False if there was nothing to ask.
        """
        try:
            step = await self._enter(wanted, fresh=fresh)
            while step is not None:
                self._session = step.session
                if step.session.closed:
                    step = await self._afterwards(step)
                else:
                    step = await self._one_turn(step.session)
        except asyncio.CancelledError:  # Ctrl-C: what was answered is on disk
            self._console.print()
            self._farewell()
            return True
        return self._asked

    # --- entering

    async def _enter(self, wanted: Wanted, *, fresh: bool) -> Step | None:
        now, new_id = self._context.now(), self._context.new_id()
        bank, t = self._context.bank, self._t

        def enter(tx: Tx) -> tuple[Step, bool]:
            learner = tx.learner_of(PLATFORM, "", now)
            place = tx.place_of(PLATFORM, "", at=now, private_to=learner).id
            slot = solo_slot(learner)
            if fresh and (old := tx.open_session(place, slot)):
                act(tx, bank, old.id, Stop(by=learner, at=now))
            begun = begin(
                tx,
                bank,
                session=new_id,
                place=place,
                slot=slot,
                host=learner,
                quiz=wanted.items,
                policy=wanted.policy,
                locales=(t.tag,),
                at=now,
            )
            if isinstance(begun, Busy):
                return timed(show(tx, bank, begun.session, at=now), now), True
            if isinstance(begun, Empty):
                raise _Nothing(begun)
            return begun, False

        try:
            begun, continued = await self._context.store.run(enter)
        except _Nothing as nothing:
            self._nothing(nothing.empty)
            return None
        self._asked = True
        if not continued:
            self._say(self._opening(wanted.policy))
        elif not begun.session.closed:
            self._say(going_on(t, bank, begun.session, wanted))
        told = await self._told(begun, whole=continued)
        if continued and begun.session.closed and wanted.denied(begun.session):
            self._say(t.gettext("What you asked for has not begun yet: run the same command again."))
        return told

    def _opening(self, policy: Policy) -> str:
        if policy.limited:
            return self._t.gettext("Answer with letters; ? for a hint, s to skip, q to quit: the clock keeps running.")
        return self._t.gettext("Answer with letters; ? for a hint, s to skip, q to quit: your place is saved.")

    def _nothing(self, empty: Empty) -> None:
        self._say(nothing_to_ask(self._t, [self._context.languages[tag].name for tag in empty.locales]))

    # --- one turn

    async def _one_turn(self, session: Session) -> Step | None:
        """Wait for a line or the clock, and carry out what it says; None when the person leaves."""
        self._prompt(session)
        event = await self._events.get()
        if isinstance(event, Step):
            self._console.print()
            return await self._told(event) if event.session.id == session.id else Step(session, ())
        if self._echo:
            self._console.print(Text(event.text or ""))
        key = None if event.text is None else self._key(session, event.text)
        if event.text is None or key is Key.LEAVE:
            self._farewell()
            return None
        if key is Key.SHOW_ME and (proof := self._proof(session)) is not None:
            self._show(proof)
            return Step(session, ())
        command = self._command(session, key, event.text)
        if command is None:
            self._say(self._not_understood(session))
            return Step(session, ())
        return await self._carry_out(session, command)

    async def _carry_out(self, session: Session, command: Command) -> Step:
        bank = self._context.bank
        try:
            step = await self._context.store.run(lambda tx: act(tx, bank, session.id, command))
        except Unavailable as error:
            self._say(trouble(error, self._t))
            return Step(session, ())
        if step is None:  # the data was deleted under us
            self._say(self._t.gettext("This quiz has been deleted in the meantime."))
            return replace(Step(session, ()), session=replace(session, phase=Phase.CLOSED))
        return await self._told(step)

    async def _told(self, step: Step, *, whole: bool = False) -> Step:
        """Say what a step says, all of it if the question is not on the screen; a question shown has been opened."""
        for message in render(step, self._context.bank, (self._t,), self._t):
            self._show(replace(message, replaces=message.replaces and not whole))
        self._recorded = _stands(step, self._recorded)
        if not any(isinstance(effect, Ask) for effect in step.effects) or step.session.phase is not Phase.ASKED:
            return step
        opened = Opened(by=None, position=step.session.position, at=self._context.now())
        bank = self._context.bank
        try:
            after = await self._context.store.run(lambda tx: act(tx, bank, step.session.id, opened))
        except Unavailable:  # the next answer proves the same
            return step
        return step if after is None else replace(step, session=after.session)

    def _proof(self, session: Session) -> Message | None:
        """The proof of the item that was answered just now, if it has one."""
        entry = self._context.bank.entries.get(session.item) if session.phase is Phase.REVEALED else None
        return None if entry is None else show_me(entry, self._t)

    def _key(self, session: Session, text: str) -> Key | None:
        """The key that a typed line is, unless it can be an answer."""
        entry = self._context.bank.entries.get(session.item) if session.phase is not Phase.REVEALED else None
        return Key.of(text, slashed=entry is not None and letter_may_answer(entry))

    def _command(self, session: Session, key: Key | None, text: str) -> Command | None:
        """What a typed line means at the present position; None if it means nothing."""
        by, at, position = session.host, self._context.now(), session.position
        planned = session.plan[position]
        if key is Key.NEXT:
            return Next(by=by, at=at, position=position)
        if key is Key.HINT:
            return Hint(by=by, at=at, position=position)
        if key is Key.SKIP:
            return Skip(by=by, at=at, position=position)
        if not planned.options:
            return Answer(by=by, at=at, position=position, response=Response(text=text.strip()))
        chosen = options_meant(text, planned.options)
        if chosen is None or (len(chosen) > 1 and self._kind(session) is not Kind.MULTIPLE):
            return None
        return Answer(by=by, at=at, position=position, response=Response(chosen=chosen))

    # --- after the end

    async def _afterwards(self, step: Step) -> Step | None:
        """Offer to practise the mistakes and to go through the answers."""
        results = next((e.results for e in step.effects if isinstance(e, Summarise)), ())
        wrong = mistakes_of(results)
        offers = [self._t.gettext("m — practise what I missed")] if wrong else []
        summary = render(replace(step, effects=step.effects[-1:]), self._context.bank, (self._t,), self._t)
        reviewable = any(action.verb is Verb.REVIEW for message in summary for action in message.actions)
        if reviewable:
            offers.append(self._t.gettext("r — go through the answers"))
        if not offers:
            return None
        while True:
            self._console.print(Text(", ".join([*offers, self._t.gettext("Enter — quit")]) + ": "), end="")
            event = await self._events.get()
            if not isinstance(event, Line):
                continue
            if self._echo:
                self._console.print(Text(event.text or ""))
            key = None if event.text is None else Key.of(event.text)
            if event.text is None or key in (Key.LEAVE, Key.NEXT):
                return None
            if key is Key.MISTAKES and wrong:
                try:
                    return await self._enter(Wanted(wrong, LEARN, named=True, mistakes=True), fresh=False)
                except Unavailable as error:
                    self._say(trouble(error, self._t))
            if key is Key.REVIEW and reviewable:
                index = 0
                while message := review(step.session, results, index, self._context.bank, self._t):
                    self._show(message)
                    index += 1

    # --- the console

    def _prompt(self, session: Session) -> None:
        self._console.print(Text(self._prompt_words(session) + " "), end="")

    def _prompt_words(self, session: Session) -> str:
        t = self._t
        if self._proof(session) is not None:
            return t.gettext("Enter — continue, o — show the proof, q — quit:")
        if session.phase is Phase.REVEALED:
            return t.gettext("Enter — continue, q — quit:")
        if self._recorded:
            return t.gettext("Enter — continue, or type another answer:")
        if self._kind(session) is Kind.TEXT:  # always the same, so that it does not tell what is accepted
            return t.gettext("Your answer (/? — hint, /s — skip, /q — quit):")
        if not session.plan[session.position].options:
            return t.gettext("Your answer:")
        return t.gettext("Your answer ({letters}):", letters=self._letters(session))

    def _letters(self, session: Session) -> str:
        return f"A–{LETTERS[len(session.plan[session.position].options) - 1]}"

    def _not_understood(self, session: Session) -> str:
        if session.phase is Phase.REVEALED:
            return self._t.gettext("You have already answered this question: Enter to continue, q to quit.")
        letters = self._letters(session)
        if self._kind(session) is Kind.MULTIPLE:
            return self._t.gettext(
                "Type one or more of the letters {letters}, such as “a c”; ? for a hint, s to skip, q to quit.",
                letters=letters,
            )
        return self._t.gettext(
            "Type one of the letters {letters}; ? for a hint, s to skip, q to quit.",
            letters=letters,
        )

    def _kind(self, session: Session) -> Kind | None:
        entry = self._context.bank.entries.get(session.item)
        return None if entry is None else entry.item.kind

    def _farewell(self) -> None:
        if self._session is None or not self._session.closed:
            self._say(farewell(self._t, self._session, self._context.now()))

    def _show(self, message: Message) -> None:
        self._console.print()
        self._console.print(page(message), end="")

    def _say(self, text: str) -> None:
        self._console.print(Text(text))


def _stands(step: Step, before: bool) -> bool:
    """Whether an answer to the present question stands that may still change."""
    if step.session.policy.change is Change.NEVER or step.session.phase is not Phase.OPEN:
        return False
    if step.attempt is not None:
        return not step.attempt.response.skipped
    asked = [effect for effect in step.effects if isinstance(effect, Ask)]
    return asked[-1].recorded is not None if asked else before
