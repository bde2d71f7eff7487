"""`kontrolka run`: serve the platforms whose tokens are set, in one process, with one clean end."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol, runtime_checkable

import click

from bot import log as logs
from bot.app import Heartbeat, opened, tick
from bot.chats.context import Context
from bot.i18n import Language
from bot.log import incident
from bot.quiz import Step
from bot.settings import Settings

log = logging.getLogger(__name__)

AGAIN_S = (1.0, 60.0)
"""Pause before a platform that broke is started again: at first, and at most; doubled each time. Chosen by us."""

CATCH_UP_S = 10.0
"""How long what is due waits at the start for what people did in time while the program was down. Chosen by us."""

TICK_S = 1.0
"""How often platforms look for what they could not send, in seconds. Chosen by us."""


class Platform(Protocol):
    """What serves one platform."""

    async def run(self) -> None:
        """Serve until cancelled."""

    async def deliver(self, step: Step) -> None:
        """Say what the clock has done; what belongs to another platform is passed over."""

    async def tick(self) -> None:
        """Try again what could not leave."""


@runtime_checkable
class KeepsForUs(Protocol):
    """A platform that keeps what people do while we are down."""

    async def caught_up(self) -> None:
        """Wait until that is carried out."""


def serve(settings: Settings, t: Language) -> int:
    """Serve until SIGINT or SIGTERM.

    Returns:
        0 after a clean end, 1 if no platform could be served, 2 if there is no token.
    """
    if not settings.telegram_token and not settings.discord_token:
        click.echo(
            t.gettext(
                "No token is set, so there is no platform to serve.\n"
                "To play without an account: kontrolka play\n"
                "Telegram: ask @BotFather for a token (/newbot) and set TELEGRAM_TOKEN.\n"
                "Discord: create an application in the developer portal, copy the token of its bot and set "
                "DISCORD_TOKEN."
            ),
            err=True,
        )
        return 2
    logs.set_up(
        "json" if settings.log == "json" else "text",
        secrets=(settings.telegram_token, settings.discord_token, settings.telegram_webhook_secret),
    )
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(_serve(settings, t))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The loop of uvloop, where the system has it, because it costs less time per update."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _serve(settings: Settings, t: Language) -> int:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # not on every system
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    heartbeat = Heartbeat(settings.data_file)
    async with opened(settings) as context:
        platforms = _platforms(settings, context)

        async def deliver(step: Step) -> None:
            for name, platform in platforms.items():
                try:
                    await platform.deliver(step)
                except Exception as error:  # noqa: BLE001 the other platform may be the one it is for
                    incident(log, error, context.new_id, f"delivering to {name}")

        served = [asyncio.create_task(_keep(name, platform, t)) for name, platform in platforms.items()]
        clock = asyncio.create_task(_tick(context, platforms, deliver, heartbeat))
        clocks = [clock, asyncio.create_task(_retry(platforms))]
        stop = asyncio.create_task(stopped.wait())
        everything_ended = asyncio.gather(*served)
        await asyncio.wait((stop, everything_ended), return_when=asyncio.FIRST_COMPLETED)
        clean = stopped.is_set()
        log.info("stopping")
        for task in (*clocks, *served, stop):
            task.cancel()
        await asyncio.gather(*clocks, *served, stop, everything_ended, return_exceptions=True)
    heartbeat.end()
    log.info("stopped")
    return 0 if clean else 1


def _platforms(settings: Settings, context: Context) -> dict[str, Platform]:
    platforms: dict[str, Platform] = {}
    if settings.telegram_token:
        from bot.chats.telegram import TelegramBot, Webhook

        webhook = None
        if settings.telegram_webhook_url and settings.telegram_webhook_secret:
            host, port = settings.telegram_webhook_listen or ("127.0.0.1", 8080)
            webhook = Webhook(settings.telegram_webhook_url, settings.telegram_webhook_secret, host, port)
        platforms["Telegram"] = TelegramBot(
            context,
            settings.telegram_token,
            api=settings.telegram_api_url,
            webhook=webhook,
            limits=settings.limits is not False,
        )
    if settings.discord_token:
        from bot.chats.discord import DiscordBot

        platforms["Discord"] = DiscordBot(context, settings.discord_token, api=settings.discord_api_url)
    return platforms


async def _tick(
    context: Context,
    platforms: dict[str, Platform],
    deliver: Callable[[Step], Awaitable[None]],
    heartbeat: Heartbeat,
) -> None:
    """Carry out what is due: a question that ran out while we were down closes after the votes that were in time."""
    behind = [platform for platform in platforms.values() if isinstance(platform, KeepsForUs)]
    with suppress(TimeoutError):
        async with asyncio.timeout(CATCH_UP_S):
            await asyncio.gather(*(platform.caught_up() for platform in behind))
    await tick(context, deliver, heartbeat)


async def _keep(name: str, platform: Platform, t: Language) -> None:
    """Serve a platform; one that broke is started again, one that cannot be served is left alone with a message."""
    pause_s, longest_s = AGAIN_S
    while True:
        try:
            await platform.run()
        except Exception as error:  # one platform must not take the other down
            if (why := _hopeless(error, t)) is not None:
                log.error("%s cannot be served: %s", name, why)
                return
            log.error("%s broke, next try in %s s", name, pause_s, exc_info=error)
        await asyncio.sleep(pause_s)
        pause_s = min(pause_s * 2, longest_s)


def _hopeless(error: Exception, t: Language) -> str | None:
    """Why a platform cannot be served before somebody has done something; None if it may be tried again."""
    from discord import LoginFailure
    from telegram.error import InvalidToken

    from bot.chats.telegram import TwoPollersError

    match error:
        case LoginFailure():
            return t.gettext(
                "Discord does not accept this token: copy it again from the developer portal into DISCORD_TOKEN."
            )
        case InvalidToken():
            return t.gettext("Telegram does not accept this token: copy it again from BotFather into TELEGRAM_TOKEN.")
        case TwoPollersError():
            return t.gettext(
                "Another program fetches the updates of the same Telegram bot. Stop it, then start this one again; "
                "nothing was lost."
            )
        case _:
            return None


async def _retry(platforms: dict[str, Platform]) -> None:
    while True:
        await asyncio.sleep(TICK_S)
        for name, platform in platforms.items():
            try:
                await platform.tick()
            except Exception as error:  # it is tried again in a second
                log.warning("%s: what waits could not be sent", name, exc_info=error)
