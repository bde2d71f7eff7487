"""The bot: interactions become use cases, each carried out in one transaction and answered after its commit."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar, cast

import discord
import yarl
from discord.app_commands import Choice
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.bank import Rich
from bot.chats.context import Context
from bot.chats.discord.boarding import MENUS, Boarding
from bot.chats.discord.channels import Channels
from bot.chats.discord.commands import MAX_SUGGESTIONS, Tree, publish
from bot.chats.discord.delivery import Delivery
from bot.chats.discord.doctor import examine
from bot.chats.discord.items import CHOOSE, TAKEN, Filled, Form, PickItem, TapItem, form, written
from bot.chats.discord.layout import of_menu, of_words
from bot.chats.discord.losing import Losing
from bot.chats.discord.panel import CityForm, DailyPanel
from bot.chats.discord.posting import Posting
from bot.chats.discord.quizzes import Quizzes, suggestions
from bot.chats.discord.reply import Reply
from bot.chats.discord.sending import Sender
from bot.chats.discord.shared import Shared, Wish
from bot.chats.discord.speaking import Speaking
from bot.chats.discord.who import PLATFORM, Caller, host_of, who
from bot.chats.many import Many
from bot.chats.menus import said
from bot.chats.payload import Pick, Tap, read
from bot.chats.starting import Asked, Done
from bot.i18n import Language
from bot.log import incident
from bot.present import Verb, forgotten, line
from bot.quiz import Step
from bot.store import Tx, Unavailable

log = logging.getLogger(__name__)

COMMIT_S = 1.0
"""An interaction whose commit takes longer is acknowledged before it. Chosen by us: Discord waits three seconds."""

RATE_LIMIT_S = 30.0
"""A call that Discord asks to delay for longer is given up; posts are tried again later. The least discord.py takes."""

STOP_S = 4.0
"""How long what is at work may take when the program stops. Chosen by us: five seconds are promised."""

T = TypeVar("T")

UseCase = Callable[[Asked], Done]


class Client(discord.AutoShardedClient):
    """One connection to Discord. Nothing it remembers matters: everything is in the store and in the payloads."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            max_ratelimit_timeout=RATE_LIMIT_S,
        )
        self._context = context
        self.tree = Tree(self, self, context.languages)
        sender = Sender(self)
        self.delivery = Delivery(context, sender)
        self.speaking = Speaking(context, sender, self.delivery)
        self._losing = Losing(context, sender)
        self.quizzes = Quizzes(context)
        channels, many = Channels(self), Many(context)
        self.posting = Posting(context, channels, sender, many)
        self.shared = Shared(context, channels, many, self.posting, self)
        self.panel = DailyPanel(context, self.shared, self.posting, self)
        self.boarding = Boarding(context, self.shared, self.posting, self)
        self._commands: dict[str, UseCase] = {
            "resume": self.quizzes.resume,
            "stop": self.quizzes.stop,
            "language": self.quizzes.language,
            "progress": self.quizzes.progress,
            "help": self.quizzes.help,
            "privacy": self.quizzes.privacy,
        }
        self._at_work: set[asyncio.Task[Any]] = set()
        self.serves = False

    # --- coming and going

    async def setup_hook(self) -> None:
        """Once after the log-in: who is pressed is known, and the commands are up to date."""
        self.add_dynamic_items(TapItem, PickItem)
        try:
            await publish(self.tree, self._context)
        except (discord.HTTPException, discord.app_commands.AppCommandError, Unavailable) as error:
            log.warning("the commands could not be brought up to date: %s", type(error).__name__, exc_info=error)

    async def on_ready(self) -> None:
        """The gateway is there; it may come more than once."""
        self.add_dynamic_items(TapItem, PickItem)
        if self.serves:
            return
        self.serves = True
        log.info("discord: serving as %s in %d servers", self.user, len(self.guilds))
        await self.posting.take_up(await self.delivery.take_up())

    async def on_resumed(self) -> None:
        """The gateway is there again."""
        self.add_dynamic_items(TapItem, PickItem)

    async def drain(self) -> None:
        """Let what is at work finish, for so long at most."""
        self.serves = False
        if self._at_work:
            await asyncio.wait(set(self._at_work), timeout=STOP_S)
        await self.posting.drain(STOP_S)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:
        """A bug in the handling of an event."""
        error = sys.exception()
        if error is not None:
            incident(log, error, self._context.new_id, event_method)

    # --- what is lost

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """We were removed from a server, or it is no more."""
        for channel in (*guild.channels, *guild.threads):
            await self._losing.lose(channel, "kicked")

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is no more, with its threads."""
        await self._losing.lose(channel)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is no more."""
        await self._losing.lose_address(str(payload.parent_id), str(payload.thread_id))

    # --- interactions

    async def pressed(self, interaction: discord.Interaction[Any], payload: str, values: Sequence[str]) -> None:
        """Something of ours was pressed."""
        wanted = read(values[0] if payload == str(Pick(CHOOSE)) and values else payload)
        message = interaction.message.id if interaction.message is not None else 0
        match wanted:
            case Tap() if for_many(interaction):
                await self.shared.press(interaction, wanted, values)
            case Pick("resend", (number,)) if number.isdecimal():
                await self.shared.resend(interaction, int(number))
            case Pick("daily"):
                await self.panel.press(interaction, wanted)
            case Pick(menu) if menu in MENUS:
                await self.boarding.press(interaction, wanted)
            case Tap(session, position, Verb.ANSWER, "") if not values:
                await self._open(interaction, Filled(Form.ANSWER, session, position, interaction.user.id))
            case Tap(session, position, Verb.REPORT):
                await self._open(interaction, Filled(Form.REPORT, session, position, interaction.user.id))
            case Tap(session, position, Verb.ANSWER, "") if len(values) == 1 and len(values[0]) <= 2:
                tap = Tap(session, position, Verb.ANSWER, values[0])
                await self._carry_out(interaction, lambda asked: self.quizzes.tap(asked, tap, message))
            case Tap(_, _, Verb.SELECT, ""):
                await self._carry_out(interaction, lambda asked: self.quizzes.tick(asked, wanted, values, message))
            case Tap():
                await self._carry_out(interaction, lambda asked: self.quizzes.tap(asked, wanted, message))
            case Pick():
                await self._carry_out(interaction, lambda asked: self.quizzes.pick(asked, wanted, message))
            case None:
                await self._carry_out(interaction, self.quizzes.foreign)

    async def _open(self, interaction: discord.Interaction[Any], filled: Filled) -> None:
        """Open a form, unless it is too late for it."""
        message = interaction.message.id if interaction.message is not None else 0

        async def answer(asked_done: Done | None, t: Language, reply: Reply) -> None:
            if asked_done is None:
                await reply.ask(form(filled, t, ""))
            else:
                await self.speaking.say(asked_done, reply)

        await self._answer(interaction, lambda asked: self.quizzes.opens(asked, filled, message), answer)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """What the library has not handed to an item or a command: filled forms, and buttons it does not know."""
        data = cast("dict[str, Any]", interaction.data or {})
        custom_id = str(data.get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit:
            filled = Filled.read(custom_id)
            city = CityForm.read(custom_id)
            message = interaction.message.id if interaction.message is not None else 0
            if city is not None and city.user == interaction.user.id:
                await self.panel.fill(interaction, city, written(interaction))
                return
            if filled is None or filled.user != interaction.user.id:
                await self._carry_out(interaction, self.quizzes.foreign)
                return
            words = written(interaction)
            if for_many(interaction):
                await self.shared.fill(interaction, filled, words)
                return
            await self._carry_out(interaction, lambda asked: self.quizzes.fill(asked, filled, words, message))
        elif interaction.type is discord.InteractionType.component and TAKEN not in interaction.extras:
            await self.pressed(interaction, custom_id, data.get("values") or ())

    # --- commands

    async def command(self, interaction: discord.Interaction[Any], name: str) -> None:
        """A command without options."""
        if name == "daily":
            await self.panel.open(interaction)
            return
        if name == "unlink":
            await self.boarding.unlink(interaction)
            return
        if name.startswith("group "):
            await self.shared.steer(interaction, name.removeprefix("group "))
            return
        if name != "doctor":
            await self._carry_out(interaction, self._commands[name])
            return
        dm = Caller.of(interaction).dm
        await self._carry_out(
            interaction, lambda asked: Done(asked.to, menu=said(examine(interaction, asked.to.t, dm=dm)))
        )

    async def start_quiz(
        self, interaction: discord.Interaction[Any], quiz: str, mode: str, length: int, *, privately: bool
    ) -> None:
        """`/quiz start`."""

        def use_case(asked: Asked) -> Done:
            return self.quizzes.start(asked, quiz, mode, length)

        if not privately or Caller.of(interaction).dm:
            await self._carry_out(interaction, use_case)
            return

        async def answer(done: Done | None, t: Language, reply: Reply) -> None:
            assert done is not None
            await reply.hold()
            if await self.speaking.write(done):
                words = t.gettext("I have written to you in direct messages.")
            else:
                words = t.gettext(
                    "I cannot write to you: allow direct messages from this server in its privacy settings, or start "
                    "the quiz here."
                )
            await reply.tell(of_words((line(words),)))

        await self._answer(interaction, use_case, answer, privately=True)

    async def start_group(self, interaction: discord.Interaction[Any], wish: Wish) -> None:
        """`/group start`."""
        await self.shared.start(interaction, wish)

    async def top(self, interaction: discord.Interaction[Any], period: str, *, for_all: bool) -> None:
        """`/top`."""
        await self.boarding.top(interaction, period, for_all=for_all)

    async def streak(self, interaction: discord.Interaction[Any], city: str) -> None:
        """`/streak`."""
        await self.boarding.streak(interaction, city)

    async def link(self, interaction: discord.Interaction[Any], code: str) -> None:
        """`/link`."""
        await self.boarding.link(interaction, code)

    async def suggest(self, interaction: discord.Interaction[Any], typed: str) -> list[Choice[str]]:
        """Quizzes for somebody who types."""
        context, caller = self._context, Caller.of(interaction)

        def chosen(tx: Tx) -> str | None:
            learner = tx.known_learner(PLATFORM, str(caller.user))
            found = tx.learner(learner) if learner is not None else None
            return found.locale if found is not None else None

        try:
            locale = await context.store.read(chosen)
        except Unavailable:
            locale = None
        t = context.languages.negotiate(locale, *caller.locales)
        return [Choice(name=title, value=id_) for title, id_ in suggestions(context.bank, t, typed, MAX_SUGGESTIONS)]

    async def failed(self, interaction: discord.Interaction[Any], error: Exception) -> None:
        """A command could not even be begun: Discord knows another form of it."""
        if interaction.type is discord.InteractionType.autocomplete:
            incident(log, error, self._context.new_id, "autocomplete")
            return
        caller = Caller.of(interaction)
        t, reply = caller.language(self._context), Reply(interaction, dm=caller.dm)
        if isinstance(error, discord.app_commands.CommandNotFound | discord.app_commands.CommandSignatureMismatch):
            words = t.gettext("This command has changed. Restart Discord and try again.")
        else:
            words = _broke(t, incident(log, error, self._context.new_id, "a command"))
        await reply.tell(of_words((line(words),)))

    # --- one interaction

    async def _carry_out(self, interaction: discord.Interaction[Any], use_case: UseCase) -> None:
        """Carry out a use case and say what it left."""

        async def answer(done: Done | None, t: Language, reply: Reply) -> None:
            assert done is not None
            if done.forget:
                removed = await self._context.store.forget(done.to.learner)
                await reply.show(of_menu(said(_forgotten(t, removed)), t))
            else:
                await self.speaking.say(done, reply)

        await self._answer(interaction, use_case, answer)

    async def _answer(
        self,
        interaction: discord.Interaction[Any],
        use_case: Callable[[Asked], Done | None],
        answer: Callable[[Done | None, Language, Reply], Any],
        *,
        privately: bool = False,
    ) -> None:
        """Carry out a use case in one transaction and answer after its commit; whatever happens, it is answered.

        Args:
            interaction: Not answered yet.
            use_case: Over the transaction.
            answer: Says what it left, in the language of the person.
            privately: Whether the private chat is meant, wherever the interaction was.
        """
        caller = Caller.of(interaction)

        async def carry_out(reply: Reply) -> None:
            context, at, new_id = self._context, self._context.now(), self._context.new_id()

            def work(tx: Tx) -> tuple[Done | None, Language]:
                to = who(tx, context, caller, at, privately=privately)
                asked = Asked(
                    tx,
                    to,
                    at,
                    new_id,
                    f"{PLATFORM}:{interaction.id}",
                    sent_at=interaction.created_at,
                    posted=caller.dm or privately,
                )
                return use_case(asked), to.t

            await answer(*await self.committed(reply, work), reply)

        await self.attend(interaction, carry_out)

    async def attend(
        self, interaction: discord.Interaction[Any], carry_out: Callable[[Reply], Awaitable[None]]
    ) -> None:
        """See to it that an interaction is answered, whatever happens.

        Args:
            interaction: Not answered yet.
            carry_out: Does what is wanted and answers.
        """
        task = asyncio.current_task()
        if task is not None:
            self._at_work.add(task)
        caller = Caller.of(interaction)
        reply = Reply(interaction, dm=caller.dm)
        try:
            await carry_out(reply)
        except Unavailable as error:
            log.warning("an interaction could not be carried out: %s", error)
            t = caller.language(self._context)
            await reply.tell(
                of_words(
                    (
                        line(
                            t.gettext(
                                "I cannot save anything at the moment, so nothing was counted. Please try again soon."
                            )
                        ),
                    )
                )
            )
        except Exception as error:  # noqa: BLE001 a person waits for an answer
            number = incident(log, error, self._context.new_id, f"interaction {interaction.type.name}")
            await reply.tell(of_words((line(_broke(caller.language(self._context), number)),)))
        finally:
            await reply.close()
            self._at_work.discard(cast("asyncio.Task[Any]", task))

    async def committed(self, reply: Reply, work: Callable[[Tx], T]) -> T:
        """Carry out a transaction; an interaction that waits for its commit too long is acknowledged meanwhile."""
        committed = self._context.store.run(work)
        await asyncio.wait({committed}, timeout=COMMIT_S)
        if not committed.done():
            await reply.hold()
        return await committed


def for_many(interaction: discord.Interaction[Any]) -> bool:
    """Whether what was pressed stands where everybody can read it; what one person alone sees is about that person."""
    message = interaction.message
    return interaction.guild_id is not None and message is not None and not message.flags.ephemeral


def _broke(t: Language, number: str) -> str:
    return t.gettext(
        "Something went wrong on my side. Your place is saved. Try again; if it happens again, tell "
        "the bot's operator this number: {number}",
        number=number,
    )


def _forgotten(t: Language, removed: dict[str, int]) -> Rich:
    """What was deleted, and how to begin anew here."""
    again = t.gettext("The operator's backups keep it until they are replaced. To start over: /quiz start")
    return (*forgotten(t, removed)[:1], line(again))


async def name_of(token: str, api: str | None) -> str:
    """What Discord calls the bot of a token; nothing is changed there.

    Raises:
        discord.LoginFailure: Discord does not know the token.
        discord.HTTPException: Discord refused.
        aiohttp.ClientError: Discord did not answer.
    """
    if api is not None:
        Route.BASE = f"{api}/api/v10"
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(token)
        assert client.user is not None  # the login has asked for it
        return client.user.name


class DiscordBot:
    """Discord, from start to stop."""

    def __init__(self, context: Context, token: str, *, api: str | None = None) -> None:
        """Wire it up; nothing is sent before `run`.

        Args:
            context: The tutor's means.
            token: From the developer portal.
            api: Another API server, such as `http://127.0.0.1:8080`; its addresses begin with `/api/v10`.
        """
        self._context, self._token, self._api = context, token, api
        self._client: Client | None = None

    async def run(self) -> None:
        """Serve until cancelled.

        Raises:
            discord.LoginFailure: Discord does not know the token.
            discord.PrivilegedIntentsRequired: Discord refuses what we want to hear of.
            discord.GatewayNotFound: Discord did not answer at the start.
            discord.HTTPException: The same.
        """
        discord.VoiceClient.warn_nacl = False  # we never speak aloud
        client = Client(self._context)
        if self._api is not None:
            Route.BASE = f"{self._api}/api/v10"
        async with client:
            try:
                await client.login(self._token)
                if self._api is not None:
                    _, gateway, _ = await client.http.get_bot_gateway()
                    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
                self._client = client
                await client.connect()
            finally:
                self._client = None
                await client.drain()
                log.info("discord: stopped")

    async def tick(self) -> None:
        """Once a second or so: what could not leave is tried again."""
        if self._client is not None and self._client.serves:
            await self._client.delivery.tick()
            self._client.posting.tick()

    async def deliver(self, step: Step) -> None:
        """Say what the clock has done in a place or a private chat of ours.

        Of other platforms' sessions nothing is said, nor of those that one hidden message shows: that can only be
        changed when its person presses something, and then it shows the present state.
        """
        client = self._client
        if client is None or not client.serves:
            return
        if not step.session.policy.solo:
            await client.posting.deliver(step)
            return
        context = self._context

        def demand(tx: Tx) -> Done | None:
            to = host_of(tx, context, step.session.place)
            return None if to is None else client.quizzes.told(Asked(tx, to, context.now(), "", ""), step)

        done = await context.store.run(demand)
        if done is not None:
            await client.speaking.write(done)
