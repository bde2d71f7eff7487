"""Groups, topics and channels: what people press and type there.

What is decided is decided in `many` in one transaction; here is found out who somebody is, and who may do what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from telegram import (
    CallbackQuery,
    Chat,
    ChatMember,
    ChatMemberAdministrator,
    ChatMemberRestricted,
    ChatMemberUpdated,
    User,
)
from telegram import Message as Incoming

from bot.bank import clean, plain
from bot.chats.boards import Boards
from bot.chats.context import Context
from bot.chats.letters import options_meant
from bot.chats.many import Heard, Many, Member, Told
from bot.chats.menus import Menu, said
from bot.chats.payload import Pick, Tap
from bot.chats.posts import messages_of
from bot.chats.telegram import setup
from bot.chats.telegram.boards import TYPED
from bot.chats.telegram.limiter import Urgency
from bot.chats.telegram.moderators import NOBODY, Moderators
from bot.chats.telegram.outcomes import Lost
from bot.chats.telegram.places import Address, come_back, lose_chat, move, named, place_at, public, topic_of
from bot.chats.telegram.posting import Posting
from bot.chats.telegram.receiving import PLATFORM
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.speaking import Pressed, shown
from bot.chats.telegram.text import Text, texts
from bot.i18n import Language
from bot.present import Message, Verb, isolated
from bot.present.places import group_help, hello, not_scored
from bot.quiz import Phase, Response
from bot.store import Place, PostState, Tx
from bot.store import Update as Row
from bot.tutor import QUESTION

T = TypeVar("T")

SCORED = frozenset({Verb.ANSWER, Verb.SELECT, Verb.SUBMIT, Verb.JOIN})
"""What counts for somebody."""

STEERING = ("next", "reveal", "skip", "pause", "stop", "join", "leave")

OWN = (setup.SETUP, setup.BEGIN, setup.POLLS, setup.GIVE_UP, "place", "resend")
"""Menus of shared places."""

BOARD = "top"
"""The menu of a board."""


class Committed(Protocol):
    """Carries out a transaction, however long the store cannot."""

    async def __call__(self, row: Row, work: Callable[[Tx], T], pressed: Pressed | None = None) -> T:
        """The result of the transaction."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What somebody is told, and what everybody is."""

    told: Told | None = None
    menu: Menu | None = None
    """Takes the place of the menu that was pressed; otherwise a reply."""
    words: str = ""
    """For the person alone where that is possible."""
    reply_to: int | None = None
    """The message that the words are about, if not the one that was typed."""
    place: Place | None = None
    file: tuple[str, bytes] | None = None
    """Name and content, for the private chat of the person."""


class Shared:
    """What happens in shared places."""

    def __init__(
        self,
        context: Context,
        sender: Sender,
        many: Many,
        posting: Posting,
        moderators: Moderators,
        committed: Committed,
    ) -> None:
        self._context, self._sender, self._many, self._posting = context, sender, many, posting
        self._moderators, self._committed = moderators, committed
        self._boards = Boards(context)

    # --- presses

    async def press(self, row: Row, query: CallbackQuery, payload: Tap | Pick | None, pressed: Pressed) -> None:
        """A button was pressed in a group or channel, or one of ours about a place in a private chat."""
        assert query.message is not None  # only inline mode leaves it out, and we have none
        chat, user = query.message.chat, query.from_user
        scored = isinstance(payload, Tap) and payload.verb in SCORED
        moderator, anonymous = await self._standing(chat, user, scored=scored)
        if anonymous and scored:
            t = self._context.languages.negotiate(user.language_code)
            await self._committed(row, lambda tx: tx.inbox.done(PLATFORM, row.update_id), pressed)
            await pressed.answer(not_scored(t), alert=True)
            return
        message = query.message if isinstance(query.message, Incoming) else None
        if message is not None and not message.is_accessible:  # an old one, of which only the number is told
            message = None
        new_id = self._context.new_id()

        def work(tx: Tx) -> tuple[Reply, Member] | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            place = self._place_of(tx, payload, chat, topic_of(message), row, user)
            by = self._member(tx, place, user, moderator=moderator, row=row)
            heard = Heard(tx, place, by, row.received_at, new_id, f"{PLATFORM}:{row.update_id}")
            if isinstance(payload, Tap):
                return Reply(self._many.tap(heard, payload, str(pressed.message)), place=place), by
            if payload is not None and payload.menu == BOARD and message is not None:
                return replace(self._board(_nameless(heard) if anonymous else heard, payload), place=place), by
            if payload is not None and payload.menu in OWN:
                return replace(self._pick(heard, payload), place=place), by
            return Reply(words=by.t.gettext("This button is out of date."), place=place), by

        done = await self._committed(row, work, pressed)
        if done is not None:
            at = Address(chat.id, _number(topic_of(message)))
            if done[0].file is not None:
                await self._give(*done[0].file, user, done[1].t, pressed, at)
            else:
                await self._answer(done[0], user, pressed, at)

    async def _answer(self, reply: Reply, user: User, pressed: Pressed, at: Address) -> None:
        told = reply.told
        if told is not None:
            self._posting.say(told)
        words = (told.whisper if told is not None else "") or reply.words
        full = told.private if told is not None else None
        if full is not None and at.chat < 0 and await self._whisper(user, full, pressed.query.id, at):
            await pressed.answer(words)
            return
        await pressed.answer(words[:200], alert=len(words) > 30)
        if reply.menu is not None:
            await self._sender.edit(at.chat, pressed.message, *shown(reply.menu))

    async def _give(self, name: str, content: bytes, user: User, t: Language, pressed: Pressed, at: Address) -> None:
        """Send a file to the private chat of whoever pressed, and tell them here what became of it."""
        sent = await self._sender.document(user.id, name, content)
        if isinstance(sent, int):
            words = t.gettext("I have sent it to our private chat.")
        elif sent is Lost.UNREACHABLE:
            words = t.gettext("I cannot write to you: open our private chat, press Start and try again.")
        else:
            words = t.gettext("The file may not have arrived in our private chat. If it has not, press again.")
        if pressed.answered and not isinstance(sent, int):  # without words, because it took long
            await self._sender.send(at.chat, Text(words), thread=at.thread, silent=True)
        await pressed.answer(words, alert=True)

    async def _whisper(self, user: User, message: Message, query: str | None, at: Address) -> bool:
        """Show something in full to one person, where the server can."""
        first, *more = texts(message)
        sent = await self._sender.whisper(at.chat, user.id, first, query, at.thread)
        for text in more if sent else ():
            await self._sender.whisper(at.chat, user.id, text, query, at.thread)
        return sent

    async def _standing(self, chat: Chat, user: User, *, scored: bool) -> tuple[bool, bool]:
        """Whether somebody who pressed is a moderator, and whether they act in the name of the chat."""
        if user.id in NOBODY:
            return False, True
        if chat.type == Chat.PRIVATE or (scored and chat.type != Chat.SUPERGROUP):
            return False, False  # only supergroups have anonymous administrators
        admins = await self._moderators.of(chat.id, channel=chat.type == Chat.CHANNEL)
        return user.id in admins.moderators, user.id in admins.anonymous

    def _place_of(self, tx: Tx, payload: Tap | Pick | None, chat: Chat, topic: str, row: Row, user: User) -> Place:
        """The place of a press: a button of a session knows it, even where the message is too old to tell."""
        session = tx.session(payload.session) if isinstance(payload, Tap) else None
        known = tx.place(session.place) if session is not None else None
        if known is not None and known.chat == str(chat.id):
            return known
        return place_at(tx, chat.id, topic, row.received_at, user.language_code)

    def _member(self, tx: Tx, place: Place, user: User, *, moderator: bool, row: Row) -> Member:
        learner = tx.learner_of(PLATFORM, str(user.id), row.received_at)
        known = tx.learner(learner)
        t = self._context.languages.negotiate(
            known.locale if known is not None else None, user.language_code, place.locale
        )
        return Member(learner, clean(user.full_name), moderator, t)

    # --- menus

    def _board(self, heard: Heard, pick: Pick) -> Reply:
        done = self._boards.pressed(heard, pick, alone=False)
        return Reply(menu=done.menu, words=done.toast, file=done.file)

    def _pick(self, heard: Heard, pick: Pick) -> Reply:
        by, t = heard.by, public(self._context.languages, heard.place)
        match pick.menu, pick.values:
            case "resend", (number,) if number.isdecimal():
                return self._resend(heard, int(number))
            case "place", ("lang", tag) if tag in self._context.languages.tags:
                if not by.moderator:
                    return Reply(words=_moderators_only(by))
                heard.tx.set_place(replace(heard.place, locale=tag))
                now = self._context.languages[tag]
                return Reply(menu=said(now.gettext("I speak English here now.")))
            case ((setup.SETUP | setup.BEGIN | setup.POLLS | setup.GIVE_UP), (asker, *wanted)):
                if str(by.learner) != asker and not by.moderator:
                    return Reply(
                        words=by.t.gettext("These buttons are for whoever asked for them. /quiz gives you your own.")
                    )
                return self._set_up(heard, pick.menu, int(asker), wanted)
        return Reply(
            words=by.t.gettext("This button is out of date."), menu=said(t.gettext("This menu is out of date."))
        )

    def _set_up(self, heard: Heard, menu: str, asker: int, wanted: Sequence[str]) -> Reply:
        t, bank = public(self._context.languages, heard.place), self._context.bank
        if menu == setup.GIVE_UP:
            return Reply(menu=said(t.gettext("No quiz was begun.")))
        quiz = bank.quizzes.get(wanted[0]) if len(wanted) == 2 else None
        options = setup.Options.read(wanted[1]) if len(wanted) == 2 else None
        if quiz is None or options is None:
            return Reply(menu=setup.choose(bank, t, asker))
        if menu in (setup.SETUP, setup.POLLS):
            polls = self._posting.wants_polls(heard.place)
            if menu == setup.POLLS:
                if not heard.by.moderator:
                    return Reply(words=_moderators_only(heard.by))
                polls = not polls
                heard.tx.set_place(replace(heard.place, settings={**heard.place.settings, "polls": polls}))
            return Reply(menu=setup.settings(quiz, options, t, asker, polls=polls))
        told = self._many.start(heard, quiz, options.policy, (t.tag,), options.length)
        if told.whisper:
            return Reply(told)
        joins = ((t.gettext("Join"), Tap(told.session.id, 0, Verb.JOIN)),) if options.joined and told.session else ()
        words = setup.begun(quiz, options, t, isolated(heard.by.name))
        return Reply(told, replace(words, buttons=joins))

    def _resend(self, heard: Heard, number: int) -> Reply:
        """Send a post again that may have arrived."""
        tx, by = heard.tx, heard.by
        post = tx.posts.post(number)
        session = tx.session(post.session) if post is not None and post.session is not None else None
        place = tx.place(post.place) if post is not None else None
        if post is None or session is None or place is None:
            return Reply(words=by.t.gettext("This quiz is over."), menu=said(by.t.gettext("This quiz is over.")))
        daily = tx.dailies.of_session(session.id)
        answering = {session.host, daily.moderator if daily is not None else session.host}
        if by.learner not in answering and not (by.moderator and heard.place.id == post.place):
            return Reply(words=_moderators_only(by))
        if not tx.posts.again(number):
            return Reply(menu=said(by.t.gettext("The message has arrived in the meantime.")))
        return Reply(Told(place, posts=(replace(post, state=PostState.PENDING),)), said(by.t.gettext("Sent again.")))

    # --- typed

    async def hear(self, row: Row, message: Incoming) -> None:
        """Somebody typed a command or a reply to us in a group."""
        if message.migrate_to_chat_id or message.migrate_from_chat_id:
            await self._migrate(row, message)
            return
        use_case = self._heard(message)
        user = message.from_user
        if use_case is None or user is None:
            await self._committed(row, lambda tx: tx.inbox.done(PLATFORM, row.update_id))
            return
        in_its_name = message.sender_chat is not None
        own = message.sender_chat is not None and message.sender_chat.id == message.chat.id
        moderator = own or (not in_its_name and (await self._standing(message.chat, user, scored=False))[0])
        new_id = self._context.new_id()

        def work(tx: Tx) -> Reply | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            place = place_at(tx, message.chat.id, topic_of(message), row.received_at, user.language_code)
            place = named(tx, place, message.chat.title)
            by = self._member(tx, place, user, moderator=moderator, row=row)
            if in_its_name and message.sender_chat is not None:
                by = replace(by, name=clean(message.sender_chat.title or ""), t=public(self._context.languages, place))
            heard = Heard(tx, place, by, row.received_at, new_id, f"{PLATFORM}:{row.update_id}")
            return replace(use_case(heard, in_its_name), place=place)

        reply = await self._committed(row, work)
        if reply is not None and reply.place is not None:
            await self._say(reply, message, user)

    async def _say(self, reply: Reply, message: Incoming, user: User) -> None:
        at = Address(message.chat.id, _number(topic_of(message)))
        told = reply.told
        if told is not None:
            self._posting.say(told)
        if reply.menu is not None:
            text, buttons = shown(reply.menu)
            await self._sender.send(
                at.chat, text, buttons, thread=at.thread, reply_to=message.message_id, urgency=Urgency.QUESTION
            )
        words = (told.whisper if told is not None else "") or reply.words
        if told is not None and told.private is not None and await self._whisper(user, told.private, None, at):
            return
        if not words:
            return
        if message.sender_chat is None and await self._sender.whisper(at.chat, user.id, Text(words), None, at.thread):
            return
        answers = reply.reply_to or message.message_id
        await self._sender.send(at.chat, Text(words), thread=at.thread, reply_to=answers, silent=True)

    def _heard(self, message: Incoming) -> Callable[[Heard, bool], Reply] | None:
        """What a message wants; None if it is not meant for us."""
        text = message.text or ""
        if text.startswith("/"):
            name, _, rest = text[1:].partition(" ")
            name, _, whom = name.partition("@")
            if whom and whom.casefold() != self._sender.name.casefold():
                return None
            return self._command(name.casefold(), rest.strip())
        answered = message.reply_to_message
        if (
            text
            and answered is not None
            and answered.from_user is not None
            and answered.from_user.id == self._sender.me
        ):
            return lambda heard, nameless: self._typed(heard, text, answered.message_id, nameless=nameless)
        return None

    def _command(self, name: str, rest: str) -> Callable[[Heard, bool], Reply] | None:
        match name:
            case "quiz":
                return lambda heard, _: self._quiz(heard)
            case "resume":
                return lambda heard, _: self._resume(heard)
            case "help":
                return lambda heard, _: Reply(menu=said(group_help(heard.by.t)))
            case "language":
                return lambda heard, _: self._language(heard)
            case "start":
                return lambda heard, _: self._hello(heard.tx, heard.place, again=not rest)
            case "top":
                return lambda heard, nameless: Reply(
                    menu=self._boards.top(_nameless(heard) if nameless else heard, alone=False)
                )
            case "streak":
                return lambda heard, nameless: Reply(
                    words=not_scored(heard.by.t) if nameless else plain(self._boards.streak(heard).words)
                )
            case "link":
                return lambda heard, _: Reply(
                    words=plain(self._boards.link(heard, clean(rest)[:TYPED], alone=False).words)
                )
            case "unlink" | "progress" | "privacy":
                return lambda heard, _: Reply(
                    words=heard.by.t.gettext("Send me /{command} in our private chat.", command=name)
                )
            case "join" | "leave":
                return lambda heard, nameless: (
                    Reply(words=not_scored(heard.by.t)) if nameless else Reply(self._many.steer(heard, name))
                )
            case _ if name in STEERING:
                return lambda heard, _: Reply(self._many.steer(heard, name))
            case _:
                return None

    def _quiz(self, heard: Heard) -> Reply:
        session = self._many.running(heard)
        if session is None:
            t = public(self._context.languages, heard.place)
            return Reply(menu=setup.choose(self._context.bank, t, heard.by.learner))
        told = self._many.busy(heard, session)
        asked = messages_of(heard.tx, session, session.position)
        return Reply(told, reply_to=asked[-1] if asked else None)

    def _resume(self, heard: Heard) -> Reply:
        """Go on after a pause, or show the present question again; one that never arrived is sent now."""
        session = self._many.running(heard)
        if session is None or session.paused_at is None:
            return Reply(self._many.show_again(heard))
        told = self._many.steer(heard, "resume")
        now = told.session
        if now is None or told.whisper or now.phase not in (Phase.ASKED, Phase.OPEN):
            return Reply(told)
        posts = heard.tx.posts.of_session(now.id, now.position)
        if any(p.kind == QUESTION and p.state in (PostState.SENT, PostState.PENDING) for p in posts):
            return Reply(told)
        again = self._many.show_again(heard)
        return Reply(replace(again, notices=told.notices))

    def _language(self, heard: Heard) -> Reply:
        if not heard.by.moderator:
            return Reply(words=_moderators_only(heard.by))
        names = self._context.languages
        buttons = [(names[tag].name, Pick("place", ("lang", tag))) for tag in names.tags]
        return Reply(menu=said(heard.by.t.gettext("Which language shall I speak here?"), *buttons))

    def _typed(self, heard: Heard, text: str, message: int, *, nameless: bool) -> Reply:
        """A reply to one of our messages: to a question it is an answer."""
        post = heard.tx.posts.by_message(heard.place.id, str(message))
        session = heard.tx.session(post.session) if post is not None and post.session is not None else None
        if post is None or session is None or post.kind != QUESTION:
            return Reply()
        if nameless:
            return Reply(words=not_scored(heard.by.t))
        text = clean(text)
        options = session.plan[session.position].options
        chosen = options_meant(text, options) if options else ()
        if post.position != session.position or chosen is None:
            return Reply()
        response = Response(chosen=chosen) if options else Response(text=text)
        told = self._many.answer(heard, session, response)
        if told.private is None:
            return Reply(told)
        words = heard.by.t.gettext("Counted. “Why?” under the question explains it to you alone.")
        return Reply(replace(told, whisper=words))

    def _hello(self, tx: Tx, place: Place, *, again: bool) -> Reply:
        """The first words to a group, once."""
        t = public(self._context.languages, place)
        if place.settings.get("greeted"):
            return Reply(menu=said(group_help(t))) if again else Reply()
        tx.set_place(replace(place, settings={**place.settings, "greeted": True}))
        return Reply(menu=said(hello(t)))

    # --- coming, going, moving

    async def member(self, row: Row, change: ChatMemberUpdated) -> None:
        """We were added, removed, or have other rights."""
        chat, new = change.chat, change.new_chat_member
        self._moderators.forget(chat.id)
        why = _lost(new, channel=chat.type == Chat.CHANNEL)

        def work(tx: Tx) -> Reply | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            if why:
                lose_chat(tx, self._context.bank, chat.id, why, row.received_at)
                return None
            come_back(tx, chat.id)
            if chat.type == Chat.CHANNEL:
                return None
            place = place_at(tx, chat.id, "", row.received_at, change.from_user.language_code)
            place = named(tx, place, chat.title)
            return replace(self._hello(tx, place, again=False), place=place)

        reply = await self._committed(row, work)
        if reply is not None and reply.menu is not None:
            await self._sender.send(chat.id, *shown(reply.menu))

    async def _migrate(self, row: Row, message: Incoming) -> None:
        """A group has become a supergroup; either chat tells us."""
        old = message.migrate_from_chat_id or message.chat.id
        new = message.migrate_to_chat_id or message.chat.id

        def work(tx: Tx) -> None:
            if tx.inbox.done(PLATFORM, row.update_id):
                move(tx, old, new, row.received_at)

        await self._committed(row, work)
        self._posting.tick()


def _nameless(heard: Heard) -> Heard:
    """The same without the name of who asks: nobody is to read it."""
    return replace(heard, by=replace(heard.by, name=""))


def _moderators_only(by: Member) -> str:
    return by.t.gettext("Only a moderator can do that.")


def _number(topic: str) -> int | None:
    return int(topic) if topic else None


def _lost(member: ChatMember, *, channel: bool) -> str:
    """Why we cannot write to a chat any more; empty if we can."""
    if member.status in (ChatMember.LEFT, ChatMember.BANNED):
        return "kicked"
    if isinstance(member, ChatMemberRestricted):
        return "" if member.can_send_messages else "rights"
    if channel and not (isinstance(member, ChatMemberAdministrator) and member.can_post_messages):
        return "rights"
    return ""
