"""The installed program as a process: ended, killed, misconfigured, and against an emulator that others wrote."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.store import PostState
from tests.far_ends.telegram import FarEnd
from tests.program import WAIT_S, kontrolka, stored
from tests.telegram.crowd import Crowd
from tests.telegram.desk import button, seed_folder
from tests.telegram.program import Program


async def test_sigterm_in_the_middle_of_everything_loses_nothing(tmp_path: Path) -> None:
    async with FarEnd(checks=False) as far_end:
        program = Program(tmp_path, far_end.token, far_end.url)
        people = [far_end.person(f"A{number}") for number in range(10)]
        for person in people:
            person.sends("/start")
        await program.start()
        await far_end.until(lambda: all(far_end.messages(p) for p in people), 60)
        for person in people:
            person.taps(*button(far_end, person, "1/begin"))
        await far_end.until(lambda: all(any("Question 1" in m.words for m in far_end.messages(p)) for p in people))
        far_end.faults.latency_s = 0.3
        taps = [person.taps(*button(far_end, person, "D")) for person in people]
        await far_end.until(lambda: far_end.server.counts["editMessageText"] > len(people) + 3)
        assert await program.end(signal.SIGTERM) == 0
        sending = await asyncio.to_thread(stored, program.data, lambda tx: tx.posts.in_state(PostState.SENDING))
        assert sending == []
        far_end.faults.latency_s = 0
        polls = far_end.server.counts["getUpdates"]
        await program.start()
        await far_end.until(lambda: far_end.server.counts["getUpdates"] > polls, 60)
        await far_end.until(lambda: all(any("Right." in m.words for m in far_end.messages(p)) for p in people), 60)
        await far_end.until(lambda: all(tap.is_answered for tap in taps))
        assert await program.end(signal.SIGTERM) == 0
        assert "stopped" in program.words
        assert "Traceback" not in program.words
        assert far_end.token not in program.words


async def test_killed_at_random_moments_it_loses_and_doubles_nothing(tmp_path: Path) -> None:
    async with FarEnd(checks=False) as far_end:
        program = Program(tmp_path, far_end.token, far_end.url)
        crowd = Crowd(far_end, program, people=12, seed=4)
        await crowd.lives(kills=3)
        assert await crowd.presses_everything_old() > 100
        assert await program.end(signal.SIGTERM) == 0
        assert await crowd.problems() == []
        assert "incident" not in program.words


async def test_an_unknown_token_ends_it_with_a_clear_message(tmp_path: Path) -> None:
    async with FarEnd(checks=False) as far_end:
        program = Program(tmp_path, "123456:a-token_that_nobody_knows_0000000", far_end.url, {"KONTROLKA_LANG": "ru"})
        await program.start()
        assert await program.ended() == 1
        assert "TELEGRAM_TOKEN" in program.words
        assert "a-token_that_nobody_knows" not in program.words


async def checked(far_end: FarEnd, home: Path, lang: str = "en", **more: str) -> tuple[int, str]:
    """What `check --online` says about Telegram."""
    content = str(seed_folder(home / "content"))
    settings = {
        "TELEGRAM_TOKEN": far_end.token,
        "TELEGRAM_API_URL": far_end.url,
        "KONTROLKA_CONTENT": content,
        **more,
    }
    ran = await asyncio.to_thread(kontrolka, home, "check", "--online", "--lang", lang, more=settings)
    assert "Traceback" not in ran.err
    return ran.code, " ".join(ran.out.partition("Telegram: @")[2].split()) or ran.out


@pytest.mark.parametrize("lang", ["en", "ru"])
async def test_the_check_online_says_who_we_are(tmp_path: Path, lang: str) -> None:
    async with FarEnd(checks=False) as far_end:
        code, words = await checked(far_end, tmp_path, lang)
        assert code == 0
        assert words.startswith("kontrolka_test_bot")
        assert {"en": "Updates are fetched.", "ru": "Бот сам запрашивает обновления"}[lang] in words


async def test_the_check_online_names_what_is_set_up_wrongly(tmp_path: Path) -> None:
    async with FarEnd(checks=False) as far_end:
        far_end.world.reads_groups = True
        async with far_end.bot() as bot:
            await bot.set_webhook("http://127.0.0.1:1/left/behind")
        far_end.person("A").sends("/start")
        while far_end.updates.last_error is None:  # noqa: ASYNC110 the far end has no event for it
            await asyncio.sleep(0)
        code, words = await checked(far_end, tmp_path)
        assert code == 1
        assert "/setprivacy" in words
        assert "the next start removes it" in words
        assert "Telegram cannot deliver to http://127.0.0.1:1/left/behind: Connection failed" in words
        assert "1 update waits there" in words


async def test_the_check_online_knows_a_wrong_token_and_a_dead_line(tmp_path: Path) -> None:
    async with FarEnd(checks=False) as far_end:
        code, words = await checked(far_end, tmp_path, TELEGRAM_TOKEN="123456:a-token_that_nobody_knows_00000")
        assert code == 1
        assert "does not accept this token" in words
        code, words = await checked(far_end, tmp_path, TELEGRAM_API_URL="http://127.0.0.1:1")
        assert code == 1
        assert "did not answer" in words
        assert far_end.token not in words


async def test_reports_are_listed_while_the_program_runs(tmp_path: Path) -> None:
    async with FarEnd(checks=False) as far_end:
        program = Program(tmp_path, far_end.token, far_end.url)
        ran = await asyncio.to_thread(kontrolka, tmp_path, "bank", "reports")
        assert (ran.code, ran.words) == (0, "No reports.")
        await program.start()
        a = far_end.person("A")
        a.sends("/start item_why-checkpoints-are-sharded")
        await far_end.next_message(a)
        a.taps(far_end.last(a), "D")
        await far_end.until(lambda: "your answer" in far_end.last(a).words)
        a.taps(far_end.last(a), "Report a mistake")
        await far_end.until(lambda: "What is wrong?" in far_end.last(a).words)
        a.replies(far_end.last(a), "B is right,\ntoo <b>")
        await far_end.until(lambda: "to your report" in far_end.last(a).words)
        ran = await asyncio.to_thread(kontrolka, tmp_path, "bank", "reports", "--lang", "ru")
        assert ran.code == 0
        assert ran.out.count("UTC · why-checkpoints-are-sharded · en") == 2
        assert ran.out.endswith(
            "    (без пояснений)\n"
            + ran.out.splitlines()[2]
            + "\n    B is right,\n    too <b>\n2 сообщения об ошибках.\n"
        )
        assert await program.end(signal.SIGTERM) == 0


# A far end that others wrote


EMULATOR = """
import json, sys, telegram
from aiohttp import web
from lo_bot_api_emulator import LoBotApiEmulator, updates
class Emulator(LoBotApiEmulator):
    def validate(self, method, fields, uploads):
        older = {name: value for name, value in fields.items() if name != "link_preview_options"}
        markup = older.get("reply_markup")
        if markup:
            markup = json.loads(markup) if isinstance(markup, str) else json.loads(json.dumps(markup))
            [button.pop("style", None) for row in markup.get("inline_keyboard", []) for button in row]
            older["reply_markup"] = markup if not isinstance(fields["reply_markup"], str) else json.dumps(markup)
        answer = super().validate(method, older, uploads)  # without what is newer than the emulator
        print(json.dumps({"method": method, "fields": fields, "answer": answer}), flush=True)
        return {**answer, "username": "fixture_bot"} if method == "getMe" else answer
updates.ALLOWED_UPDATE_TYPES.update(telegram.Update.ALL_TYPES)
app = Emulator(enable_control=True).app()
web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), access_log=None)
"""

EMULATED = "1234567:emulated_token_for_tests_only_0000"


class Emulated:
    """A person at the emulator: it keeps no chats, so the person remembers what came."""

    def __init__(self, calls: asyncio.StreamReader, url: str, session: aiohttp.ClientSession) -> None:
        self._calls, self._url, self._session = calls, url, session
        self._user = {"id": 5, "is_bot": False, "first_name": "А", "language_code": "ru"}
        self._chat = {"id": 5, "type": "private"}

    async def does(self, update: dict[str, Any]) -> None:
        body = {"token": EMULATED, "update": update}
        async with self._session.post(f"{self._url}/__fixture/updates", json=body) as response:
            assert response.status == 200, await response.text()

    async def types(self, text: str) -> None:
        await self.does({"message": {"message_id": 1, "date": 1, "chat": self._chat, "from": self._user, "text": text}})

    async def presses(self, message: int, data: str) -> None:
        on = {"message_id": message, "date": 1, "chat": self._chat, "text": "?"}
        query = {"id": str(message), "from": self._user, "message": on, "chat_instance": "1", "data": data}
        await self.does({"callback_query": query})

    async def gets(self, method: str, words: str) -> dict[str, Any]:
        """Wait for a call with some words in its text; gives its fields, and the message's id."""
        async with asyncio.timeout(WAIT_S):
            while True:
                line = await self._calls.readline()
                assert line, "the emulator has ended"
                if line.startswith(b"{"):
                    call = json.loads(line)
                    if call["method"] == method and words in call["fields"].get("text", ""):
                        answer = call["answer"]
                        return {**call["fields"], "id": answer["message_id"] if isinstance(answer, dict) else 0}


def data_of(call: dict[str, Any], label: str) -> str:
    """The data of a button."""
    rows = call["reply_markup"]
    rows = json.loads(rows) if isinstance(rows, str) else rows
    return next(b["callback_data"] for row in rows["inline_keyboard"] for b in row if b["text"] == label)


async def test_a_dialogue_at_an_emulator_of_others(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    emulator = await asyncio.create_subprocess_exec(
        sys.executable, "-u", "-c", EMULATOR, str(port), stdout=asyncio.subprocess.PIPE, limit=2**20
    )
    assert emulator.stdout is not None
    url = f"http://127.0.0.1:{port}"
    program = Program(tmp_path, EMULATED, url)
    try:
        async with asyncio.timeout(WAIT_S):
            while b"Running on" not in await emulator.stdout.readline():
                pass
        await program.start()
        async with aiohttp.ClientSession() as session:
            a = Emulated(emulator.stdout, url, session)
            await a.types("/start")
            hello = await a.gets("sendMessage", "Здравствуйте")
            await a.presses(hello["id"], data_of(hello, "Начать тест"))
            for number, right in enumerate("DBCABCAD", 1):
                question = await a.gets("sendMessage", f"Вопрос {number} из 8")
                await a.presses(question["id"], data_of(question, right))
                answered = await a.gets("editMessageText", "Верно.")
                await a.presses(question["id"], data_of(answered, "Завершить" if number == 8 else "Дальше"))
            summary = await a.gets("sendMessage", "Тест завершён.")
            assert "8 баллов из 8" in summary["text"]
            await a.types("/stop")
            await a.gets("sendMessage", "нет незаконченного теста")
        assert await program.end(signal.SIGTERM) == 0
        assert "refused" not in program.words
    finally:
        await program.end(signal.SIGKILL)
        emulator.kill()
        await emulator.wait()
