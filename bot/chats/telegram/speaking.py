"""Speaking: what a transaction left to be said leaves, after the commit. A pressed button is answered once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field, replace

from telegram import CallbackQuery, ForceReply, InlineKeyboardMarkup

from bot.bank import plain
from bot.chats.context import Context
from bot.chats.menus import Menu
from bot.chats.posts import REPORT
from bot.chats.starting import Done
from bot.chats.telegram.boards import HOME
from bot.chats.telegram.delivery import Delivery
from bot.chats.telegram.keyboard import keyboard, menu
from bot.chats.telegram.limiter import Urgency
from bot.chats.telegram.sending import Sender
from bot.chats.telegram.text import Text, texts
from bot.chats.who import Who
from bot.present import Message, refusal, render
from bot.quiz import Ask, Effect, GiveHint, Mark, Notice, Refuse, Retire, Step, Summarise, Tell
from bot.store import Post

ALERT_CHARACTERS = 200
"""Source: Telegram Bot API 10.0, answerCallbackQuery.text."""


@dataclass(slots=True)
class Pressed:
    """A pressed button."""

    query: CallbackQuery
    sender: Sender
    answered: bool = field(default=False)

    @property
    def message(self) -> int:
        """The message the button is on; of an old one Telegram names nothing else."""
        assert self.query.message is not None  # only inline mode leaves it out, and we have none
        return self.query.message.message_id

    async def answer(self, words: str = "", *, alert: bool = False) -> None:
        """Answer if that was not done yet."""
        if not self.answered:
            self.answered = True
            await self.sender.answer(self.query.id, words, alert=alert)


class Speaking:
    """Says what is to be said in private chats."""

    def __init__(self, context: Context, sender: Sender, delivery: Delivery) -> None:
        self._context, self._sender, self._delivery = context, sender, delivery

    async def say(self, done: Done, pressed: Pressed | None = None, reply_to: int | None = None) -> None:
        """Say everything: the answer to the button and the edits at once, new messages one after the other.

        Args:
            done: What the transaction left.
            pressed: The button that was pressed, if one was.
            reply_to: The message that was typed, if one was.
        """
        words, alert = self._toast(done, pressed)
        edits: list[Awaitable[object]] = [
            self._edit(done.to, message, shown, anew=anew) for message, shown, anew in self._edits(done, pressed)
        ]
        edits += [self._sender.retire(done.to.chat, message) for message in self._retired(done, pressed)]
        if pressed is not None:
            edits.append(pressed.answer(words, alert=alert))
        if done.menu is not None and pressed is not None and not done.beside:
            edits.append(self._edit_menu(done, pressed))
        await asyncio.gather(*edits, self._new_messages(done, pressed, reply_to, hinted=alert))

    def _toast(self, done: Done, pressed: Pressed | None) -> tuple[str, bool]:
        """The words that answer a button, and whether they stay until they are closed."""
        if done.step is None or pressed is None:
            return done.toast, False
        for effect in done.step.effects:
            match effect:
                case Refuse():
                    return refusal(done.step.session, effect, done.to.t), False
                case GiveHint():
                    hint = "\n".join(plain(message.body) for message in self._rendered(done, effect))
                    if len(hint) <= ALERT_CHARACTERS:
                        return hint, True
        return done.toast, False

    def _edits(self, done: Done, pressed: Pressed | None) -> list[tuple[int, Message, bool]]:
        """Messages, what they are to show, and whether that is news or only shown again."""
        edits = [(message, shown, False) for message, shown in done.edits]
        if done.step is not None and pressed is not None:
            for effect in done.step.effects:
                if isinstance(effect, Mark | Tell):
                    edits += [(pressed.message, message, True) for message in self._rendered(done, effect)]
        return edits

    def _retired(self, done: Done, pressed: Pressed | None) -> Sequence[int]:
        """Messages that lose their buttons and are not edited otherwise."""
        edited = {message for message, _, _ in self._edits(done, pressed)}
        if done.menu is not None and pressed is not None and not done.beside:
            edited.add(pressed.message)
        return [message for message in done.retire if message not in edited]

    async def _edit(self, to: Who, message: int, shown: Message, *, anew: bool) -> None:
        """Show something in a message; what does not fit follows in new ones, unless it has followed before."""
        first, *more = texts(shown, pictures=False)  # the photo stands above
        if not anew or not more:
            await self._sender.edit(to.chat, message, first, keyboard(shown))
            return
        await self._sender.edit(to.chat, message, first)
        await self._delivery.pages(to, more, keyboard(shown))

    async def _edit_menu(self, done: Done, pressed: Pressed) -> None:
        assert done.menu is not None
        await self._sender.edit(done.to.chat, pressed.message, *shown(done.menu))

    async def _new_messages(self, done: Done, pressed: Pressed | None, reply_to: int | None, *, hinted: bool) -> None:
        to = done.to
        if done.menu is not None and (pressed is None or done.beside):
            await self._sender.send(to.chat, *shown(done.menu), urgency=Urgency.QUESTION)
        if done.message is not None and (done.message.body or done.message.head):
            said = done.message if done.step is None else _below(done.message, reply_to)
            sent = await self._delivery.say(to, said, reply_to=reply_to)
            if not isinstance(sent, int) and done.retire:  # the question can be edited however often
                await self._edit(to, done.retire[-1], done.message, anew=False)
        posts = iter(done.posts)
        for effect in done.step.effects if done.step is not None else ():
            match effect:
                case Ask() | Summarise():
                    if (post := next(posts, None)) is not None:
                        await self._delivery.post(to, post, self._rendered(done, effect)[0])
                case Notice():
                    for message in self._rendered(done, effect):
                        await self._delivery.say(to, message)
                case GiveHint() if not hinted:
                    for message in self._rendered(done, effect):
                        await self._delivery.say(to, message)
                case Tell() | Mark() | Refuse() | Retire() | GiveHint():
                    pass
        for post in posts:
            await self._prompt(to, post) if post.kind in (REPORT, HOME) else await self._delivery.post(to, post)

    async def _prompt(self, to: Who, post: Post) -> None:
        """Ask for a typed reply, which may be left out: what is wrong with an item, or which city."""
        t = to.t
        words = (
            t.gettext("Which city’s time? Reply to this message with the city’s name.")
            if post.kind == HOME
            else t.gettext(
                "Thank you, your report is saved. What is wrong? Reply to this message in your own words, or simply "
                "continue."
            )
        )
        await self._delivery.prompt(to, post, Text(words), ForceReply(selective=True))

    def _rendered(self, done: Done, effect: Effect) -> tuple[Message, ...]:
        assert done.step is not None
        step = Step(done.step.session, (effect,))
        return render(step, self._context.bank, (done.to.t,), done.to.t)


def shown(of: Menu) -> tuple[Text, InlineKeyboardMarkup | None]:
    """A menu as Telegram shows it."""
    text = texts(Message(body=of.words))[0]
    return text, menu(of.buttons, primary=of.primary) if of.buttons else None


def _below(message: Message, reply_to: int | None) -> Message:
    """Feedback that follows a typed answer does not repeat the question, which stands right above."""
    return replace(message, title="", progress=None, head=(), choices=()) if reply_to is not None else message
