"""Receiving: polling, webhooks, and updates that come twice, in another order, or broken."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
import telegram
from aiohttp import web
from telegram.error import Conflict, TelegramError

from .far_end import FarEnd


def texts(updates: tuple[telegram.Update, ...]) -> list[str | None]:
    return [update.effective_message.text for update in updates if update.effective_message]


# Polling


async def test_an_update_comes_again_until_its_offset_is_passed(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    for text in "123":
        a.sends(text)
    first = await bot.get_updates(limit=2)
    assert texts(first) == ["1", "2"]
    assert texts(await bot.get_updates()) == ["1", "2", "3"]
    assert texts(await bot.get_updates(offset=first[0].update_id + 1)) == ["2", "3"]
    assert texts(await bot.get_updates()) == ["2", "3"]
    assert texts(await bot.get_updates(offset=-1)) == ["3"]


async def test_a_long_poll_ends_when_something_comes(far_end: FarEnd, bot: telegram.Bot) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=30))
    await far_end.until(lambda: far_end.calls("getUpdates"))
    far_end.person("А").sends("наконец")
    assert texts(await poll) == ["наконец"]


async def test_a_second_poller_ends_the_first(far_end: FarEnd, bot: telegram.Bot) -> None:
    first = asyncio.create_task(bot.get_updates(timeout=30))
    await far_end.until(lambda: len(far_end.calls("getUpdates")) == 1)
    async with far_end.bot() as other:
        second = asyncio.create_task(other.get_updates(timeout=30))
        with pytest.raises(Conflict, match="terminated by other getUpdates request"):
            await first
        far_end.person("А").sends("второму")
        assert texts(await second) == ["второму"]


async def test_the_kinds_asked_for_stay_asked_for(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    await bot.get_updates(allowed_updates=["callback_query"])
    a.sends("не нужно")
    assert await bot.get_updates() == ()
    await bot.get_updates(allowed_updates=[])
    a.sends("нужно")
    assert texts(await bot.get_updates()) == ["нужно"]


async def test_updates_are_kept_for_a_day(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    a.sends("вчера")
    far_end.clock.advance(86_399)
    a.sends("сегодня")
    assert texts(await bot.get_updates()) == ["вчера", "сегодня"]
    far_end.clock.advance(1)
    assert texts(await bot.get_updates()) == ["сегодня"]


async def test_an_update_can_come_twice_even_when_it_was_confirmed(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    far_end.updates.duplicate()
    a.sends("дважды")
    a.sends("однажды")
    updates = await bot.get_updates()
    assert texts(updates) == ["дважды", "дважды", "однажды"]
    assert updates[0].update_id == updates[1].update_id
    assert texts(await bot.get_updates(offset=updates[-1].update_id + 1)) == []
    far_end.updates.redeliver(json.loads(updates[0].to_json()))
    assert texts(await bot.get_updates(offset=updates[-1].update_id + 1)) == ["дважды"]
    assert texts(await bot.get_updates(offset=updates[-1].update_id + 1)) == []


async def test_updates_can_change_their_order(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    with far_end.updates.reordered():
        a.sends("раз")
        a.sends("два")
    updates = await bot.get_updates()
    assert texts(updates) == ["два", "раз"]
    assert updates[0].update_id < updates[1].update_id


async def test_poison_breaks_the_library_and_passes_with_its_offset(far_end: FarEnd, bot: telegram.Bot) -> None:
    number = far_end.updates.poison()
    far_end.person("А").sends("после")
    with pytest.raises(TypeError, match=r"members_only|allows_revoting|persistent_id"):
        await bot.get_updates()
    assert texts(await bot.get_updates(offset=number + 1)) == ["после"]


async def test_an_answer_can_be_no_json_at_all(far_end: FarEnd, bot: telegram.Bot) -> None:
    far_end.person("А").sends("живо")
    far_end.updates.raw_answers += [b"<html>Bad Gateway</html>"]
    with pytest.raises(TelegramError, match="Invalid server response"):
        await bot.get_updates()
    assert texts(await bot.get_updates()) == ["живо"]


async def test_an_update_of_any_shape_can_be_injected(far_end: FarEnd, bot: telegram.Bot) -> None:
    far_end.updates.inject({"brand_new_kind": {"x": 1}})
    (update,) = await bot.get_updates()
    assert update.api_kwargs == {"brand_new_kind": {"x": 1}}


# Webhooks


class Receiver:
    """A webhook that answers as told, 200 when nothing was told."""

    def __init__(self) -> None:
        self.url = ""
        self.got: list[tuple[str, str | None]] = []
        self.answers: list[int] = []
        self.came = asyncio.Event()

    async def handle(self, request: web.BaseRequest) -> web.Response:
        update = await request.json()
        self.got.append((update["message"]["text"], request.headers.get("X-Telegram-Bot-Api-Secret-Token")))
        self.came.set()
        return web.Response(status=self.answers.pop(0) if self.answers else 200)

    async def until(self, number: int) -> list[str]:
        async with asyncio.timeout(60):
            while len(self.got) < number:
                self.came.clear()
                await self.came.wait()
        return [text for text, _ in self.got]


@pytest_asyncio.fixture
async def receiver() -> AsyncIterator[Receiver]:
    one = Receiver()
    runner = web.ServerRunner(web.Server(one.handle))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    one.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield one
    await runner.cleanup()


async def test_a_webhook_gets_updates_in_order_with_the_secret(
    far_end: FarEnd, bot: telegram.Bot, receiver: Receiver
) -> None:
    a = far_end.person("А")
    a.sends("до")
    await bot.set_webhook(receiver.url, secret_token="s-e_C")
    a.sends("после")
    assert await receiver.until(2) == ["до", "после"]
    assert {secret for _, secret in receiver.got} == {"s-e_C"}
    info = await bot.get_webhook_info()
    assert (info.url, info.max_connections) == (receiver.url, 40)


async def test_a_refused_update_is_posted_again_at_once_and_then_later(
    far_end: FarEnd, bot: telegram.Bot, receiver: Receiver
) -> None:
    receiver.answers += [500, 503, 200]
    await bot.set_webhook(receiver.url)
    a, b = far_end.person("А"), far_end.person("Б")
    a.sends("1")
    a.sends("2")
    assert await receiver.until(2) == ["1", "1"]
    b.sends("другая очередь не ждёт")
    assert await receiver.until(3) == ["1", "1", "другая очередь не ждёт"]
    assert "503" in str((await bot.get_webhook_info()).last_error_message)
    far_end.clock.advance(2)
    assert await receiver.until(5) == ["1", "1", "другая очередь не ждёт", "1", "2"]


async def test_polling_beside_a_webhook_is_a_conflict(far_end: FarEnd, bot: telegram.Bot, receiver: Receiver) -> None:
    waiting = asyncio.create_task(bot.get_updates(timeout=30))
    await far_end.until(lambda: far_end.calls("getUpdates"))
    await bot.set_webhook(receiver.url)
    with pytest.raises(Conflict, match="terminated by setWebhook request"):
        await waiting
    with pytest.raises(Conflict, match="webhook is active"):
        await bot.get_updates()
    await bot.delete_webhook()
    assert await bot.get_updates() == ()
    assert (await bot.get_webhook_info()).url == ""


async def test_a_webhook_needs_https_and_a_plain_secret(bot: telegram.Bot) -> None:
    for call, refusal in (
        (bot.set_webhook("http://example.org/hook"), "https url must be provided"),
        (bot.set_webhook("https://example.org/hook", secret_token="два слова"), "unallowed characters"),
    ):
        with pytest.raises(telegram.error.BadRequest) as caught:
            await call
        assert refusal in str(caught.value).lower()


async def test_pending_updates_are_dropped_only_on_demand(far_end: FarEnd, bot: telegram.Bot) -> None:
    far_end.person("А").sends("важно")
    await bot.delete_webhook()
    assert (await bot.get_webhook_info()).pending_update_count == 1
    await bot.delete_webhook(drop_pending_updates=True)
    assert await bot.get_updates() == ()
