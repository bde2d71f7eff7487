"""The transport against the far end, against servers that misbehave on the wire, and against an emulator of others."""

import asyncio
import gc
import io
import logging
import socket
import ssl
import struct
import sys
import traceback
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
import telegram
from telegram.error import (
    BadRequest,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)
from telegram.request import HTTPXRequest, RequestData

from bot.chats.telegram.transport import AiohttpRequest, certainly_not_sent
from tests.far_ends.telegram import ApiError, FarEnd
from tests.far_ends.telegram.fixtures import far_end  # noqa: F401

TOKEN = "123456789:AAE-very_secret_token_of_nobody_00000"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def png(width: int = 3, height: int = 2, padding: int = 0) -> bytes:
    """A real picture, made longer by a chunk that readers skip."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(b"".join(b"\0" + b"\0\0\0" * width for _ in range(height)))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"tEXt", b"x" * padding) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest_asyncio.fixture
async def bot(far_end: FarEnd) -> AsyncIterator[telegram.Bot]:  # noqa: F811
    async with far_end.bot(AiohttpRequest()) as one:
        yield one


@pytest_asyncio.fixture
async def serve() -> AsyncIterator[Callable[[Serve], Awaitable[int]]]:
    """Starts a raw server on loopback and gives its port."""
    servers: list[asyncio.Server] = []
    talks: set[asyncio.Task[None]] = set()

    async def start(talk: Serve) -> int:
        async def safely(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            talks.add(asyncio.current_task())  # type: ignore[arg-type]
            try:
                await talk(reader, writer)
            except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(safely, "127.0.0.1")
        servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    yield start
    for server in servers:
        server.close()
    for talk in talks:
        talk.cancel()
    await asyncio.gather(*talks, return_exceptions=True)


async def failure(request: AiohttpRequest, url: str, data: RequestData | None = None) -> TelegramError:
    async with request:
        with pytest.raises(TelegramError) as caught:
            await request.post(url, data)
    return caught.value


def everything_said(error: BaseException | None) -> str:
    """Texts, reprs and tracebacks of an error and of all its causes and contexts."""
    said = ""
    while error is not None:
        said += "".join(traceback.format_exception(error)) + repr(error) + str(error) + repr(error.args)
        error = error.__cause__ or error.__context__
    return said


async def swallow(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lower = head.lower()
    if b"content-length:" in lower:
        await reader.readexactly(int(lower.split(b"content-length:")[1].split(b"\r\n")[0]))
    return head


# Calls


async def test_a_message_with_cyrillic_and_emoji_arrives_as_it_is(far_end: FarEnd, bot: telegram.Bot) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    sent = await bot.send_message(a.id, "Что выведет 🧪 «print»?")
    assert sent.text == far_end.last(a).text.text == "Что выведет 🧪 «print»?"


async def test_nested_objects_arrive(far_end: FarEnd, bot: telegram.Bot) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    keyboard = telegram.InlineKeyboardMarkup.from_row(
        [telegram.InlineKeyboardButton("А", callback_data="1"), telegram.InlineKeyboardButton("Б", callback_data="2")]
    )
    entity = telegram.MessageEntity(telegram.MessageEntity.CODE, 0, 3)
    await bot.send_message(a.id, "код", entities=[entity], reply_markup=keyboard)
    assert far_end.what_a_person_sees(a).endswith("  `код`\n  [А] [Б]\n")


async def test_a_photo_in_memory_is_uploaded_whole(far_end: FarEnd, bot: telegram.Bot) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    picture = png(padding=300_000)
    await bot.send_photo(a.id, picture, caption="Картинка", filename='схема "1".png')
    assert far_end.calls("sendPhoto")[0].files == {"photo": picture}
    assert far_end.last(a).caption.text == "Картинка"


async def test_a_photo_from_an_open_file_is_uploaded_whole(
    far_end: FarEnd,  # noqa: F811
    bot: telegram.Bot,
    tmp_path: Path,
) -> None:
    a = far_end.person("А")
    a.starts()
    file = tmp_path / "a.png"
    file.write_bytes(png(padding=200_000))
    with file.open("rb") as handle:
        await bot.send_photo(a.id, telegram.InputFile(handle, read_file_handle=False))
    assert far_end.calls("sendPhoto")[0].files == {"photo": file.read_bytes()}


async def test_a_stream_of_unknown_length_is_uploaded_in_chunks(far_end: FarEnd, bot: telegram.Bot) -> None:  # noqa: F811
    class Stream(io.BytesIO):
        def seekable(self) -> bool:
            return False

    a = far_end.person("А")
    a.starts()
    picture = png(padding=100_000)
    await bot.send_photo(a.id, telegram.InputFile(Stream(picture), filename="a.png", read_file_handle=False))
    assert far_end.calls("sendPhoto")[0].files == {"photo": picture}


async def test_media_of_an_edit_is_uploaded_beside_its_description(far_end: FarEnd, bot: telegram.Bot) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    message = await bot.send_message(a.id, "сначала слова")
    await message.edit_media(telegram.InputMediaPhoto(png(), caption="потом картинка"))
    assert far_end.what_a_person_sees(a).endswith("  (photo)\n  потом картинка\n")


async def test_a_body_larger_than_one_write_arrives(far_end: FarEnd, bot: telegram.Bot) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    with pytest.raises(BadRequest, match="Text is too long"):
        await bot.send_message(a.id, "ж" * 100_000)


async def test_a_lone_surrogate_is_left_for_the_server_to_judge(far_end: FarEnd, bot: telegram.Bot) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    with pytest.raises(BadRequest, match="encoded in utf-8"):
        await bot.send_message(a.id, "половина \ud83d")


async def test_many_calls_at_once_share_a_small_pool(far_end: FarEnd) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    far_end.faults.latency_s = 0.001
    async with far_end.bot(AiohttpRequest(connection_pool_size=2, pool_timeout=None)) as bot:
        await asyncio.gather(*(bot.send_message(a.id, str(number)) for number in range(20)))
    assert sorted(int(message.text.text) for message in far_end.messages(a)) == list(range(20))


async def test_it_can_be_opened_again_after_it_was_closed(far_end: FarEnd) -> None:  # noqa: F811
    request = AiohttpRequest()
    for _ in range(2):
        async with request:
            await request.initialize()
            assert await request.post(f"{far_end.base_url}{far_end.token}/getMe")
    await request.shutdown()


async def test_it_must_be_opened_first() -> None:
    with pytest.raises(RuntimeError, match="not initialized"):
        await AiohttpRequest().do_request("http://127.0.0.1/", "GET")


def test_its_read_time_out_is_told_to_the_library() -> None:
    assert AiohttpRequest(read_timeout=7.5).read_timeout == 7.5


def test_a_pool_without_a_place_and_a_socks_proxy_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        AiohttpRequest(connection_pool_size=0)
    with pytest.raises(ValueError, match="proxies"):
        AiohttpRequest(proxy="socks5://127.0.0.1:1080")


# Answers with an error are the same errors that httpx gives


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (ApiError(400, "Bad Request: message is not modified"), BadRequest),
        (ApiError(401, "Unauthorized"), InvalidToken),
        (ApiError(403, "Forbidden: bot was blocked by the user"), Forbidden),
        (ApiError(404, "Not Found: method not found"), InvalidToken),
        (ApiError(409, "Conflict: terminated by other getUpdates request"), Conflict),
        (ApiError(429, "Too Many Requests: retry after 7", retry_after=7), RetryAfter),
        (ApiError(400, "Bad Request: group chat was upgraded", migrate_to_chat_id=-1009), telegram.error.ChatMigrated),
        (ApiError(500, "Internal Server Error: restart"), NetworkError),
        (ApiError(502, "Bad Gateway"), NetworkError),
    ],
    ids=lambda value: str(value.code) if isinstance(value, ApiError) else value.__name__,
)
@pytest.mark.filterwarnings("ignore:Deprecated since version v22.2:telegram.warnings.PTBDeprecationWarning")
async def test_an_answer_with_an_error_becomes_the_error_that_httpx_gives(
    far_end: FarEnd,  # noqa: F811
    answer: ApiError,
    kind: type[TelegramError],
) -> None:
    far_end.faults.refuse("getMe", answer, times=2)
    errors = []
    for request in (AiohttpRequest(), HTTPXRequest()):
        async with request:
            with pytest.raises(TelegramError) as caught:
                await request.post(f"{far_end.base_url}{far_end.token}/getMe")
            errors.append(caught.value)
    assert [type(error) for error in errors] == [kind, kind]
    assert str(errors[0]) == str(errors[1])
    assert not certainly_not_sent(errors[0])


async def test_an_error_page_that_is_no_json_is_a_network_error_without_the_address(serve) -> None:  # type: ignore[no-untyped-def]
    async def proxy_page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await swallow(reader)
        page = b"<html>cannot fetch " + head.split(b" ")[1] + b"</html>"
        writer.write(b"HTTP/1.1 503 Busy\r\nContent-Length: %d\r\n\r\n" % len(page) + page)
        await writer.drain()

    error = await failure(AiohttpRequest(), f"http://127.0.0.1:{await serve(proxy_page)}/bot{TOKEN}/getMe")
    assert type(error) is NetworkError
    assert "cannot fetch" in str(error)
    assert TOKEN not in everything_said(error)


async def test_a_redirect_is_not_followed(serve) -> None:  # type: ignore[no-untyped-def]
    asked: list[bytes] = []

    async def elsewhere(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await swallow(reader))
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        await reader.read()

    error = await failure(AiohttpRequest(), f"http://127.0.0.1:{await serve(elsewhere)}/bot{TOKEN}/getMe")
    assert "302" in str(error)
    assert len(asked) == 1


async def test_broken_utf8_in_an_answer_is_forgiven_as_httpx_does() -> None:
    assert AiohttpRequest.parse_json_payload(b'{"ok":true,"result":"\xff"}')["result"] == "\ufffd"
    with pytest.raises(TelegramError, match="Invalid server response"):
        AiohttpRequest.parse_json_payload(b"<html>")


# Certainly not sent


async def test_a_refused_connection_is_certainly_not_sent() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        error = await failure(AiohttpRequest(), f"http://127.0.0.1:{taken.getsockname()[1]}/bot{TOKEN}/getMe")
    assert type(error) is NetworkError
    assert certainly_not_sent(error)


async def test_a_name_that_does_not_resolve_is_certainly_not_sent() -> None:
    error = await failure(AiohttpRequest(), f"http://no-such-host.invalid/bot{TOKEN}/getMe")
    assert type(error) is NetworkError
    assert certainly_not_sent(error)


async def test_an_address_that_is_none_is_certainly_not_sent() -> None:
    for url in (f"http://host:port/bot{TOKEN}/getMe", f"ftp://127.0.0.1/bot{TOKEN}/getMe", f"/bot{TOKEN}/getMe"):
        error = await failure(AiohttpRequest(), url)
        assert certainly_not_sent(error), url
        assert TOKEN not in everything_said(error)


async def test_a_connection_that_takes_too_long_is_certainly_not_sent() -> None:
    with socket.socket() as full:  # a queue of connections that nobody accepts
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        try:
            url = f"http://127.0.0.1:{full.getsockname()[1]}/bot{TOKEN}/getMe"
            error = await failure(AiohttpRequest(connect_timeout=0.2), url)
        finally:
            for one in waiting:
                one.close()
    assert isinstance(error, TimedOut)
    assert certainly_not_sent(error)


async def test_a_failed_handshake_is_certainly_not_sent(serve) -> None:  # type: ignore[no-untyped-def]
    async def no_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()

    context = ssl.create_default_context()
    error = await failure(
        AiohttpRequest(ssl_context=context), f"https://127.0.0.1:{await serve(no_tls)}/bot{TOKEN}/getMe"
    )
    assert certainly_not_sent(error)
    assert TOKEN not in everything_said(error)


async def test_a_full_pool_is_certainly_not_sent(far_end: FarEnd) -> None:  # noqa: F811
    url = f"{far_end.base_url}{far_end.token}/getMe"
    held = far_end.faults.hold("getMe")
    async with AiohttpRequest(connection_pool_size=1, pool_timeout=0.01) as request:
        first = asyncio.create_task(request.post(url))
        await far_end.until(lambda: held.hits)
        with pytest.raises(TimedOut, match=r"Request was \*not\* sent") as caught:
            await request.post(url)
        held.release()
        assert await first
    assert certainly_not_sent(caught.value)
    assert len(far_end.calls("getMe")) == 1


async def test_a_proxy_that_refuses_is_certainly_not_sent(serve) -> None:  # type: ignore[no-untyped-def]
    async def forbids(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()

    proxy = f"http://a:wachtwoord@127.0.0.1:{await serve(forbids)}"
    error = await failure(AiohttpRequest(proxy=proxy), f"https://api.invalid/bot{TOKEN}/getMe")
    assert certainly_not_sent(error)
    assert "407" in str(error)
    assert "wachtwoord" not in everything_said(error)
    assert TOKEN not in everything_said(error)


async def test_calls_go_through_the_proxy(far_end: FarEnd, serve) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    asked: list[bytes] = []

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await swallow(reader))
        body = b'{"ok":true,"result":true}'
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()

    async with AiohttpRequest(proxy=f"http://a:b@127.0.0.1:{await serve(forward)}") as request:
        assert await request.post(f"http://api.invalid/bot{TOKEN}/getMe") is True
    assert asked[0].startswith(b"POST http://api.invalid/bot")
    assert b"proxy-authorization: basic" in asked[0].lower()


# Uncertain


async def test_a_silent_server_is_uncertain(far_end: FarEnd) -> None:  # noqa: F811
    far_end.faults.hold("getMe")
    error = await failure(AiohttpRequest(read_timeout=0.02), f"{far_end.base_url}{far_end.token}/getMe")
    assert isinstance(error, TimedOut)
    assert not certainly_not_sent(error)


async def test_a_time_out_of_one_call_wins_over_the_default(far_end: FarEnd) -> None:  # noqa: F811
    far_end.faults.slow("getMe", delay_s=0.1, times=2)
    far_end.faults.hold("getMe")
    url = f"{far_end.base_url}{far_end.token}/getMe"
    async with AiohttpRequest(read_timeout=0.01) as request:
        assert await request.post(url, read_timeout=30)
        assert await request.post(url, read_timeout=None)
        with pytest.raises(TimedOut):
            await request.post(url)


async def test_a_reset_before_accepting_is_uncertain(far_end: FarEnd) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    async with far_end.bot(AiohttpRequest()) as bot:
        far_end.faults.reset_before("sendMessage")
        with pytest.raises(NetworkError) as caught:
            await bot.send_message(a.id, "?")
    assert not certainly_not_sent(caught.value)
    assert not far_end.messages(a)
    assert far_end.token not in everything_said(caught.value)


async def test_a_lost_reply_is_uncertain_and_the_message_is_there_once(far_end: FarEnd) -> None:  # noqa: F811
    a = far_end.person("А")
    a.starts()
    async with far_end.bot(AiohttpRequest()) as bot:
        far_end.faults.reset_after("sendMessage")
        with pytest.raises(NetworkError) as caught:
            await bot.send_message(a.id, "?")
    assert not certainly_not_sent(caught.value)
    assert [message.text.text for message in far_end.messages(a)] == ["?"]


async def test_a_broken_answer_is_uncertain(serve) -> None:  # type: ignore[no-untyped-def]
    async def half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await swallow(reader)
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"ok":')
        await writer.drain()

    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await swallow(reader)
        writer.write(b"this is not HTTP\r\n\r\n")
        await writer.drain()

    for talk in (half, nonsense):
        error = await failure(AiohttpRequest(), f"http://127.0.0.1:{await serve(talk)}/bot{TOKEN}/getMe")
        assert type(error) is NetworkError
        assert not certainly_not_sent(error)
        assert TOKEN not in everything_said(error)


async def test_an_upload_that_nobody_takes_is_uncertain_after_the_media_write_time_out(serve) -> None:  # type: ignore[no-untyped-def]
    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await asyncio.Event().wait()

    request = AiohttpRequest(write_timeout=None, media_write_timeout=0.2, read_timeout=None)
    bot = telegram.Bot(TOKEN, f"http://127.0.0.1:{await serve(deaf)}/bot", request=request)
    await request.initialize()
    try:
        with pytest.raises(TimedOut) as caught:
            await bot.send_document(1, b"x" * 30_000_000)
    finally:
        await request.shutdown()
    assert not certainly_not_sent(caught.value)
    assert TOKEN not in everything_said(caught.value)


@pytest.mark.parametrize("token", [TOKEN, "a-token-of-another-shape"])
async def test_an_upload_cut_off_in_the_middle_is_uncertain_and_says_no_address(  # type: ignore[no-untyped-def]
    serve, caplog: pytest.LogCaptureFixture, token: str
) -> None:
    async def hangs_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(100_000)
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    caplog.set_level(logging.DEBUG, "asyncio")
    caplog.set_level(logging.DEBUG, "aiohttp")
    request = AiohttpRequest()
    bot = telegram.Bot(token, f"http://127.0.0.1:{await serve(hangs_up)}/bot", request=request)
    await request.initialize()
    try:
        with pytest.raises(NetworkError) as caught:
            await bot.send_document(1, b"x" * 30_000_000)
    finally:
        await request.shutdown()
    assert not certainly_not_sent(caught.value)
    gc.collect()  # exceptions that nobody looked at are logged when they go
    assert token not in everything_said(caught.value) + caplog.text


@pytest.mark.parametrize("token", [TOKEN, "a-token-of-another-shape"])
async def test_a_file_that_cannot_be_read_on_is_uncertain_and_says_no_address(serve, token: str) -> None:  # type: ignore[no-untyped-def]
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, f"the disk is gone, {size} bytes cannot be read")

    async def waits(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    request = AiohttpRequest()
    bot = telegram.Bot(token, f"http://127.0.0.1:{await serve(waits)}/bot", request=request)
    await request.initialize()
    try:
        with pytest.raises(NetworkError, match="Can not write request body for <hidden>") as caught:
            await bot.send_photo(1, telegram.InputFile(Broken(b"x" * 10), filename="a.png", read_file_handle=False))
    finally:
        await request.shutdown()
    assert not certainly_not_sent(caught.value)
    assert token not in everything_said(caught.value)


def test_errors_of_others_are_not_certainly_anything() -> None:
    assert not certainly_not_sent(ValueError())
    assert not certainly_not_sent(TimedOut())
    assert not certainly_not_sent(BadRequest("chat not found"))


# The token


async def test_the_token_is_in_no_error_and_in_no_log_record(
    far_end: FarEnd,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
) -> None:
    a = far_end.person("А")
    a.starts()
    said = ""
    bot = far_end.make_bot(AiohttpRequest(read_timeout=0.05))  # its constructor logs the address, at DEBUG
    caplog.set_level(logging.DEBUG)
    async with bot:
        far_end.faults.reset_before("sendMessage")
        far_end.faults.hold("getChat")
        far_end.faults.server_error("sendPhoto", code=502)
        for call in (bot.send_message(a.id, "?"), bot.get_chat(a.id), bot.send_photo(a.id, png())):
            with pytest.raises(TelegramError) as caught:
                await call
            said += everything_said(caught.value)
    secret = far_end.token.partition(":")[2]
    records = [logging.Formatter("%(message)s").format(record) for record in caplog.records]
    assert records
    assert secret not in said
    assert not [record for record in records if secret in record]


async def test_the_token_of_a_custom_server_without_port_is_not_in_the_connection_error() -> None:
    error = await failure(AiohttpRequest(connect_timeout=2), f"http://127.0.0.1:1/prefix/bot{TOKEN}/getMe")
    assert "127.0.0.1" in str(error)
    assert TOKEN not in everything_said(error)


# A far end that others wrote


async def test_a_round_trip_through_an_emulator_of_others(tmp_path: Path) -> None:
    code = (
        "import sys, telegram\n"
        "from aiohttp import web\n"
        "from lo_bot_api_emulator import LoBotApiEmulator, updates\n"
        "class Emulator(LoBotApiEmulator):\n"
        "    def validate(self, method, fields, uploads):\n"
        "        answer = super().validate(method, fields, uploads)\n"
        "        return {**answer, 'username': 'fixture_bot'} if method == 'getMe' else answer\n"
        "updates.ALLOWED_UPDATE_TYPES.update(telegram.Update.ALL_TYPES)\n"
        "app = Emulator(enable_control=True, journal=sys.argv[2]).app()\n"
        "web.run_app(app, host='127.0.0.1', port=int(sys.argv[1]), access_log=None)\n"
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-u", "-c", code, str(port), str(tmp_path / "journal"), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        while b"Running on" not in await process.stdout.readline():
            pass
        token = "1234567:emulated_token_for_tests_only_0000"
        user = {"id": 5, "is_bot": False, "first_name": "А"}
        message = {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}, "from": user, "text": "/start"}
        async with AiohttpRequest() as control:
            await control.do_request(
                f"http://127.0.0.1:{port}/__fixture/updates",
                "POST",
                RequestData(
                    [
                        telegram.request._requestparameter.RequestParameter.from_input("token", token),
                        telegram.request._requestparameter.RequestParameter.from_input("update", {"message": message}),
                    ]
                ),
            )
        request = AiohttpRequest()
        async with telegram.Bot(token, f"http://127.0.0.1:{port}/bot", request=request) as bot:
            update = (await bot.get_updates(timeout=5))[0]
            assert update.message is not None
            assert update.message.text == "/start"
            keyboard = telegram.InlineKeyboardMarkup.from_button(
                telegram.InlineKeyboardButton("А", callback_data="1:abc:0:aa")
            )
            sent = await bot.send_message(5, "Вопрос?", reply_markup=keyboard)
            assert sent.text == "Вопрос?"
            edited = await bot.edit_message_text("Верно!", 5, sent.message_id)
            assert isinstance(edited, telegram.Message)
            picture = await bot.send_photo(5, png(), caption="Схема")
            assert picture.photo
            with pytest.raises(BadRequest):
                await bot.send_message(5, "")
    finally:
        process.terminate()
        await process.wait()
