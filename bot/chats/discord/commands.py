"""Commands: what can be typed after a slash, in every language we speak.

They are told to Discord only when they have changed: it allows 200 new commands a day.
Source: Discord developer reference, Application commands, 2026-11.
"""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import discord
from discord import app_commands
from discord.app_commands import (
    AppCommandContext,
    AppInstallationType,
    Choice,
    Range,
    TranslationContextLocation,
    locale_str,
)

from bot.chats.context import Context
from bot.chats.discord.shared import BOTH, PACES, Wish
from bot.chats.discord.who import PLATFORM
from bot.i18n import DEFAULT, Language, Languages
from bot.store import Tx

log = logging.getLogger(__name__)

MAX_SUGGESTIONS = 25
"""Source: Discord developer reference, Application commands, autocomplete choices."""

MAX_LENGTH = 200
"""Questions that can be asked for. Chosen by us."""


class Calls(Protocol):
    """What carries out the commands."""

    async def start_quiz(
        self, interaction: discord.Interaction[Any], quiz: str, mode: str, length: int, *, privately: bool
    ) -> None:
        """Begin a quiz."""

    async def start_group(self, interaction: discord.Interaction[Any], wish: Wish) -> None:
        """Begin a quiz for everybody."""

    async def top(self, interaction: discord.Interaction[Any], period: str, *, for_all: bool) -> None:
        """Show the board of a place."""

    async def streak(self, interaction: discord.Interaction[Any], city: str) -> None:
        """Show how many days in a row somebody has answered."""

    async def link(self, interaction: discord.Interaction[Any], code: str) -> None:
        """Link two accounts of one person."""

    async def command(self, interaction: discord.Interaction[Any], name: str) -> None:
        """Carry out a command without options; one of a group is named `group next` and the like."""

    async def suggest(self, interaction: discord.Interaction[Any], typed: str) -> list[Choice[str]]:
        """Quizzes that somebody may mean."""

    async def failed(self, interaction: discord.Interaction[Any], error: Exception) -> None:
        """A command could not even be begun."""


def names(t: Language) -> dict[str, str]:
    """The names of commands and of their options in a language: lower case, at most 32 letters, no spaces."""
    return {
        "quiz": t.pgettext("command", "quiz"),
        "start": t.pgettext("command", "start"),
        "resume": t.pgettext("command", "resume"),
        "stop": t.pgettext("command", "stop"),
        "language": t.pgettext("command", "language"),
        "progress": t.pgettext("command", "progress"),
        "help": t.pgettext("command", "help"),
        "privacy": t.pgettext("command", "privacy"),
        "doctor": t.pgettext("command", "doctor"),
        "mode": t.pgettext("command", "mode"),
        "length": t.pgettext("command", "length"),
        "where": t.pgettext("command", "where"),
        "daily": t.pgettext("command", "daily"),
        "group": t.pgettext("command", "group"),
        "next": t.pgettext("command", "next"),
        "reveal": t.pgettext("command", "reveal"),
        "skip": t.pgettext("command", "skip"),
        "pause": t.pgettext("command", "pause"),
        "join": t.pgettext("command", "join"),
        "leave": t.pgettext("command", "leave"),
        "pace": t.pgettext("command", "pace"),
        "who": t.pgettext("command", "who"),
        "change": t.pgettext("command", "change"),
        "here": t.pgettext("command", "here"),
        "top": t.pgettext("command", "top"),
        "period": t.pgettext("command", "period"),
        "public": t.pgettext("command", "public"),
        "streak": t.pgettext("command", "streak"),
        "city": t.pgettext("command", "city"),
        "link": t.pgettext("command", "link"),
        "code": t.pgettext("command", "code"),
        "unlink": t.pgettext("command", "unlink"),
    }


def words(t: Language) -> dict[str, str]:
    """What commands, their options and choices are described by in a language, at most 100 characters each."""
    return {
        "quiz": t.gettext("start, resume or stop a quiz"),
        "start": t.gettext("start a quiz"),
        "resume": t.gettext("show the current question again"),
        "stop": t.gettext("end the quiz and see the result"),
        "language": t.gettext("change the language"),
        "progress": t.gettext("your progress"),
        "help": t.gettext("what I can do"),
        "privacy": t.gettext("what is stored, and how to delete it"),
        "doctor": t.gettext("check whether I have everything I need here"),
        "start.quiz": t.gettext("which quiz; leave it out to see them all"),
        "start.mode": t.gettext("explanations after every answer, or results at the end"),
        "start.length": t.gettext("the largest number of questions"),
        "start.where": t.gettext("here, visible only to you, or in direct messages"),
        "mode.learn": t.gettext("Learn: explanations at once"),
        "mode.exam": t.gettext("Exam: results at the end"),
        "where.here": t.gettext("Here, visible only to you"),
        "where.dm": t.gettext("In direct messages"),
        "daily": t.gettext("a question every day in this channel, for moderators"),
        "group": t.gettext("a quiz for everybody in a thread"),
        "group.start": t.gettext("start a quiz for everybody"),
        "group.next": t.gettext("ask the next question"),
        "group.reveal": t.gettext("show the right answer now"),
        "group.skip": t.gettext("skip the question: it counts for nobody"),
        "group.pause": t.gettext("pause the quiz"),
        "group.resume": t.gettext("go on, or show the question again"),
        "group.stop": t.gettext("end the quiz and show the result"),
        "group.join": t.gettext("take part"),
        "group.leave": t.gettext("take part no longer; your answers are kept"),
        "group.quiz": t.gettext("which quiz"),
        "group.pace": t.gettext("who reveals the answers, and when"),
        "group.who": t.gettext("who may answer"),
        "group.change": t.gettext("whether answers may change until the reveal"),
        "group.language": t.gettext("the language of the questions"),
        "group.here": t.gettext("in this channel itself, without a thread of its own"),
        "pace.h": t.gettext("The host reveals the answers"),
        "pace.30": t.ngettext("{n} second per question", "{n} seconds per question", 30),
        "pace.60": t.ngettext("{n} second per question", "{n} seconds per question", 60),
        "pace.90": t.ngettext("{n} second per question", "{n} seconds per question", 90),
        "pace.a": t.gettext("Reveal when all have answered"),
        "who.all": t.gettext("Everybody may answer"),
        "who.joined": t.gettext("Only those who joined may answer"),
        "change.yes": t.gettext("Answers may change until the reveal"),
        "change.no": t.gettext("Answers are final"),
        "language.en": t.gettext("English"),
        "language.ru": t.gettext("Russian"),
        "language.both": t.gettext("Both"),
        "top": t.gettext("who has the most points here"),
        "top.period": t.gettext("this week, this month or all time"),
        "top.public": t.gettext("whether everybody in the channel sees it"),
        "period.week": t.gettext("Week"),
        "period.month": t.gettext("Month"),
        "period.all": t.gettext("All time"),
        "streak": t.gettext("how many days in a row you have answered"),
        "streak.city": t.gettext("whose time your days are counted by; only in direct messages"),
        "link": t.gettext("join your accounts on Discord and Telegram"),
        "link.code": t.gettext("the code you were shown on the other platform; leave it out to get one"),
        "unlink": t.gettext("part linked accounts again"),
    }


_NAMES = (
    TranslationContextLocation.command_name,
    TranslationContextLocation.group_name,
    TranslationContextLocation.parameter_name,
)


class _Words(app_commands.Translator):
    """Names and descriptions from our catalogues."""

    def __init__(self, languages: Languages) -> None:
        self._languages = languages

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        tag = locale.value.partition("-")[0]  # en-US is filled too: else whoever speaks it would be shown en-GB
        if tag not in self._languages.tags:
            return None
        t = self._languages[tag]
        return names(t)[string.message] if context.location in _NAMES else words(t)[string.extras["key"]]


class Tree(app_commands.CommandTree[Any]):
    """All commands, in servers and private chats, for servers and persons who have installed the app."""

    def __init__(self, client: discord.Client, calls: Calls, languages: Languages) -> None:
        super().__init__(
            client,
            allowed_contexts=AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=AppInstallationType(guild=True, user=True),
        )
        self._calls = calls
        about = {key: locale_str(text, key=key) for key, text in words(languages[DEFAULT]).items()}
        self.add_command(_quiz(calls, about))
        for name in ("language", "progress", "help", "privacy", "doctor"):
            self.add_command(_command(calls, name, about[name]))
        self.add_command(_command(calls, "unlink", about["unlink"]))
        for made in (_top, _streak, _link):
            self.add_command(made(calls, about))
        self.add_command(_group(calls, about))
        self.add_command(_in_servers(_command(calls, "daily", about["daily"])))

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Whatever could not be carried out is answered."""
        await self._calls.failed(interaction, error)


def _command(calls: Calls, name: str, about: locale_str, group: str = "") -> app_commands.Command[Any, ..., None]:
    async def carry_out(interaction: discord.Interaction[Any]) -> None:
        await calls.command(interaction, f"{group} {name}".strip())

    return app_commands.Command(name=locale_str(name), description=about, callback=carry_out)


_C = TypeVar("_C", bound="app_commands.Command[Any, ..., None] | app_commands.Group")


def _in_servers(command: _C) -> _C:
    """A command that writes for others: only where a server has installed the app."""
    command.allowed_contexts = AppCommandContext(guild=True, dm_channel=False, private_channel=False)
    command.allowed_installs = AppInstallationType(guild=True, user=False)
    return command


def _quiz(calls: Calls, about: dict[str, locale_str]) -> app_commands.Group:
    group = app_commands.Group(name=locale_str("quiz"), description=about["quiz"])
    group.add_command(_command(calls, "resume", about["resume"]))
    group.add_command(_command(calls, "stop", about["stop"]))

    async def suggest(interaction: discord.Interaction[Any], current: str) -> list[Choice[str]]:
        return await calls.suggest(interaction, current)

    @group.command(name=locale_str("start"), description=about["start"])
    @app_commands.rename(
        quiz=locale_str("quiz"), mode=locale_str("mode"), length=locale_str("length"), where=locale_str("where")
    )
    @app_commands.describe(
        quiz=about["start.quiz"], mode=about["start.mode"], length=about["start.length"], where=about["start.where"]
    )
    @app_commands.choices(
        mode=[Choice(name=about["mode.learn"], value="learn"), Choice(name=about["mode.exam"], value="exam")],
        where=[Choice(name=about["where.here"], value="here"), Choice(name=about["where.dm"], value="dm")],
    )
    @app_commands.autocomplete(quiz=suggest)
    async def start(
        interaction: discord.Interaction[Any],
        quiz: str = "",
        mode: str = "",
        length: Range[int, 1, MAX_LENGTH] = 0,
        where: str = "",
    ) -> None:
        await calls.start_quiz(interaction, quiz, mode, length, privately=where == "dm")

    return group


STEERING = ("next", "reveal", "skip", "pause", "resume", "stop", "join", "leave")
"""What can be done with a quiz for everybody while it runs."""


def _group(calls: Calls, about: dict[str, locale_str]) -> app_commands.Group:
    group = _in_servers(app_commands.Group(name=locale_str("group"), description=about["group"]))
    for name in STEERING:
        group.add_command(_command(calls, name, about[f"group.{name}"], "group"))

    async def suggest(interaction: discord.Interaction[Any], current: str) -> list[Choice[str]]:
        return await calls.suggest(interaction, current)

    @group.command(name=locale_str("start"), description=about["group.start"])
    @app_commands.rename(
        **{name: locale_str(name) for name in ("quiz", "length", "pace", "who", "change", "language", "here")}
    )
    @app_commands.describe(
        quiz=about["group.quiz"],
        length=about["start.length"],
        pace=about["group.pace"],
        who=about["group.who"],
        change=about["group.change"],
        language=about["group.language"],
        here=about["group.here"],
    )
    @app_commands.choices(
        pace=[Choice(name=about[f"pace.{pace}"], value=pace) for pace in PACES],
        who=[Choice(name=about[f"who.{who}"], value=who) for who in ("all", "joined")],
        change=[Choice(name=about[f"change.{change}"], value=change) for change in ("yes", "no")],
        language=[Choice(name=about[f"language.{language}"], value=language) for language in ("en", "ru", BOTH)],
    )
    @app_commands.autocomplete(quiz=suggest)
    async def start(
        interaction: discord.Interaction[Any],
        quiz: str,
        length: Range[int, 1, MAX_LENGTH] = 0,
        pace: str = "h",
        who: str = "all",
        change: str = "yes",
        language: str = "",
        here: bool = False,
    ) -> None:
        joined, final = who == "joined", change == "no"
        await calls.start_group(interaction, Wish(quiz, length, pace, joined, final, language, here))

    return group


def _top(calls: Calls, about: dict[str, locale_str]) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name=locale_str("top"), description=about["top"])
    @app_commands.rename(period=locale_str("period"), public=locale_str("public"))
    @app_commands.describe(period=about["top.period"], public=about["top.public"])
    @app_commands.choices(
        period=[Choice(name=about[f"period.{period}"], value=period) for period in ("week", "month", "all")]
    )
    async def top(interaction: discord.Interaction[Any], period: str = "week", public: bool = False) -> None:
        await calls.top(interaction, period, for_all=public)

    return top


def _streak(calls: Calls, about: dict[str, locale_str]) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name=locale_str("streak"), description=about["streak"])
    @app_commands.rename(city=locale_str("city"))
    @app_commands.describe(city=about["streak.city"])
    async def streak(interaction: discord.Interaction[Any], city: str = "") -> None:
        await calls.streak(interaction, city)

    return streak


def _link(calls: Calls, about: dict[str, locale_str]) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name=locale_str("link"), description=about["link"])
    @app_commands.rename(code=locale_str("code"))
    @app_commands.describe(code=about["link.code"])
    async def link(interaction: discord.Interaction[Any], code: str = "") -> None:
        await calls.link(interaction, code)

    return link


async def publish(tree: Tree, context: Context) -> bool:
    """Tell Discord the commands if they differ from what it was told last.

    Returns:
        Whether it was told anything.

    Raises:
        discord.HTTPException: Discord refused or did not answer; what it was told last stays.
    """
    await tree.set_translator(_Words(context.languages))
    translator = tree.translator
    assert translator is not None
    payload = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    print_ = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
    application = str(tree.client.application_id)

    def known(tx: Tx) -> bool:
        """What was told is kept with a place that stands for the application itself."""
        place = tx.place_of(PLATFORM, f"app:{application}", at=context.now())
        return place.settings.get("commands") == print_

    def told(tx: Tx) -> None:
        place = tx.place_of(PLATFORM, f"app:{application}", at=context.now())
        tx.set_place(replace(place, settings={**place.settings, "commands": print_}))

    if await context.store.run(known):
        return False
    await tree.sync()
    await context.store.run(told)
    log.info("discord was told the commands")
    return True
