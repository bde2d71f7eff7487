"""simcord's Discord behind real HTTP and a real gateway, for a bot in a process of its own.

All of Discord's semantics are simcord's: what is checked, who may do what, ids and error codes. Here are only the wire,
its faults, and the one rule simcord leaves out: of messages with the same nonce one arrives.
The three-second rule is not held: simcord's clock stands.
"""

from __future__ import annotations

import asyncio
import copy
import io
import json
import time
import types
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
from aiohttp import WSMsgType, web
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.http import router

from tests.far_ends.discord.world import World, world

TOKEN = "good"
WAIT_S = 60.0
"""How long something may take before a test gives up on it."""


@dataclass
class Limit:
    """A rate limit on calls of one kind."""

    calls: int
    per_s: float
    announced: bool
    hits: list[float] = field(default_factory=list)


class Wire:
    """The server. `world` moves people as ever; what they cause reaches the process over the gateway."""

    def __init__(self, world_: World) -> None:
        self.world = world_
        self._backend = world_.env.backend
        self._backend.subscribers.append(self._feed)
        self._socket: web.WebSocketResponse | None = None
        self._sent: list[dict[str, Any]] = []
        self._nonces: dict[tuple[str, str], Any] = {}
        self._limits: dict[str, Limit] = {}
        self._unanswered: dict[str, str] = {}
        self._sends: set[asyncio.Task[None]] = set()
        self.log: list[str] = []
        """`METHOD path` of every call, and `gateway <op>` of everything heard on the gateway."""
        self.too_many = 0
        """How often a call was refused because there were too many."""
        self.url = ""
        self._happened = asyncio.Event()

    async def start(self) -> web.AppRunner:
        app = web.Application(client_max_size=30 * 2**20)
        app.router.add_get("/gateway", self._gateway)
        app.router.add_route("*", "/api/v10/{path:.*}", self._call)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return runner

    # --- faults

    def limit(self, call: str, calls: int, per_s: float, *, announced: bool) -> None:
        """Allow a kind of call (`METHOD /beginning`) only so often; said in headers before it is reached, or not."""
        self._limits[call] = Limit(calls, per_s, announced)

    def leave_unanswered(self, call: str, how: str) -> None:
        """Carry out the next call of a kind, but answer 500 (`broken`) or not at all (`hanging`)."""
        self._unanswered[call] = how

    def mend(self) -> None:
        """All faults are over."""
        self._limits.clear()
        self._unanswered.clear()

    async def cut(self) -> None:
        """The gateway's connection breaks; it may be resumed."""
        assert self._socket is not None
        socket, self._socket = self._socket, None
        await socket.close(code=4000)

    # --- HTTP

    async def _call(self, request: web.Request) -> web.StreamResponse:
        try:
            return await self._answered(request)
        finally:
            self._happened.set()

    async def _answered(self, request: web.Request) -> web.StreamResponse:
        path = "/" + request.match_info["path"]
        call = f"{request.method} {path}"
        self.log.append(call)
        free = "/callback" in path or path.startswith("/webhooks")
        if not free and request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _json({"message": "401: Unauthorized", "code": 0}, 401)
        if path == "/gateway/bot":
            limits = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
            return _json({"url": self._gateway_url, "shards": 1, "session_start_limit": limits})
        refused, headers = self._limited(call)
        if refused is not None:
            return refused
        body, files = await _body(request)
        known = self._known(path, body)
        if known is not None:
            return _json(known, 200, headers)
        try:
            answer = router.dispatch(
                self._backend, request.method, path, json=body, params=dict(request.query), files=files, reason=None
            )
        except BackendError as error:
            return _json(error.to_json(), error.status, headers)
        if isinstance(body, dict) and body.get("enforce_nonce"):
            self._nonces[path, str(body["nonce"])] = answer
        match self._fault(call):
            case "broken":
                return _json({"message": "500: Internal Server Error", "code": 0}, 500)
            case "hanging":
                self._happened.set()
                await asyncio.Event().wait()
        return web.Response(status=204, headers=headers) if answer is None else _json(answer, 200, headers)

    def _known(self, path: str, body: Any) -> Any:
        """The message that has this nonce already."""
        if isinstance(body, dict) and body.get("enforce_nonce"):
            return self._nonces.get((path, str(body["nonce"])))
        return None

    def _fault(self, call: str) -> str | None:
        found = next((start for start in self._unanswered if call.startswith(start)), None)
        return None if found is None else self._unanswered.pop(found)

    def _limited(self, call: str) -> tuple[web.Response | None, dict[str, str]]:
        start = next((start for start in self._limits if call.startswith(start)), None)
        if start is None:
            return None, {}
        limit, now = self._limits[start], time.monotonic()
        limit.hits[:] = [hit for hit in limit.hits if hit > now - limit.per_s]
        if len(limit.hits) >= limit.calls:
            self.too_many += 1
            wait = round(limit.per_s - (now - limit.hits[0]), 3)
            headers = {**_headers(start, limit, 0, wait), "Retry-After": str(wait), "Via": "1.1 google"}
            return _json(
                {"message": "You are being rate limited.", "retry_after": wait, "global": False}, 429, headers
            ), {}
        limit.hits.append(now)
        if not limit.announced:
            return None, {}
        wait = round(limit.hits[0] + limit.per_s - now, 3)
        return None, _headers(start, limit, limit.calls - len(limit.hits), wait)

    # --- the gateway

    @property
    def _gateway_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/gateway"

    def _feed(self, event: str, payload: Any) -> None:
        message = {"op": 0, "s": len(self._sent) + 1, "t": event, "d": copy.deepcopy(dict(payload))}
        self._sent.append(message)
        if self._socket is not None:
            task = asyncio.get_running_loop().create_task(self._send(self._socket, message))
            self._sends.add(task)
            task.add_done_callback(self._sends.discard)

    async def _send(self, socket: web.WebSocketResponse, message: dict[str, Any]) -> None:
        if not socket.closed:
            await socket.send_str(json.dumps(message, default=str))

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"op": 10, "s": None, "t": None, "d": {"heartbeat_interval": 41250}}))
        async for frame in socket:
            if frame.type is not WSMsgType.TEXT:
                continue
            heard = json.loads(frame.data)
            self.log.append(f"gateway {heard['op']}")
            self._happened.set()
            match heard["op"]:
                case 1:
                    await socket.send_str('{"op":11,"s":null,"t":null,"d":null}')
                case 2:
                    self._socket = socket
                    self._sent.clear()
                    self._identify()
                case 6:
                    for message in self._sent[heard["d"]["seq"] :]:
                        await self._send(socket, message)
                    self._socket = socket
                    self._feed("RESUMED", {})
        if self._socket is socket:
            self._socket = None
        return socket

    def _identify(self) -> None:
        backend = self._backend
        guilds = [{"id": str(guild), "unavailable": True} for guild in backend.guilds]
        self._feed(
            "READY",
            {
                "v": 10,
                "user": dict(serializers.user_payload(backend.bot_user)),
                "guilds": guilds,
                "session_id": "session",
                "resume_gateway_url": self._gateway_url,
                "shard": [0, 1],
                "application": {"id": str(backend.application_id), "flags": 0},
            },
        )
        for guild in backend.guilds.values():
            self._feed("GUILD_CREATE", serializers.guild_create_payload(backend, guild))

    # --- waiting

    async def until(self, what: Callable[[], Any]) -> Any:
        """Wait for something that can be observed after a call or on the gateway."""
        async with asyncio.timeout(WAIT_S):
            while not (found := what()):
                self._happened.clear()
                await self._happened.wait()
        return found

    def heard(self, entry: str) -> int:
        """How often something stands in the log, by its beginning."""
        return sum(line.startswith(entry) for line in self.log)


def _headers(call: str, limit: Limit, remaining: int, wait: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(limit.calls),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": "0",
        "X-RateLimit-Reset-After": str(wait),
        "X-RateLimit-Bucket": str(abs(hash(call))),
    }


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """discord.py reads JSON only where the type says exactly so."""
    text = json.dumps(body, default=str).encode()
    return web.Response(body=text, status=status, headers={**(headers or {}), "Content-Type": "application/json"})


async def _body(request: web.Request) -> tuple[Any, list[Any]]:
    if request.content_type != "multipart/form-data":
        return (await request.json() if request.can_read_body else None), []
    body, files = None, []
    async for part in await request.multipart():
        if getattr(part, "name", None) == "payload_json":
            body = json.loads(await part.text())  # type: ignore[union-attr]
        else:
            data = io.BytesIO(await part.read())  # type: ignore[union-attr]
            files.append(types.SimpleNamespace(fp=data, filename=part.filename, description=None))  # type: ignore[union-attr]
    return body, files


@asynccontextmanager
async def wire() -> AsyncIterator[Wire]:
    """Discord on loopback, until the end of the block."""
    async with world(lambda: discord.Client(intents=discord.Intents.none())) as made:
        found = Wire(made)
        runner = await found.start()
        try:
            yield found
        finally:
            await runner.cleanup()
