"""The panel of the daily question in Telegram: in the group itself, or in a private chat, for channels too.

Whoever presses must be a moderator of the place it is about, at that very moment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from telegram import (
    CallbackQuery,
    Chat,
    ChatAdministratorRights,
    ForceReply,
    KeyboardButton,
    KeyboardButtonRequestChat,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    User,
)
from telegram import Message as Incoming

from bot.bank import clean
from bot.chats.context import Context
from bot.chats.dailies import CITY, Dailies, Turned
from bot.chats.menus import Menu, said
from bot.chats.payload import Pick
from bot.chats.telegram.delivery import Delivery
from bot.chats.telegram.limiter import Urgency
from bot.chats.telegram.moderators import NOBODY, Moderators
from bot.chats.telegram.places import Address, named, place_at, topic_of
from bot.chats.telegram.posting import Posting
from bot.chats.telegram.receiving import PLATFORM
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.shared import Committed
from bot.chats.telegram.speaking import Pressed, shown
from bot.chats.telegram.text import Text
from bot.chats.telegram.who import host_of, who
from bot.chats.who import Who
from bot.i18n import Language
from bot.store import Place, Tx
from bot.store import Update as Row

MENU = "daily"

CHANNEL, GROUP = 1, 2
"""Numbers of the buttons that ask for a chat."""

_POSTING = ChatAdministratorRights(
    is_anonymous=False,
    can_manage_chat=True,
    can_delete_messages=False,
    can_manage_video_chats=False,
    can_restrict_members=False,
    can_promote_members=False,
    can_change_info=False,
    can_invite_users=False,
    can_post_stories=False,
    can_edit_stories=False,
    can_delete_stories=False,
    can_post_messages=True,
    can_edit_messages=True,
    api_kwargs={"can_send_welcome_messages": False},  # newer than the library, and not to be left out
)
"""What we need in a channel, and what whoever chooses it must have."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """What a press left, and for whom."""

    turned: Turned
    to: Who | None
    """The private chat of whoever pressed, if there is one."""
    t: Language
    prompt: int | None = None
    """The post that asks for a city."""


class DailyPanel:
    """Sets up daily questions."""

    def __init__(
        self,
        context: Context,
        sender: Sender,
        delivery: Delivery,
        posting: Posting,
        moderators: Moderators,
        committed: Committed,
    ) -> None:
        self._context, self._sender, self._delivery, self._posting = context, sender, delivery, posting
        self._moderators, self._committed = moderators, committed
        self._dailies = Dailies(context, posting.wants_polls)

    async def _may(self, place: Place, user: User) -> bool:
        """Whether somebody is a moderator of a place now."""
        admins = await self._moderators.of(int(place.chat), channel=self._is_channel(place), anew=True)
        return user.id in admins.moderators

    @staticmethod
    def _is_channel(place: Place) -> bool:
        return bool(place.settings.get("channel"))

    # --- opening it

    async def open(self, row: Row, message: Incoming) -> None:
        """`/daily` in a group."""
        user = message.from_user
        assert user is not None  # groups have senders
        own = message.sender_chat is not None and message.sender_chat.id == message.chat.id
        may = own or (
            message.sender_chat is None
            and user.id in (await self._moderators.of(message.chat.id, anew=True)).moderators
        )

        def work(tx: Tx) -> Menu | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            place = place_at(tx, message.chat.id, topic_of(message), row.received_at, user.language_code)
            place = named(tx, place, message.chat.title)
            learner = tx.learner_of(PLATFORM, str(user.id), row.received_at)
            t = self._language(tx, learner, user, place)
            if not may:
                return said(t.gettext("Only a moderator can do that."))
            return self._dailies.open(tx, place, learner, t, row.received_at)

        menu = await self._committed(row, work)
        if menu is not None:
            text, buttons = shown(menu)
            at = Address(message.chat.id, int(topic_of(message)) if topic_of(message) else None)
            await self._sender.send(
                at.chat, text, buttons, thread=at.thread, reply_to=message.message_id, urgency=Urgency.QUESTION
            )

    def _language(self, tx: Tx, learner: int, user: User, place: Place | None) -> Language:
        known = tx.learner(learner)
        chosen = known.locale if known is not None else None
        return self._context.languages.negotiate(chosen, user.language_code, place.locale if place else None)

    async def offer(self, row: Row, user: User) -> None:
        """`/daily` in a private chat: those one answers for, and two buttons to choose a channel or group."""

        def work(tx: Tx) -> tuple[Who, Menu | None] | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            to = who(tx, self._context, user, row.received_at)
            own = [(daily, tx.place(daily.place)) for daily in tx.dailies.of_moderator(to.learner)]
            buttons = [
                (str(place.settings.get("title") or place.chat)[:60], Pick(MENU, (str(daily.id), "panel")))
                for daily, place in own
                if place is not None and place.platform == PLATFORM
            ]
            return to, said(to.t.gettext("Your daily questions:"), *buttons) if buttons else None

        found = await self._committed(row, work)
        if found is None:
            return
        to, menu = found
        t = to.t
        if menu is not None:
            await self._sender.send(to.chat, *shown(menu), urgency=Urgency.QUESTION)
        words = t.gettext(
            "Where shall I ask a question every day? Choose a channel or a group that you administer; in a group you "
            "can also send /daily there."
        )
        keyboard = ReplyKeyboardMarkup(
            [
                [_button(t.gettext("Choose a channel"), CHANNEL)],
                [_button(t.gettext("Choose a group"), GROUP)],
            ],
            resize_keyboard=True,
            one_time_keyboard=True,
        )
        await self._sender.send(to.chat, Text(words), keyboard, urgency=Urgency.QUESTION)

    async def chosen(self, row: Row, message: Incoming, user: User) -> None:
        """A chat was chosen: its panel, if whoever chose is a moderator there and we may post."""
        shared = message.chat_shared
        assert shared is not None  # the caller has looked
        channel = shared.request_id == CHANNEL
        admins = await self._moderators.of(shared.chat_id, channel=channel, anew=True)

        def work(tx: Tx) -> tuple[Who, Menu, str] | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            to = who(tx, self._context, user, row.received_at)
            t = to.t
            if not admins.may_post:
                how = "startchannel&admin=post_messages+edit_messages" if channel else "startgroup"
                link = f"https://t.me/{self._sender.name}?{how}"
                words = t.gettext(
                    "I may not post there. Add me by this link, then choose the chat again: {link}",
                    link=link,
                )
                return to, said(words), ""
            if user.id not in admins.moderators:
                return to, said(t.gettext("You are not a moderator of that chat.")), ""
            place = place_at(tx, shared.chat_id, "", row.received_at, user.language_code)
            place = named(tx, place, shared.title)
            if channel and not place.settings.get("channel"):
                place = _with_kind(tx, place)
            panel = self._dailies.open(tx, place, to.learner, t, row.received_at)
            return to, panel, t.gettext("Chosen: {title}", title=shared.title or shared.chat_id)

        found = await self._committed(row, work)
        if found is None:
            return
        to, menu, words = found
        if words:
            await self._sender.send(to.chat, Text(words), ReplyKeyboardRemove(), urgency=Urgency.QUESTION)
        await self._sender.send(to.chat, *shown(menu), urgency=Urgency.QUESTION)

    # --- its buttons

    async def press(self, row: Row, query: CallbackQuery, pick: Pick, pressed: Pressed) -> None:
        """A button of a panel was pressed, wherever the panel is."""
        assert query.message is not None  # only inline mode leaves it out, and we have none
        chat, user = query.message.chat, query.from_user
        number = int(pick.values[0]) if pick.values and pick.values[0].isdecimal() else 0
        place = await self._context.store.run(lambda tx: _place_of(tx, number))
        may = place is None or (user.id not in NOBODY and await self._may(place, user))
        topic = topic_of(query.message) if isinstance(query.message, Incoming) else ""
        new_id = self._context.new_id()

        def work(tx: Tx) -> _Turn | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            learner = tx.learner_of(PLATFORM, str(user.id), row.received_at)
            private = tx.private_place(learner, PLATFORM)
            to = host_of(tx, self._context, private) if private is not None else None
            t = self._language(tx, learner, user, place)
            if not may:
                return _Turn(Turned(toast=t.gettext("Only a moderator can do that.")), to, t)
            turned = self._dailies.turn(tx, pick, learner, t, row.received_at, new_id)
            if not turned.ask_city:
                return _Turn(turned, to, t)
            if chat.type == Chat.PRIVATE:
                here = who(tx, self._context, user, row.received_at).place
            else:
                here = place_at(tx, chat.id, topic, row.received_at, user.language_code).id
            post = tx.posts.demand(here, CITY, row.received_at, payload={"daily": turned.ask_city})
            tx.posts.sending(post.id)  # it leaves below, once; whether it arrives does not matter
            return _Turn(turned, to, t, post.id)

        turn = await self._committed(row, work, pressed)
        if turn is not None:
            await self._answer(turn, Address(chat.id, int(topic) if topic else None), pressed)

    async def _answer(self, turn: _Turn, at: Address, pressed: Pressed) -> None:
        turned, t = turn.turned, turn.t
        toast = turned.toast
        if turned.preview and turn.to is None:
            toast = t.gettext("I show it only in our private chat: open it and press Start.")
        elif turned.preview and at.chat < 0:
            toast = t.gettext("I have sent it to our private chat.")
        await pressed.answer(toast, alert=len(toast) > 30)
        if turned.menu is not None:
            await self._sender.edit(at.chat, pressed.message, *shown(turned.menu))
        if turned.step is not None:
            await self._posting.deliver(turned.step)
        if turn.to is not None:
            for message in turned.preview:
                await self._delivery.say(turn.to, message)
        if turn.prompt is not None:
            words = t.gettext("Which city’s time? Reply to this message with the city’s name.")
            sent = await self._sender.send(
                at.chat, Text(words), ForceReply(selective=True), thread=at.thread, urgency=Urgency.QUESTION
            )
            post, now = turn.prompt, self._context.now()
            number = str(sent) if isinstance(sent, int) else None
            await self._context.store.run(lambda tx: tx.posts.sent(post, number, now))

    async def is_city(self, chat: int, topic: str, message: Incoming) -> int:
        """The daily question whose city a reply names; 0 if it replies to something else."""
        replied = message.reply_to_message
        if replied is None or not message.text:
            return 0

        def look(tx: Tx) -> int:
            for place in tx.places_at(PLATFORM, str(chat)):
                post = tx.posts.by_message(place.id, str(replied.message_id)) if place.thread == topic else None
                if post is not None and post.kind == CITY:
                    return int(post.payload["daily"])
            return 0

        return await self._context.store.run(look)

    async def city(self, row: Row, message: Incoming, user: User, number: int) -> None:
        """A city was typed: those that may be meant."""
        place = await self._context.store.run(lambda tx: _place_of(tx, number))
        may = place is None or await self._may(place, user)

        def work(tx: Tx) -> Menu | None:
            if not tx.inbox.done(PLATFORM, row.update_id):
                return None
            learner = tx.learner_of(PLATFORM, str(user.id), row.received_at)
            t = self._language(tx, learner, user, place)
            if not may:
                return said(t.gettext("Only a moderator can do that."))
            return self._dailies.found(tx, number, clean(message.text or "")[:100], t, row.received_at)

        menu = await self._committed(row, work)
        if menu is not None:
            text, buttons = shown(menu)
            thread = int(topic_of(message)) if topic_of(message) else None
            await self._sender.send(message.chat.id, text, buttons, thread=thread, urgency=Urgency.QUESTION)


def _button(words: str, number: int) -> KeyboardButton:
    channel = number == CHANNEL
    wanted = KeyboardButtonRequestChat(
        number,
        channel,
        user_administrator_rights=_POSTING if channel else None,
        bot_administrator_rights=_POSTING if channel else None,
        bot_is_member=True if not channel else None,
        request_title=True,
    )
    return KeyboardButton(words, request_chat=wanted)


def _place_of(tx: Tx, number: int) -> Place | None:
    daily = tx.dailies.get(number)
    return tx.place(daily.place) if daily is not None else None


def _with_kind(tx: Tx, place: Place) -> Place:
    place = replace(place, settings={**place.settings, "channel": True})
    tx.set_place(place)
    return place
