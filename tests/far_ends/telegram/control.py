"""The far end from outside, for benchmarks and kill tests: `POST /control` with a JSON object.

`{"do": "person", "name": "A"}` gives `{"id": ...}`; the other deeds are the methods of `Control` whose names begin with
`do_`, with the rest of the object as arguments. An error is `{"error": ...}` with status 400.
"""

import json
from typing import TYPE_CHECKING, Any

from aiohttp import web

from . import shapes
from .actors import NotPossible, Person
from .methods import dumped

if TYPE_CHECKING:
    from .far_end import FarEnd


class Control:
    """What may be asked for; every argument and answer is JSON."""

    def __init__(self, far_end: "FarEnd") -> None:
        self._far_end = far_end

    async def handle(self, request: web.BaseRequest) -> web.Response:
        try:
            wish = json.loads(await request.read())
            deed = getattr(self, f"do_{wish.pop('do')}")
            result = deed(**wish)
        except (NotPossible, LookupError, TypeError, ValueError, AttributeError) as error:
            body = {"error": f"{type(error).__name__}: {error}"}
            return web.Response(status=400, body=dumped(body), content_type="application/json")
        return web.Response(body=dumped(result if isinstance(result, dict) else {"result": result}))

    def _person(self, who: int) -> Person:
        return Person(self._far_end.world, self._far_end.world.users[who])

    def do_person(self, name: str, **more: Any) -> dict[str, Any]:
        return {"id": self._far_end.person(name, **more).id}

    def do_sends(self, who: int, text: str) -> dict[str, Any]:
        return {"message_id": self._person(who).sends(text).id}

    def do_taps(self, who: int, message: int, button: str, gone: bool = False) -> dict[str, Any]:
        person = self._person(who)
        return {"query": person.taps(person.chat.messages[message], button, gone=gone).id}

    def do_query(self, query: str) -> dict[str, Any]:
        return {"answer": self._far_end.world.queries[query].answer}

    def do_blocks(self, who: int) -> dict[str, Any]:
        self._person(who).blocks()
        return {}

    def do_sees(self, chat: int) -> dict[str, Any]:
        return {"text": self._far_end.what_a_person_sees(self._far_end.world.chats[chat])}

    def do_lived(self, chat: int) -> dict[str, Any]:
        return {"text": self._far_end.what_a_person_lived(self._far_end.world.chats[chat])}

    def do_messages(self, chat: int) -> dict[str, Any]:
        place = self._far_end.world.chats[chat]
        return {"messages": [shapes.message(self._far_end.world, one) for one in self._far_end.messages(place)]}

    def do_counts(self) -> dict[str, Any]:
        return {
            "counts": dict(self._far_end.server.counts),
            "pending": len(self._far_end.updates.pending()),
            "disagreements": self._far_end.server.disagreements,
            "crashes": [repr(error) for error in self._far_end.server.crashes],
        }

    def do_fault(self, kind: str, **more: Any) -> dict[str, Any]:
        """`kind` is a method of `Faults`: flood, server_error, reset_before, reset_after, slow."""
        if kind not in {"flood", "server_error", "reset_before", "reset_after", "slow", "clear"}:
            raise ValueError(kind)
        getattr(self._far_end.faults, kind)(**more)
        return {}

    def do_latency(self, seconds: float) -> dict[str, Any]:
        self._far_end.faults.latency_s = seconds
        return {}

    def do_advance(self, seconds: float) -> dict[str, Any]:
        self._far_end.clock.advance(seconds)
        return {"now": self._far_end.clock.now()}
