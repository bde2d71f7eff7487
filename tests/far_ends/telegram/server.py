"""HTTP: reads calls, lets faults strike, asks the witness, answers."""

import asyncio
import inspect
import json
import socket
import struct
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from .call import Call
from .errors import ApiError
from .faults import Faults
from .methods import METHODS, dumped
from .world import World

Control = Callable[[web.BaseRequest], Awaitable[web.Response]]


@dataclass(slots=True)
class Record:
    """One call as it went."""

    method: str
    fields: dict[str, Any]
    files: dict[str, bytes]
    at: float  # of the far end's clock
    result: Any = None
    error: ApiError | None = None
    lost: str = ""  # `before` or `after`, when the connection was reset


class Server:
    """The HTTP side of one world.

    Args:
        world: What is served.
        faults: What goes wrong.
        checks: Whether aiogram's models watch.
        keeps: Whether every call is recorded.
        control: Serves `/control/...`.
    """

    def __init__(
        self, world: World, faults: Faults, *, checks: bool = True, keeps: bool = True, control: Control | None = None
    ) -> None:
        self.world = world
        self.faults = faults
        self.checks = checks
        self.keeps = keeps
        self.records: list[Record] = []
        self.counts: Counter[str] = Counter()
        self.disagreements: list[str] = []
        self.crashes: list[BaseException] = []
        self.port = 0
        self.on_call: Callable[[], None] = lambda: None
        self._control = control
        self._runner: web.ServerRunner | None = None
        if checks:
            world.updates.on_new = self._check_update

    async def start(self, port: int = 0) -> None:
        self._runner = web.ServerRunner(_Listener(self._handle, access_log=None), shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        self.faults.clear()
        await self.world.updates.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        parts = request.rel_url.raw_path.split("/")
        if parts[1] == "control" and self._control is not None:
            return await self._control(request)
        if not parts[1].startswith("bot") or len(parts) != 3:
            return _answer(404, {"ok": False, "error_code": 404, "description": "Not Found"})
        if parts[1][3:].replace("%3A", ":") != self.world.token:
            return _answer(401, {"ok": False, "error_code": 401, "description": "Unauthorized"})
        name, method = METHODS.get(parts[2].lower(), (parts[2], None))
        if method is None:
            error = ApiError(404, "Not Found: method not found")
            return _answer(404, error.body())
        return await self._call(request, name, method)

    async def _call(self, request: web.BaseRequest, name: str, method: Any) -> web.StreamResponse:
        try:
            call = await _read(name, request)
        except (ValueError, UnicodeDecodeError):
            return _answer(400, ApiError(400, "Bad Request: can't parse request").body())
        record = Record(name, call.fields, call.files, self.world.clock.now())
        if self.keeps:
            self.records.append(record)
        self.counts[name] += 1
        self.on_call()
        fault = self.faults.take(name, call.fields) if self.faults.waiting else None
        delay = (fault.delay_s if fault else 0.0) + (self.faults.latency_s if name != "getUpdates" else 0.0)
        if delay:
            await asyncio.sleep(delay)
        if fault is not None and fault.gate is not None:
            self.on_call()
            await fault.gate.wait()
        if fault is not None and fault.reset == "before":
            record.lost = "before"
            self.on_call()
            return _reset(request)
        if fault is not None and fault.error is not None:
            record.error = fault.error
            self.on_call()
            return _answer(fault.error.code, fault.error.body())
        response = await self._act(call, method, record, fault.without if fault else frozenset())
        self.on_call()
        if fault is not None and fault.reset == "after":
            record.lost = "after"
            return _reset(request)
        return response

    async def _act(self, call: Call, method: Any, record: Record, without: frozenset[str]) -> web.Response:
        if call.method == "getUpdates" and self.world.updates.raw_answers:
            return web.Response(body=self.world.updates.raw_answers.pop(0), content_type="application/json")
        try:
            call.decode()
            result = method(self.world, call)
            if inspect.isawaitable(result):
                result = await result
        except ApiError as error:
            record.error = error
            return _answer(error.code, error.body())
        except Exception as error:  # noqa: BLE001 - kept, and it fails the test at its end
            self.crashes.append(error)
            return _answer(500, {"ok": False, "error_code": 500, "description": f"the far end crashed: {error!r}"})
        record.result = result
        if self.checks:
            self._check(call, result)
        return _answer(200, {"ok": True, "result": _less(result, without) if without else result})

    def _check(self, call: Call, result: Any) -> None:
        from . import oracle  # only when asked for: its import takes a second

        try:
            oracle.check_request(call.method, call.fields, call.files)
        except oracle.Disagreement as error:
            self.disagreements.append(str(error))
        if call.method == "getUpdates":  # updates were checked when they were made; poison is meant to be wrong
            return
        try:
            oracle.check_result(call.method, result)
        except oracle.Disagreement as error:
            self.disagreements.append(str(error))

    def _check_update(self, update: dict[str, Any]) -> None:
        from . import oracle

        try:
            oracle.check_update(update)
        except oracle.Disagreement as error:
            self.disagreements.append(str(error))


def _less(result: Any, names: frozenset[str]) -> Any:
    """A result without some names, however deep."""
    if isinstance(result, dict):
        return {name: _less(value, names) for name, value in result.items() if name not in names}
    return [_less(value, names) for value in result] if isinstance(result, list) else result


class _Listener(web.Server):
    """Takes bodies of up to 50 MB, like the server. Source: Bot API, "Sending files"."""

    def _make_request(self, message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
        size = 50 * 1024 * 1024
        return web.BaseRequest(message, payload, protocol, writer, task, self._loop, client_max_size=size)


async def _read(name: str, request: web.BaseRequest) -> Call:
    """The call in a request: JSON, either kind of form, or a query string."""
    fields: dict[str, Any] = dict(request.rel_url.query)
    files: dict[str, bytes] = {}
    names: dict[str, str] = {}
    if request.content_type == "application/json":
        body = await request.read()
        fields |= json.loads(body) if body else {}
    elif request.content_type == "multipart/form-data":
        reader = await request.multipart()
        async for part in reader:
            assert isinstance(part, BodyPartReader)
            content = bytes(await part.read())
            if part.filename is None:
                fields[part.name or ""] = content.decode()
            else:
                files[part.name or ""] = content
                names[part.name or ""] = part.filename
    elif request.method == "POST":
        fields |= dict(await request.post())
    return Call(name, fields, files, names)


def _answer(status: int, body: dict[str, Any]) -> web.Response:
    return web.Response(status=status, body=dumped(body), content_type="application/json")


def _reset(request: web.BaseRequest) -> web.Response:
    """Break the connection with RST; what is returned is never sent."""
    transport = request.transport
    if transport is not None:
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    return web.Response()
