"""Speaking: what a transaction left to be said is said, after the commit.

In a private chat questions are messages of their own. Anywhere else one message, which only the person sees, shows
everything in turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.bank import Rich
from bot.chats.context import Context
from bot.chats.discord.delivery import Delivery
from bot.chats.discord.layout import Page, of_menu, of_message, of_words
from bot.chats.discord.reply import Reply
from bot.chats.discord.sending import Lost, Sender
from bot.chats.menus import Menu
from bot.chats.starting import Done
from bot.present import Message, line, refusal, render
from bot.quiz import Ask, Effect, GiveHint, Mark, Notice, Opened, Phase, Refuse, Step, Summarise, Tell
from bot.tutor import act


@dataclass(slots=True)
class _Said:
    """What is to be said, sorted."""

    main: Message | Menu | None = None
    """Takes the place of what was pressed, or answers the command."""
    notes: list[Rich] = field(default_factory=list)
    """Stand above it."""
    asides: list[Rich] = field(default_factory=list)
    """Told privately beside it."""


class Speaking:
    """Says what is to be said to one person."""

    def __init__(self, context: Context, sender: Sender, delivery: Delivery) -> None:
        self._context, self._sender, self._delivery = context, sender, delivery

    async def say(self, done: Done, reply: Reply) -> None:
        """Say everything in answer to an interaction."""
        if reply.dm:
            await self._in_dm(done, reply)
        else:
            await self._in_place(done, reply)

    # --- one message that shows everything

    async def _in_place(self, done: Done, reply: Reply) -> None:
        found = self._sorted(done)
        if found.main is not None:
            shown = await reply.show(self._pages(found, done))
            if shown:
                await self._opened(done)
        elif done.retire:
            await reply.strip()
        if done.beside and done.menu is not None:
            await reply.tell(of_menu(done.menu, done.to.t))
        for aside in found.asides:
            await reply.tell(of_words(aside))

    def _sorted(self, done: Done) -> _Said:
        found = _Said()
        for effect in done.step.effects if done.step is not None else ():
            match effect:
                case Ask() | Mark() | Tell() | Summarise():
                    found.main = next(iter(self._rendered(done, effect)), found.main)
                case Notice():
                    found.notes += [message.body for message in self._rendered(done, effect)]
                case GiveHint() | Refuse():
                    found.asides += [self._aside(done, effect)]
        for _, message in done.edits:
            found.main = message
        if done.message is not None:
            found.main = done.message
        if done.menu is not None and found.main is not None:
            found.notes.insert(0, done.menu.words)
        elif done.menu is not None and not done.beside:
            found.main = done.menu
        if found.main is None and found.notes:
            found.main, found.notes = Message(body=tuple(b for note in found.notes for b in note)), []
        if done.toast:
            found.asides.append((line(done.toast),))
        return found

    async def _opened(self, done: Done) -> None:
        """The question was shown just now: where a clock runs, it starts."""
        step = done.step
        if step is None or step.session.phase is not Phase.ASKED or not step.session.policy.limited:
            return
        session, at = step.session, self._context.now()
        opened = Opened(by=None, position=session.position, at=at)
        await self._context.store.run(lambda tx: act(tx, self._context.bank, session.id, opened))

    # --- messages of their own

    async def _in_dm(self, done: Done, reply: Reply) -> None:
        found = _Said()
        pressed, step = reply.pressed, done.step
        for effect in step.effects if step is not None else ():
            match effect:
                case Mark() | Tell() if pressed:
                    found.main = next(iter(self._rendered(done, effect)), found.main)
                case GiveHint() | Refuse():
                    found.asides.append(self._aside(done, effect))
        for message, shown in done.edits:
            if message == pressed:
                found.main = shown
        if done.menu is not None and not done.beside:
            found.main = done.menu
        elif not pressed and done.message is not None:
            found.main = done.message
        if found.main is not None:
            await reply.show(self._pages(found, done))
        elif pressed in done.retire:
            await reply.strip()
        if done.toast:
            found.asides.append((line(done.toast),))
        for aside in found.asides:
            await reply.tell(of_words(aside))
        await reply.hold()
        await self.write(done, shown=found.main, pressed=pressed)

    async def write(self, done: Done, *, shown: Message | Menu | None = None, pressed: int = 0) -> bool:
        """Say in a private chat what is left, without an interaction.

        Args:
            done: What the transaction left.
            shown: What was said already.
            pressed: The message that was pressed on, which was seen to already; 0 if none was.

        Returns:
            Whether the person can be written to.
        """
        to = done.to
        for message, words in done.edits:
            if message != pressed:
                await self._sender.edit(to.chat, message, self._delivery.pages(words, to)[0])
        edited = {pressed, *(message for message, _ in done.edits)}
        for message in done.retire:
            if message not in edited:
                await self._sender.retire(to.chat, message)
        lost: list[int | Lost | None] = []
        if done.menu is not None and shown is not done.menu:
            lost.append(await self._delivery.say(to, of_menu(done.menu, to.t)))
        if done.message is not None and shown is not done.message:
            lost.append(await self._delivery.say(to, self._delivery.pages(done.message, to)))
        posts = iter(done.posts)
        for effect in done.step.effects if done.step is not None else ():
            match effect:
                case Ask() | Summarise():
                    if (post := next(posts, None)) is not None:
                        lost.append(await self._delivery.post(to, post, self._rendered(done, effect)[0]))
                case Notice():
                    for message_ in self._rendered(done, effect):
                        lost.append(await self._delivery.say(to, self._delivery.pages(message_, to)))
        for post in posts:
            lost.append(await self._delivery.post(to, post))
        return Lost.UNREACHABLE not in lost

    # --- what it looks like

    def _pages(self, found: _Said, done: Done) -> list[Page]:
        t = done.to.t
        if isinstance(found.main, Menu):
            return of_menu(found.main, t, found.notes)
        assert found.main is not None
        return of_message(found.main, t, self._context.bank.root, found.notes)

    def _aside(self, done: Done, effect: Effect) -> Rich:
        assert done.step is not None
        if isinstance(effect, Refuse):
            return (line(refusal(done.step.session, effect, done.to.t)),)
        return tuple(block for message in self._rendered(done, effect) for block in message.body)

    def _rendered(self, done: Done, effect: Effect) -> tuple[Message, ...]:
        assert done.step is not None
        return render(Step(done.step.session, (effect,)), self._context.bank, (done.to.t,), done.to.t)
