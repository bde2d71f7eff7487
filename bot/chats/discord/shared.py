"""Channels, threads and forum posts: what people press, fill in and command there.

What is decided is decided in `many` in one transaction; here is found out who somebody is, and who may do what. Whoever
presses is answered first, in private and in their language; the place reads the rest afterwards.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import discord

from bot.bank import Bank, Quiz, Rich, Span, clean
from bot.chats.context import Context
from bot.chats.discord.channels import Channels, Trouble, channel_of
from bot.chats.discord.doctor import lacking
from bot.chats.discord.items import Filled, Form, form
from bot.chats.discord.layout import Page, of_menu, of_message, of_words
from bot.chats.discord.places import Here, place_at, quiz_place, reachable
from bot.chats.discord.posting import Posting
from bot.chats.discord.quizzes import quiz_named
from bot.chats.discord.reply import Reply
from bot.chats.discord.who import PLATFORM, Caller, private_place
from bot.chats.many import Heard, Many, Member, Told, group_policy
from bot.chats.menus import Menu, count, said
from bot.chats.payload import Tap
from bot.chats.posts import prove
from bot.chats.public import answerable
from bot.i18n import Language
from bot.present import Verb, isolated, line, nothing_to_ask, refusal, titled
from bot.present.setup import rules
from bot.quiz import (
    Answer,
    Change,
    Phase,
    Policy,
    Reason,
    Refuse,
    Response,
    Select,
    draw,
)
from bot.store import Place, PostState, Tx
from bot.tutor import QUESTION

T = TypeVar("T")

BOTH = "both"
"""Asks for all languages in one post."""

PACES = ("h", "30", "60", "90", "a")
"""The host reveals; a limit per question in seconds; when all who take part have answered. Chosen by us."""

THREAD_NAME = 100
"""Characters. Source: Discord developer reference, Channel, name."""


class Attends(Protocol):
    """What answers interactions, whatever happens."""

    async def attend(
        self, interaction: discord.Interaction[Any], carry_out: Callable[[Reply], Awaitable[None]]
    ) -> None:
        """Answer an interaction."""

    async def committed(self, reply: Reply, work: Callable[[Tx], T]) -> T:
        """Carry out a transaction; an interaction that waits for its commit too long is acknowledged meanwhile."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How somebody wants a group quiz."""

    quiz: str
    """Id or title."""
    length: int = 0
    """Questions at most; 0 asks them all."""
    pace: str = "h"
    joined: bool = False
    """Whether only those who joined first may answer."""
    final: bool = False
    """Whether an answer is final; then each is told privately at once whether it was right."""
    language: str = ""
    """A tag or `both`; empty is what is spoken there."""
    here: bool = False
    """Whether it runs in the channel itself instead of a thread."""

    @property
    def policy(self) -> Policy:
        """The rules of the session."""
        return group_policy(self.pace, joined=self.joined, final=self.final)


@dataclass(frozen=True, slots=True)
class _Look:
    """What is known before a quiz begins: why it does not, or in which place and languages it does."""

    t: Language
    place: Place
    words: Rich = ()
    """For whoever asked; empty if nothing is in the way."""
    quiz: Quiz | None = None
    languages: tuple[Language, ...] = ()


class Shared:
    """What happens in shared places."""

    def __init__(self, context: Context, channels: Channels, many: Many, posting: Posting, attends: Attends) -> None:
        self._context, self._channels, self._many, self._posting = context, channels, many, posting
        self._attends = attends
        self._starting: set[int] = set()
        """Channels in which a quiz is being started, so that two cannot open a thread each."""

    @property
    def _bank(self) -> Bank:
        return self._context.bank

    # --- who is there

    def heard(self, tx: Tx, interaction: discord.Interaction[Any], new_id: str) -> Heard:
        """Somebody in the place of an interaction."""
        caller, at = Caller.of(interaction), self._context.now()
        learner = tx.learner_of(PLATFORM, str(caller.user), at)
        here = Here.of(interaction, caller)
        place = private_place(tx, caller.user, learner, at) if caller.dm else here.place(tx, at)
        known = tx.learner(learner)
        t = self._context.languages.negotiate(known.locale if known else None, *caller.locales, place.locale)
        by = Member(learner, clean(interaction.user.display_name), moderates(interaction), t)
        return Heard(tx, place, by, at, new_id, f"{PLATFORM}:{interaction.id}", interaction.created_at)

    async def _hear(self, interaction: discord.Interaction[Any], use_case: Callable[[Heard], Told]) -> None:
        """Carry out a use case, answer in private, and show the place the rest."""
        new_id = self._context.new_id()

        async def carry_out(reply: Reply) -> None:
            def work(tx: Tx) -> tuple[Told, Language]:
                heard = self.heard(tx, interaction, new_id)
                return use_case(heard), heard.by.t

            told, t = await self._attends.committed(reply, work)
            await self._whisper(told, t, reply)
            self._posting.say(told)

        await self._attends.attend(interaction, carry_out)

    async def _whisper(self, told: Told, t: Language, reply: Reply) -> None:
        """Tell the person alone what is for them alone."""
        if told.private is not None:
            await reply.tell(of_message(told.private, t, self._bank.root))
        elif told.whisper:
            await reply.tell(of_words((line(told.whisper),)))

    # --- presses

    async def press(self, interaction: discord.Interaction[Any], tap: Tap, values: Sequence[str]) -> None:
        """A button or menu under a question was used."""
        message = str(interaction.message.id if interaction.message is not None else 0)
        if tap.verb is Verb.SELECT:
            await self._hear(interaction, lambda heard: self._tick(heard, tap, values, message))
        elif tap.verb is Verb.ANSWER and not tap.option and not values:
            await self._open(interaction, tap)
        else:
            wanted = replace(tap, option=values[0]) if values and len(values[0]) <= 2 else tap
            await self._hear(interaction, lambda heard: self._many.tap(heard, wanted, message))

    def _tick(self, heard: Heard, tap: Tap, chosen: Sequence[str], message: str) -> Told:
        """The menu of a multiple-choice question was closed with these options ticked."""
        session = heard.tx.session(tap.session)
        if session is None or session.place != heard.place.id:
            return Told(heard.place, whisper=heard.by.t.gettext("This quiz is over."))
        prove(heard.tx, heard.place.id, session.id, tap.position, int(message), heard.at)
        ticked = heard.tx.draft(session.id, tap.position, heard.by.learner)
        told = Told(heard.place)
        for option in sorted(set(chosen) ^ set(ticked)):
            select = Select(
                by=heard.by.learner, at=heard.at, position=tap.position, option=option, sent_at=heard.sent_at
            )
            told = self._many.carry_out(heard, session, select)
        return told

    async def _open(self, interaction: discord.Interaction[Any], tap: Tap) -> None:
        """Open a form for a typed answer, unless it is too late for it."""
        new_id = self._context.new_id()

        async def carry_out(reply: Reply) -> None:
            def work(tx: Tx) -> tuple[str, Language]:
                heard = self.heard(tx, interaction, new_id)
                return self._shut(heard, tap), heard.by.t

            words, t = await self._attends.committed(reply, work)
            if words:
                await reply.tell(of_words((line(words),)))
            else:
                filled = Filled(Form.ANSWER, tap.session, tap.position, interaction.user.id)
                if not await reply.ask(form(filled, t, "")):
                    await reply.tell(of_words((line(too_long(t)),)))

        await self._attends.attend(interaction, carry_out)

    def _shut(self, heard: Heard, tap: Tap) -> str:
        """Why a form cannot be filled in any more; empty if it can."""
        session = heard.tx.session(tap.session)
        if session is None or session.place != heard.place.id or tap.position >= len(session.plan):
            return heard.by.t.gettext("This quiz is over.")
        recorded = heard.tx.last_attempt(session.id, tap.position, heard.by.learner)
        reason = None
        if session.closed:
            reason = Reason.CLOSED
        elif tap.position != session.position:
            reason = Reason.STALE
        elif recorded is not None and session.policy.change is Change.NEVER:
            reason = Reason.ALREADY
        elif session.phase is Phase.REVEALED:
            reason = Reason.LATE
        elif session.paused_at is not None:
            reason = Reason.PAUSED
        return "" if reason is None else refusal(session, Refuse(reason, recorded), heard.by.t)

    async def fill(self, interaction: discord.Interaction[Any], filled: Filled, words: str) -> None:
        """A form for a typed answer was sent; it names its question, which may be past by now."""

        def use_case(heard: Heard) -> Told:
            session = heard.tx.session(filled.session)
            if session is None or session.place != heard.place.id:
                return Told(heard.place, whisper=heard.by.t.gettext("This quiz is over."))
            answer = Answer(
                by=heard.by.learner,
                moderator=heard.by.moderator,
                at=heard.at,
                position=filled.position,
                response=Response(text=clean(words)),
                sent_at=heard.sent_at,
            )
            return self._many.carry_out(heard, session, answer)

        await self._hear(interaction, use_case)

    # --- sending again

    async def resend(self, interaction: discord.Interaction[Any], number: int) -> None:
        """A post that may not have arrived is to be sent again, by whoever answers for it."""
        new_id = self._context.new_id()

        async def carry_out(reply: Reply) -> None:
            def work(tx: Tx) -> tuple[Told | None, Menu | None, str, Language]:
                heard = self.heard(tx, interaction, new_id)
                told, menu, words = self._again(heard, number)
                return told, menu, words, heard.by.t

            told, menu, words, t = await self._attends.committed(reply, work)
            if menu is not None:
                await reply.show(of_menu(menu, t))
            if words:
                await reply.tell(of_words((line(words),)))
            if told is not None:
                self._posting.say(told)

        await self._attends.attend(interaction, carry_out)

    def _again(self, heard: Heard, number: int) -> tuple[Told | None, Menu | None, str]:
        tx, t = heard.tx, heard.by.t
        post = tx.posts.post(number)
        session = tx.session(post.session) if post is not None and post.session is not None else None
        place = tx.place(post.place) if post is not None else None
        if post is None or session is None or place is None:
            return None, said(t.gettext("This quiz is over.")), ""
        daily = tx.dailies.of_session(session.id)
        answering = {session.host, daily.moderator if daily is not None else session.host}
        if heard.by.learner not in answering and not (heard.by.moderator and heard.place.id == post.place):
            return None, None, t.gettext("Only the host or a moderator can do that.")
        if not tx.posts.again(number):
            return None, said(t.gettext("The message has arrived in the meantime.")), ""
        told = Told(place, posts=(replace(post, state=PostState.PENDING),))
        return told, said(t.gettext("Sent again.")), ""

    # --- commands

    async def steer(self, interaction: discord.Interaction[Any], verb: str) -> None:
        """`/group next` and the like, in the place of the quiz or in the channel of its thread."""

        def use_case(heard: Heard) -> Told:
            there = replace(heard, place=quiz_place(heard.tx, heard.place))
            return self._resume(there) if verb == "resume" else self._many.steer(there, verb)

        await self._hear(interaction, use_case)

    def _resume(self, heard: Heard) -> Told:
        """Go on after a pause, or show the present question again; one that never arrived is sent now."""
        session = self._many.running(heard)
        if session is None or session.paused_at is None:
            return self._many.show_again(heard)
        told = self._many.steer(heard, "resume")
        now = told.session
        if now is None or told.whisper or not answerable(now):
            return told
        posts = heard.tx.posts.of_session(now.id, now.position)
        if any(p.kind == QUESTION and p.state in (PostState.SENT, PostState.PENDING) for p in posts):
            return told
        return replace(self._many.show_again(heard), notices=told.notices)

    async def start(self, interaction: discord.Interaction[Any], wish: Wish) -> None:
        """`/group start`."""
        new_id = self._context.new_id()

        async def carry_out(reply: Reply) -> None:
            where = interaction.channel_id or 0
            if where in self._starting:
                t = Caller.of(interaction).language(self._context)
                await reply.tell(of_words((line(t.gettext("Somebody else is starting a quiz here right now.")),)))
                return
            self._starting.add(where)
            try:
                await self._start(reply, interaction, wish, new_id)
            finally:
                self._starting.discard(where)

        await self._attends.attend(interaction, carry_out)

    async def _start(self, reply: Reply, interaction: discord.Interaction[Any], wish: Wish, new_id: str) -> None:
        channel = interaction.channel
        opens = isinstance(channel, discord.TextChannel) and not wish.here
        look = await self._attends.committed(
            reply, lambda tx: self._look(self.heard(tx, interaction, new_id), interaction, wish, opens=opens)
        )
        if look.words or look.quiz is None:
            await reply.tell(of_words(look.words))
            return
        thread = 0
        if isinstance(channel, discord.TextChannel) and opens:
            await reply.hold()
            name = clean(titled(look.quiz.title, look.languages[0]))[:THREAD_NAME] or "?"
            opened = await self._channels.open_thread(channel, name)
            if isinstance(opened, Trouble):
                await reply.tell(of_words((line(_no_thread(look.t)),)))
                return
            thread = opened
        told, place = await self._attends.committed(
            reply, lambda tx: self._begin(tx, interaction, wish, look, thread, new_id)
        )
        if told.whisper:
            await reply.tell(of_words(_linked(told.whisper, look.t, self._jump(interaction.guild_id, place, told))))
            return
        self._posting.say(told, self._first(wish, look, told, interaction))
        if thread:
            where = f"https://discord.com/channels/{interaction.guild_id}/{thread}"
            await reply.tell(of_words(_linked(look.t.gettext("The quiz has started in a thread."), look.t, where)))
        else:
            await reply.tell(of_words((line(look.t.gettext("The quiz has started.")),)))

    def _look(self, heard: Heard, interaction: discord.Interaction[Any], wish: Wish, *, opens: bool) -> _Look:
        t, place = heard.by.t, heard.place
        there = replace(heard, place=quiz_place(heard.tx, place))
        if (session := self._many.running(there)) is not None:
            told = self._many.busy(there, session)
            where = self._jump(interaction.guild_id, there.place, told, heard.tx)
            return _Look(t, place, _linked(told.whisper, t, where))
        missing = lacking(interaction, t, thread=opens)
        if missing:
            return _Look(t, place, (line(missing),))
        quiz = quiz_named(self._bank, wish.quiz)
        if quiz is None:
            return _Look(t, place, (line(t.gettext("There is no such quiz. Choose one from the list.")),))
        spoken = self._languages(place, wish.language)
        if draw(quiz.blueprint, self._bank.live([x.tag for x in spoken]), "", twins=self._bank.twins) is None:
            every = (self._context.languages[tag] for tag in self._context.languages.tags)
            names = [x.name for x in every if count(self._bank, quiz, x)]
            return _Look(t, place, (line(nothing_to_ask(t, names)),))
        return _Look(t, place, (), quiz, spoken)

    def _languages(self, place: Place, wanted: str) -> tuple[Language, ...]:
        languages = self._context.languages
        first = languages.negotiate(place.locale)
        if wanted == BOTH:
            return (first, *(languages[tag] for tag in languages.tags if tag != first.tag))
        return (languages[wanted] if wanted in languages.tags else first,)

    def _begin(
        self, tx: Tx, interaction: discord.Interaction[Any], wish: Wish, look: _Look, thread: int, new_id: str
    ) -> tuple[Told, Place]:
        heard = self.heard(tx, interaction, new_id)
        assert look.quiz is not None  # the caller has looked
        place = heard.place
        if thread:
            title = f"#{clean(titled(look.quiz.title, look.languages[0]))}"
            spoken = place.locale or look.languages[0].tag
            place = place_at(tx, place.chat, str(thread), title, spoken, heard.at)
            place = replace(place, settings={**place.settings, "quiz": True})
            tx.set_place(place)
        there = replace(heard, place=place)
        tags = tuple(t.tag for t in look.languages)
        told = self._many.start(there, look.quiz, wish.policy, tags, wish.length)
        reachable(tx, interaction.user.id, heard.by.learner, heard.by.t.tag, heard.at)
        return told, place

    def _first(self, wish: Wish, look: _Look, told: Told, interaction: discord.Interaction[Any]) -> list[Page]:
        """What everybody reads when a quiz begins."""
        assert look.quiz is not None  # it has begun
        assert told.session is not None
        words: list[Any] = []
        for t in look.languages:
            words += rules(t, look.quiz, wish.length, wish.pace, joined=wish.joined, final=wish.final)
            words.append(line(t.gettext("Started by {name}.", name=isolated(clean(interaction.user.display_name)))))
        t = look.languages[0]
        joins = ((t.gettext("Join"), Tap(told.session.id, 0, Verb.JOIN)),) if wish.joined else ()
        return of_menu(Menu(tuple(words), joins), t)

    def _jump(self, guild: int | None, place: Place, told: Told, tx: Tx | None = None) -> str:
        """The address of the question of a running quiz, or of its place."""
        where = f"https://discord.com/channels/{guild}/{channel_of(place)}"
        if tx is None or told.session is None:
            return where
        posts = tx.posts.of_session(told.session.id, told.session.position)
        found = [p.message for p in posts if p.kind == QUESTION and p.message is not None]
        return f"{where}/{found[-1]}" if found else where


def moderates(interaction: discord.Interaction[Any]) -> bool:
    """Whether somebody may administer the place of an interaction: who may manage messages there, as Discord says."""
    return interaction.guild_id is not None and interaction.permissions.manage_messages


def too_long(t: Language) -> str:
    """Why a form could not be opened."""
    return t.gettext("That took too long: please press the button again.")


def _linked(words: str, t: Language, address: str) -> Rich:
    return (line(words), line(Span(t.gettext("Go there"), link=address)))


def _no_thread(t: Language) -> str:
    return t.gettext(
        "I could not open a thread here. To run the quiz in the channel itself, choose “here” when you start it."
    )
