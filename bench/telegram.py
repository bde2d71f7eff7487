"""Answers over Telegram: our bot, which stores every one, against bare handlers of libraries, which store nothing.

A bare handler answers the callback and edits the message. The far end runs in a process of its own, without models and
without history; each bot too. People press the next button as soon as their message was edited.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from bench.measure import Measure
from tests.far_ends.telegram import FarEnd, Person
from tests.far_ends.telegram.far_end import TOKEN
from tests.program import ROOT, environment
from tests.telegram.crowd import Crowd
from tests.telegram.program import Program

PEOPLE = 40
"""Who press at the same time."""
ROUNDS = 5
ROUND_S = 2.0
TURNS = 20
LATENCY_S = 0.05
ITEMS = 100

BARE = """
import asyncio, sys
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.ext import Application, CallbackQueryHandler, MessageHandler, filters
keyboard = InlineKeyboardMarkup.from_row([InlineKeyboardButton(x, callback_data="1:s:0:a" + x) for x in "abcd"])
words = "Question\\n\\n" + "A. an option of a usual length\\n" * 4
async def hello(update, context):
    await update.effective_chat.send_message(words, reply_markup=keyboard)
count = 0
async def tap(update, context):
    global count
    count += 1
    await update.callback_query.answer()
    await update.callback_query.edit_message_text(f"{words}\\nRight. {'An explanation of a usual length. ' * 8}{count}",
                                                  reply_markup=keyboard)
token, api, at_once = sys.argv[1:]
builder = Application.builder().token(token).base_url(api + "/bot").base_file_url(api + "/file/bot")
if int(at_once):
    builder = builder.concurrent_updates(int(at_once))
app = builder.build()
app.add_handler(CallbackQueryHandler(tap))
app.add_handler(MessageHandler(filters.ALL, hello))
app.run_polling(allowed_updates=Update.ALL_TYPES)
"""

AIOGRAM = """
import asyncio, sys
from aiogram import Bot, Dispatcher
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup
row = [InlineKeyboardButton(text=x, callback_data="1:s:0:a" + x) for x in "abcd"]
keyboard = InlineKeyboardMarkup(inline_keyboard=[row])
words = "Question\\n\\n" + "A. an option of a usual length\\n" * 4
dispatcher = Dispatcher()
count = 0
@dispatcher.callback_query()
async def tap(query):
    global count
    count += 1
    await query.answer()
    told = f"{words}\\nRight. {'An explanation of a usual length. ' * 8}{count}"
    await query.message.edit_text(told, reply_markup=keyboard)
@dispatcher.message()
async def hello(message):
    await message.answer(words, reply_markup=keyboard)
token, api, _ = sys.argv[1:]
bot = Bot(token, session=AiohttpSession(api=TelegramAPIServer.from_base(api)))
asyncio.run(dispatcher.start_polling(bot, handle_signals=False))
"""


def bank(folder: Path) -> Path:
    """A course with one long quiz of single-choice items."""
    course = folder / "bench"
    course.mkdir(parents=True)
    (course / "course.toml").write_text('[course]\nid = "bench"\ntitle.en = "Bench"\n', encoding="utf-8")
    parts = [
        '[deck]\nid = "deck"\ntitle.en = "Deck"\norder = 1\n',
        '[[quiz]]\nid = "all"\ntitle.en = "All"\nmodules = ["deck"]\n',
    ]
    for number in range(ITEMS):
        options = "".join(
            f'[item.options.{o}]\nen = "an option of a usual length {o}"\nwhy.en = "because it is so {o}"\n'
            for o in "abcd"
        )
        parts.append(
            f'[[item]]\nid = "item-{number:03}"\nkind = "single"\nkey = ["a"]\nlevel = 1\nfacts = ["B1"]\n'
            f'source = [{{title = "A source"}}]\nstem.en = "Which of these is right in case {number}?"\n'
            f'explanation.en = "{"An explanation of a usual length. " * 8}"\n{options}'
        )
    (course / "deck.toml").write_text("\n".join(parts), encoding="utf-8")
    return folder


@dataclass
class Bots:
    """One bot, in a process of its own, at a far end in this one."""

    far_end: FarEnd
    process: asyncio.subprocess.Process
    people: list[Person]
    pressed: Counter[int] = field(default_factory=Counter)
    """By person."""

    @property
    def taps(self) -> int:
        return self.pressed.total()

    def cpu_s(self) -> float:
        """Seconds of processor time the bot has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def press(self, person: Person) -> float:
        """Choose another option and wait for the feedback; gives the seconds that took."""
        message = self.far_end.last(person)
        options = [b["callback_data"] for b in message.markup["inline_keyboard"][0]]  # type: ignore[index]
        self.pressed[person.id] += 1
        words, begun = message.text, time.perf_counter()
        query = person.sends_data(message, options[self.pressed[person.id] % len(options)])
        await self.far_end.until(lambda: message.text is not words and query.is_answered, 60)
        return time.perf_counter() - begun

    async def saturated(self, seconds: float) -> float:
        """Answers per second when everybody presses again at once."""
        end, count = time.perf_counter() + seconds, 0

        async def plays(person: Person) -> None:
            nonlocal count
            while time.perf_counter() < end:
                await self.press(person)
                count += time.perf_counter() < end

        await asyncio.gather(*map(plays, self.people))
        return count / seconds

    async def waits(self, per_s: float, seconds: float) -> list[float]:
        """How long people wait who press at a steady rate, whatever the others wait."""
        begun, pressing = time.perf_counter(), []
        for number in range(int(per_s * seconds)):
            await asyncio.sleep(max(0.0, begun + number / per_s - time.perf_counter()))
            pressing.append(asyncio.create_task(self.press(self.people[number % PEOPLE])))
        return list(await asyncio.gather(*pressing))


@contextlib.asynccontextmanager
async def bot(kind: str) -> AsyncIterator[Bots]:
    """A bot with people who have a question before them, whose answer may change.

    Args:
        kind: `ours`, `bare`, `bare 64` (with so many updates at once) or `aiogram`.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with FarEnd(follows=time.monotonic, checks=False, keeps=False) as far_end:
            which, _, at_once = kind.partition(" ")
            if which == "ours":
                more = {
                    "TELEGRAM_TOKEN": TOKEN,
                    "TELEGRAM_API_URL": far_end.url,
                    "KONTROLKA_LIMITS": "off",
                    "KONTROLKA_CONTENT": str(bank(folder / "content")),
                }
                command, variables = [sys.executable, "-m", "bot", "run"], environment(folder, more)
            else:
                code = {"bare": BARE, "aiogram": AIOGRAM}[which]
                command = [sys.executable, "-c", code, TOKEN, far_end.url, at_once or "0"]
                variables = environment(folder)
            with (folder / "log").open("wb") as log:
                process = await asyncio.create_subprocess_exec(
                    *command, env=variables, cwd=ROOT, stdout=log, stderr=log
                )
            one = Bots(far_end, process, [far_end.person(f"A{number}") for number in range(PEOPLE)])
            try:
                await one.far_end.until(lambda: far_end.server.counts["getUpdates"], 60)
                for person in one.people:
                    person.sends("/start")
                await far_end.until(lambda: all(map(far_end.messages, one.people)), 60)
                if which == "ours":
                    for person in one.people:
                        person.sends_data(far_end.last(person), "1/begin/all/exam/0")
                    await far_end.until(lambda: all(len(far_end.messages(p)) > 1 for p in one.people), 60)
                await one.saturated(0.5)
                yield one
            finally:
                process.send_signal(signal.SIGKILL)
                await process.wait()


def p99(waits_s: Sequence[float]) -> float:
    return sorted(waits_s)[int(len(waits_s) * 0.99)]


async def _rate(other: str, latency_s: float = 0.0) -> tuple[float, str]:
    """Our answers per second over those of another bot, in turns."""
    async with bot("ours") as ours, bot(other) as theirs:
        rates: list[tuple[float, float]] = []
        for one in (ours, theirs):
            one.far_end.faults.latency_s = latency_s
        for _ in range(ROUNDS):
            rates.append((await ours.saturated(ROUND_S), await theirs.saturated(ROUND_S)))
        mine, other_rate = median(rate for rate, _ in rates), median(rate for _, rate in rates)
        return mine / other_rate, f"{mine:.0f} and {other_rate:.0f} answers per second"


async def _cpu(other: str) -> tuple[float, str]:
    """Our processor time per answer over that of another bot, both at work at the same time."""
    async with bot("ours") as ours, bot(other) as theirs:
        costs: list[tuple[float, float]] = []
        for _ in range(ROUNDS):
            before = [(one.cpu_s(), one.taps) for one in (ours, theirs)]
            await asyncio.gather(ours.saturated(ROUND_S), theirs.saturated(ROUND_S))
            after = [(one.cpu_s(), one.taps) for one in (ours, theirs)]
            mine, others = (
                (cpu - cpu_before) / (taps - taps_before)
                for (cpu_before, taps_before), (cpu, taps) in zip(before, after, strict=True)
            )
            costs.append((mine, others))
        ratio = median(mine / others for mine, others in costs)
        mine, others = median(mine for mine, _ in costs), median(others for _, others in costs)
        return ratio, f"{mine * 1e3:.2f} and {others * 1e3:.2f} ms per answer"


async def _p99() -> tuple[float, str]:
    """Our 99th percentile over the bare handler's, at half the rate that saturates the bare handler, in short turns."""
    async with bot("ours") as ours, bot("bare") as theirs:
        per_s = median([await theirs.saturated(ROUND_S) for _ in range(ROUNDS)]) / 2
        mine: list[float] = []
        others: list[float] = []
        for _ in range(TURNS):
            mine += await ours.waits(per_s, 1.0)
            others += await theirs.waits(per_s, 1.0)
        made_of = f"{p99(mine) * 1e3:.1f} and {p99(others) * 1e3:.1f} ms at {per_s:.0f} presses per second"
        return p99(mine) / p99(others), made_of


async def _losses() -> tuple[float, str]:
    """What is missing or doubled when 1 % of the replies are lost and 5 % of the presses are double."""
    with tempfile.TemporaryDirectory() as name:
        async with FarEnd(checks=False, keeps=False) as far_end:
            program = Program(Path(name), far_end.token, far_end.url)
            crowd = Crowd(far_end, program, PEOPLE, seed=1, doubles=0.05)
            lost = far_end.faults.reset_after(times=None, every=100)
            await crowd.lives(kills=0)
            await program.end(signal.SIGTERM)
            problems = await crowd.problems()
            missing = sum(len(crowd.asked(player)) - len(player.shown) for player in crowd.players)
            shown = sum(len(player.shown) for player in crowd.players)
        return len(problems) + missing, f"{shown} answers, {lost.hits} replies lost, {crowd.doubled} double presses"


MEASURES = (
    Measure("telegram answers over bare handler", 1.5, "at least", lambda: asyncio.run(_rate("bare"))),
    Measure("telegram answers over bare aiogram", 0.0, "at least", lambda: asyncio.run(_rate("aiogram"))),
    Measure("telegram processor time over bare handler", 0.8, "at most", lambda: asyncio.run(_cpu("bare"))),
    Measure("telegram 50 ms away over bare handler", 10, "at least", lambda: asyncio.run(_rate("bare", LATENCY_S))),
    Measure("telegram 50 ms away over 64 at once", 1.5, "at least", lambda: asyncio.run(_rate("bare 64", LATENCY_S))),
    Measure("telegram p99 over bare handler", 1.0, "at most", lambda: asyncio.run(_p99())),
    Measure("telegram lost or doubled", 0, "at most", lambda: asyncio.run(_losses())),
)
