"""Updates by webhook: only with the secret, confirmed after their commit, delivered again after trouble."""

from __future__ import annotations

import itertools
import socket
from pathlib import Path

import aiohttp
import pytest

from tests.far_ends.telegram import FarEnd
from tests.far_ends.telegram.fixtures import far_end  # noqa: F401
from tests.telegram.desk import Pauses, Webhook, desk

SECRET = "a-secret_of-the-test"


@pytest.fixture
def webhook() -> Webhook:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return Webhook(f"http://127.0.0.1:{port}/hook/of/kontrolka", SECRET, "127.0.0.1", port)


async def posted(webhook: Webhook, body: bytes, secret: bytes | None) -> int:
    """The status a stranger gets who posts something."""
    headers = {} if secret is None else {"X-Telegram-Bot-Api-Secret-Token": secret.decode("utf-8", "surrogateescape")}
    async with (
        aiohttp.ClientSession() as session,
        session.post(webhook.url, data=body, headers=headers) as response,
    ):
        return response.status


async def test_a_dialogue_by_webhook(far_end: FarEnd, tmp_path: Path, webhook: Webhook) -> None:  # noqa: F811
    async with desk(far_end, tmp_path, webhook=webhook) as one:
        a = far_end.person("A")
        a.sends("/start")
        await far_end.next_message(a)
        await one.presses(a, "1/begin")
        await one.presses(a, "D")
        assert "Right." in far_end.last(a).words
        assert far_end.calls("getUpdates") == []
        allowed = far_end.calls("setWebhook")[0].fields["allowed_updates"]
        assert "channel_post" in allowed
        assert "callback_query" in allowed


async def test_nobody_else_gets_in(far_end: FarEnd, tmp_path: Path, webhook: Webhook) -> None:  # noqa: F811
    async with desk(far_end, tmp_path, webhook=webhook) as one:
        a = far_end.person("A")
        a.sends("/start")
        await far_end.next_message(a)
        forged = b'{"update_id": 1, "message": {"text": "/stop"}}'
        for secret in (None, b"", b"wrong", SECRET.encode() + b"x", "ключ".encode()):
            assert await posted(webhook, forged, secret) == 403
        assert await posted(webhook, b"no JSON", SECRET.encode()) == 200
        assert await posted(webhook, b"5", SECRET.encode()) == 200
        assert await one.read(lambda tx: tx.inbox.waiting("telegram")) == []
        async with aiohttp.ClientSession() as session, session.get(webhook.url) as response:
            assert response.status == 405
        async with aiohttp.ClientSession() as session, session.post(webhook.url + "/other") as response:
            assert response.status == 404


async def test_what_cannot_be_stored_is_delivered_again(far_end: FarEnd, tmp_path: Path, webhook: Webhook) -> None:  # noqa: F811
    pauses = Pauses()
    async with desk(far_end, tmp_path, webhook=webhook, sleep=pauses) as one:
        a = far_end.person("A")
        a.sends("/start")
        await far_end.next_message(a)
        await one.presses(a, "1/begin")
        one.store.moods = itertools.chain([True], itertools.repeat(False))
        tap = one.tap(a, "D")
        await one.until(lambda: "Right." in far_end.last(a).words)
        assert "cannot save anything" in tap.toast
        assert far_end.updates.last_error is not None
        assert "503" in far_end.updates.last_error[1]
        assert len(await one.attempts(a)) == 1


async def test_a_webhook_that_was_left_behind_is_removed_when_updates_are_fetched(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
    webhook: Webhook,
) -> None:
    async with desk(far_end, tmp_path, webhook=webhook) as one:
        a = far_end.person("A")
        a.sends("/start")
        await far_end.next_message(a)
        one._options["webhook"] = None
        await one.restart()
        await one.types(a, "/help")
        assert "/quiz" in far_end.last(a).words
        assert far_end.updates.webhook is None
