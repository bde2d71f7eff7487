"""The far end as a process of its own, moved from outside."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
import telegram

ROOT = Path(__file__).parents[3]
Control = Callable[..., Awaitable[dict[str, Any]]]


@pytest_asyncio.fixture
async def process() -> AsyncIterator[tuple[str, str, Control]]:
    """Address, token and the control of a far end whose time stands."""
    one = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.far_ends.telegram", "--still", stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert one.stdout is not None
    url, token = (await one.stdout.readline()).decode().split()
    async with aiohttp.ClientSession() as session:

        async def control(**wish: Any) -> dict[str, Any]:
            async with session.post(f"{url}/control", json=wish) as response:
                answer: dict[str, Any] = await response.json(content_type=None)
                return answer

        yield url, token, control
    one.terminate()
    await one.wait()


@pytest.mark.filterwarnings("ignore:.*retry_after:telegram.warnings.PTBDeprecationWarning")
async def test_a_dialogue_from_outside(process: tuple[str, str, Control]) -> None:
    url, token, control = process
    a = (await control(do="person", name="А", language_code="ru"))["id"]
    await control(do="sends", who=a, text="/start")
    async with telegram.Bot(token, f"{url}/bot") as bot:
        assert (await bot.get_updates())[0].message.text == "/start"  # type: ignore[union-attr]
        markup = telegram.InlineKeyboardMarkup([[telegram.InlineKeyboardButton("А", callback_data="1")]])
        sent = await bot.send_message(a, "Вопрос?", reply_markup=markup)
        query = (await control(do="taps", who=a, message=sent.message_id, button="А"))["query"]
        await bot.answer_callback_query(query, "да")
        assert (await control(do="query", query=query))["answer"]["text"] == "да"
        assert (await control(do="sees", chat=a))["text"].endswith("Tutor:\n  Вопрос?\n  [А]\n")
        assert [one["text"] for one in (await control(do="messages", chat=a))["messages"]] == ["Вопрос?"]
        await control(do="fault", kind="flood", method="sendMessage", retry_after_s=3)
        with contextlib.suppress(telegram.error.RetryAfter):
            await bot.send_message(a, "?")
        counts = await control(do="counts")
    assert counts["counts"]["sendMessage"] == 2
    assert counts["disagreements"] == counts["crashes"] == []
    assert (await control(do="advance", seconds=5))["now"] > 0


async def test_an_impossible_wish_is_answered_with_its_reason(process: tuple[str, str, Control]) -> None:
    _, _, control = process
    a = (await control(do="person", name="А"))["id"]
    assert "NotPossible" in (await control(do="sends", who=a, text=" "))["error"]
    assert "KeyError" in (await control(do="sends", who=5, text="?"))["error"]
    assert "do_nothing" in (await control(do="nothing"))["error"]
