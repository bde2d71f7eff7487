"""HTTP for python-telegram-bot over aiohttp, because aiohttp costs a fraction of the processor time that httpx costs.

The law of this module: the token of the bot is part of every URL, so nothing that leaves here (text, cause, context,
log record) carries a URL; and whoever sent something can tell *certainly not sent* from *uncertain*.
"""

import asyncio
import json
import logging
import re
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from io import SEEK_END
from typing import IO, TYPE_CHECKING, Any, Final
from uuid import uuid4

import aiohttp
from aiohttp.abc import AbstractStreamWriter
from aiohttp.payload import Payload
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData
from yarl import URL

if TYPE_CHECKING:
    from telegram._utils.types import ODVInput

try:
    import orjson
except ImportError:  # the standard library does the same, more slowly
    orjson = None  # type: ignore[assignment]

_CHUNK_BYTES: Final = 64 * 1024  # one write time-out covers at most this much; chosen by us
_KEEP_IDLE_S: Final = 15.0  # a shorter life than the server's makes a reset on a reused connection rare; chosen by us
_BEFORE_SENDING: Final = (
    aiohttp.ClientConnectorError,  # name, TCP, TLS, certificate, the connection to the proxy
    aiohttp.ClientHttpProxyError,  # the proxy did not open the tunnel
    aiohttp.NonHttpUrlClientError,
    ValueError,  # InvalidURL among others
)
_TOKEN: Final = re.compile(r"\d{3,}(?::|%3[Aa])[A-Za-z0-9_-]{8,}")
_JSON_HEADERS: Final = {"User-Agent": BaseRequest.USER_AGENT, "Content-Type": "application/json"}
_PLAIN_HEADERS: Final = {"User-Agent": BaseRequest.USER_AGENT}


def _without_token(record: logging.LogRecord) -> bool:
    """Blot the token out of what the library logs: at DEBUG it begins with the address of the server."""
    words = record.getMessage()
    if _TOKEN.search(words):
        record.msg, record.args = _TOKEN.sub("<token>", words), ()
    return True


logging.getLogger("telegram.Bot").addFilter(_without_token)


class NotSent(Exception):  # noqa: N818 - it is a reason, carried as the cause of a telegram error
    """Why a request cannot have reached the server; the `__cause__` of the error that the library raises."""


def certainly_not_sent(error: BaseException) -> bool:
    """Whether the request behind an error certainly never reached the server.

    Only then is it safe to send the same question again unasked.

    Args:
        error: What a call of the bot raised.

    Returns:
        True for a pool time-out, a name that does not resolve, a refused or timed-out connection and an address that
        is no address. False when the server may have acted on the request (read and write time-outs, resets,
        disconnects, 5xx), and also when it surely received it and said no (`BadRequest`, `RetryAfter`, ...).
    """
    return isinstance(error, (NetworkError, TimedOut)) and isinstance(error.__cause__, NotSent)


class AiohttpRequest(BaseRequest):
    """What `telegram.request.HTTPXRequest` does, over aiohttp.

    Time-outs are in seconds, `None` means none. They mean what they mean there, with one difference: `connect_timeout`
    includes the look-up of the name. Redirects are not followed and no environment variable is read.
    Source: python-telegram-bot 22.8, `telegram.request.HTTPXRequest`, for the defaults.
    """

    __slots__ = (
        "_connect_timeout",
        "_default_timeout",
        "_media_write_timeout",
        "_places",
        "_pool_size",
        "_pool_timeout",
        "_proxy",
        "_read_timeout",
        "_session",
        "_ssl",
        "_write_timeout",
    )

    def __init__(
        self,
        connection_pool_size: int = 256,
        read_timeout: float | None = 5.0,
        write_timeout: float | None = 5.0,
        connect_timeout: float | None = 5.0,
        pool_timeout: float | None = 1.0,
        proxy: str | None = None,
        media_write_timeout: float | None = 20.0,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """Prepare; connections are made from `initialize` on.

        Args:
            connection_pool_size: Calls at work at once, at least 1; each holds one connection.
            read_timeout: Longest silence of the server.
            write_timeout: Longest wait for one write of at most 64 KiB to be taken.
            connect_timeout: Name look-up, connection and TLS together.
            pool_timeout: Longest wait for one of the `connection_pool_size` places.
            proxy: `http://[user:password@]host:port`; other kinds of proxy are refused.
            media_write_timeout: As `write_timeout`, for requests that upload files.
            ssl_context: Instead of the default one, for a server with its own authority.

        Raises:
            ValueError: The proxy is not an HTTP proxy, or the pool has no place.
        """
        if connection_pool_size < 1:
            raise ValueError("connection_pool_size must be at least 1")
        if proxy is not None and not proxy.lower().startswith(("http://", "https://")):
            raise ValueError("only http:// and https:// proxies are supported")
        self._pool_size = connection_pool_size
        self._read_timeout = read_timeout
        self._write_timeout = write_timeout
        self._connect_timeout = connect_timeout
        self._pool_timeout = pool_timeout
        self._media_write_timeout = media_write_timeout
        self._proxy = proxy
        self._ssl = ssl_context
        self._default_timeout = aiohttp.ClientTimeout(total=None, connect=connect_timeout, sock_read=read_timeout)
        self._session: aiohttp.ClientSession | None = None
        self._places: asyncio.Semaphore | None = None

    @property
    def read_timeout(self) -> float | None:
        """Default read time-out in seconds."""
        return self._read_timeout

    async def initialize(self) -> None:
        """Open the pool; a second call changes nothing."""
        if self._session is not None:
            return
        self._places = asyncio.Semaphore(self._pool_size)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0,  # the places are the limit: aiohttp cannot time the wait for one apart from connecting
                keepalive_timeout=_KEEP_IDLE_S,
                ssl=True if self._ssl is None else self._ssl,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def shutdown(self) -> None:
        """Close the pool; a second call changes nothing. `initialize` opens it again."""
        session, self._session, self._places = self._session, None, None
        if session is not None:
            await session.close()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: "ODVInput[float]" = BaseRequest.DEFAULT_NONE,
        write_timeout: "ODVInput[float]" = BaseRequest.DEFAULT_NONE,
        connect_timeout: "ODVInput[float]" = BaseRequest.DEFAULT_NONE,
        pool_timeout: "ODVInput[float]" = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Send one request and read the whole answer.

        Returns:
            The HTTP status and the body, whatever the status is.

        Raises:
            TimedOut: One of the time-outs passed; see `certainly_not_sent`.
            NetworkError: The network, the proxy or the address failed; see `certainly_not_sent`.
            RuntimeError: `initialize` was not called.
        """
        session, places = self._session, self._places
        if session is None or places is None:
            raise RuntimeError("This AiohttpRequest is not initialized!")
        timeout = self._timeout(read_timeout, connect_timeout)
        headers = _PLAIN_HEADERS
        body: bytes | Payload | None = None
        if request_data is not None:
            if request_data.contains_files:
                body = _Form(
                    request_data.json_parameters,
                    request_data.multipart_data,
                    _seconds(write_timeout, self._media_write_timeout),
                )
            else:
                headers = _JSON_HEADERS
                body = _encode(request_data.parameters)
                if len(body) > _CHUNK_BYTES:
                    body = _Body(body, _seconds(write_timeout, self._write_timeout))

        failure: NetworkError
        reason: NotSent | None
        try:
            async with (
                _place(places, _seconds(pool_timeout, self._pool_timeout)),
                session.request(
                    method,
                    URL(url),
                    data=body,
                    headers=headers,
                    timeout=timeout,
                    allow_redirects=False,
                    proxy=self._proxy,
                ) as response,
            ):
                status = response.status
                content = await response.read()
                return status, content if status == 200 else _scrubbed(content, url)
        except (aiohttp.ClientError, OSError, NotSent, ValueError) as error:
            failure, reason = self._translated(error, url)
        # Outside of the handler, so that the error found (it may hold the URL) is not the context of the one raised.
        raise failure from reason

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Parse an answer of the server.

        Raises:
            TelegramError: It is not JSON.
        """
        if orjson is not None:
            try:
                parsed: dict[str, Any] = orjson.loads(payload)
            except ValueError:  # the library's own parser forgives broken UTF-8 and words the error
                pass
            else:
                return parsed
        return BaseRequest.parse_json_payload(payload)

    def _timeout(self, read: "ODVInput[float]", connect: "ODVInput[float]") -> aiohttp.ClientTimeout:
        if read is BaseRequest.DEFAULT_NONE and connect is BaseRequest.DEFAULT_NONE:
            return self._default_timeout
        return aiohttp.ClientTimeout(
            total=None,
            connect=_seconds(connect, self._connect_timeout),
            sock_read=_seconds(read, self._read_timeout),
        )

    def _translated(self, error: Exception, url: str) -> tuple[NetworkError, NotSent | None]:
        """The library's error for one of aiohttp's, and the reason if the request was certainly not sent."""
        match error:
            case NotSent():
                text = (
                    "Pool timeout: All connections in the connection pool are occupied. Request was *not* sent to "
                    "Telegram. Consider adjusting the connection pool size or the pool timeout."
                )
                return TimedOut(text), error
            case aiohttp.ConnectionTimeoutError():
                return TimedOut("Timed out while connecting"), NotSent("connecting took too long")
            case TimeoutError():
                return TimedOut(), None
        text = self._described(error, url)
        if isinstance(error, _BEFORE_SENDING):
            return NetworkError(text), NotSent(text)
        return NetworkError(text), None

    def _described(self, error: Exception, url: str) -> str:
        name = type(error).__name__
        if isinstance(
            error, (ValueError, aiohttp.NonHttpUrlClientError, aiohttp.ClientResponseError)
        ):  # their text is the URL itself
            status = f": {error.status}" if isinstance(error, aiohttp.ClientResponseError) else ""
            return f"aiohttp.{name}{status}"
        text = str(error)
        for secret in (url, URL(url).raw_path, self._proxy):
            if secret:
                text = text.replace(secret, "<hidden>")
        return f"aiohttp.{name}: {_TOKEN.sub('<token>', text)}"


@asynccontextmanager
async def _place(places: asyncio.Semaphore, timeout_s: float | None) -> AsyncIterator[None]:
    """One of the places in the pool.

    Raises:
        NotSent: None came free in time.
    """
    if places.locked():
        try:
            async with asyncio.timeout(timeout_s):
                await places.acquire()
        except TimeoutError:
            raise NotSent("no connection came free in time") from None
    else:
        await places.acquire()
    try:
        yield
    finally:
        places.release()


def _seconds(given: "ODVInput[float]", default: float | None) -> float | None:
    if given is None or isinstance(given, (int, float)):
        return given
    return default


def _encode(parameters: Mapping[str, Any]) -> bytes:
    if orjson is not None:
        try:
            return orjson.dumps(parameters)
        except TypeError:  # a lone surrogate or a number beyond 64 bits: the server shall judge it
            pass
    return json.dumps(parameters, separators=(",", ":")).encode()


def _scrubbed(content: bytes, url: str) -> bytes:
    """An error page without the address that was asked for: proxies like to print it, and the library logs it."""
    for secret in {url, URL(url).raw_path, URL(url).path}:
        if len(secret) > 1:
            content = content.replace(secret.encode(), b"<hidden>")
    return content


class _Body(Payload):
    """Bytes written in pieces, each under the write time-out."""

    def __init__(self, value: bytes, timeout_s: float | None) -> None:
        super().__init__(value, content_type="application/json")
        self._size = len(value)
        self._timeout_s = timeout_s

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return bytes(self._value).decode(encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        for start in range(0, len(self._value), _CHUNK_BYTES):
            async with asyncio.timeout(self._timeout_s):
                await writer.write(self._value[start : start + _CHUNK_BYTES])
                await writer.drain()


class _Form(Payload):
    """A `multipart/form-data` body: fields first, then files; file handles are read while they are sent.

    Source: RFC 7578 and, for quoting names, the HTML standard's multipart/form-data encoding.
    """

    def __init__(
        self, fields: Mapping[str, str], files: Mapping[str, tuple[str, Any, str]], timeout_s: float | None
    ) -> None:
        boundary = uuid4().hex  # must only differ from the content; decides nothing
        super().__init__(None, content_type=f"multipart/form-data; boundary={boundary}")
        self._timeout_s = timeout_s
        self._parts: list[bytes | IO[bytes]] = []
        for name, value in fields.items():
            self._parts.append(
                f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(name)}"\r\n\r\n{value}\r\n'.encode()
            )
        for name, (filename, content, media_type) in files.items():
            self._parts.append(
                f'--{boundary}\r\nContent-Disposition: form-data; name="{_quoted(name)}"; '
                f'filename="{_quoted(filename)}"\r\nContent-Type: {media_type}\r\n\r\n'.encode()
            )
            self._parts.append(content.encode() if isinstance(content, str) else content)
            self._parts.append(b"\r\n")
        self._parts.append(f"--{boundary}--\r\n".encode())
        sizes = [_size(part) for part in self._parts]
        self._size = None if None in sizes else sum(size for size in sizes if size is not None)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        raise TypeError(f"a form with files has no text, neither in {encoding} nor with errors {errors}")

    async def write(self, writer: AbstractStreamWriter) -> None:
        for part in self._parts:
            for chunk in _chunks(part):
                async with asyncio.timeout(self._timeout_s):
                    await writer.write(chunk)
                    await writer.drain()


def _chunks(part: bytes | IO[bytes]) -> Iterator[bytes]:
    if isinstance(part, bytes):
        for start in range(0, len(part), _CHUNK_BYTES):
            yield part[start : start + _CHUNK_BYTES]
    else:
        while chunk := part.read(_CHUNK_BYTES):
            yield chunk


def _size(part: bytes | IO[bytes]) -> int | None:
    if isinstance(part, bytes):
        return len(part)
    if not part.seekable():
        return None
    here = part.tell()
    end = part.seek(0, SEEK_END)
    part.seek(here)
    return end - here


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
