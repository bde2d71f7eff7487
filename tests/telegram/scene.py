"""A dialogue as one person lives it, step by step: what was done, then all that changed in the chat."""

from __future__ import annotations

from tests.far_ends.telegram import Message, Person, Query
from tests.far_ends.telegram.transcript import marked
from tests.telegram.desk import FENCE, Desk, button


class Scene:
    """Writes down what a person does and sees."""

    def __init__(self, desk: Desk, person: Person) -> None:
        self.desk, self.person = desk, person
        self._known: dict[int, tuple[str, list[str]]] = {}
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def note(self, words: str) -> None:
        """A remark of the test."""
        self._lines += ["", f"=== {words}"]

    async def types(self, text: str, *, reply_to: Message | None = None) -> None:
        self.person.sends(text, reply_to=reply_to)
        self._lines += ["", *_indented("А> ", text)]
        await self._sees()

    async def presses(self, what: str, *, on: Message | None = None) -> None:
        """Press a button; `on` an older message whose keyboard the app still shows."""
        if on is None:
            message, data = button(self.desk.far_end, self.person, what)
            label = next(
                b["text"] for row in message.markup["inline_keyboard"] for b in row if b["callback_data"] == data
            )  # type: ignore[index]
            query = self.person.taps(message, data)
        else:
            label, query = what, self.person.taps(on, what, gone=True)
        self._lines += ["", f"А> [{label}]"]
        await self._sees(query)

    async def forges(self, data: str) -> None:
        """Press a button that we have not made."""
        query = self.person.sends_data(self.last, data)
        self._lines += ["", f"А> [a button with {data}]"]
        await self._sees(query)

    async def look(self) -> None:
        """Write down what came by itself."""
        await self._sees()

    @property
    def last(self) -> Message:
        return self.desk.far_end.last(self.person)

    async def _sees(self, query: Query | None = None) -> None:
        await self.desk.settled(self.person)
        if query is not None:
            assert query.is_answered
            if query.toast:
                alert = "alert" if (query.answer or {}).get("show_alert") else "toast"
                self._lines += _indented(f"   ({alert}) ", query.toast)
        for message in self.desk.far_end.messages(self.person):
            words, rows = marked(message.text), _rows(message)
            before = self._known.get(message.id)
            self._known[message.id] = words, rows
            if before is None:
                self._lines += ["", *_indented("Bot> ", words), *(f"     {row}" for row in rows)]
            elif before[0] != words:
                self._lines += ["", *_indented("Bot, edited> ", words), *(f"     {row}" for row in rows)]
            elif before[1] != rows:
                first = words.partition("\n")[0]
                self._lines.append(f"   ({first[:60]}: {' '.join(rows) or 'buttons gone'})")


def _rows(message: Message) -> list[str]:
    markup = message.markup or {}
    if markup.get("force_reply"):
        return ["(asks for a reply)"]
    return [" ".join(f"[{button['text']}]" for button in row) for row in markup.get("inline_keyboard", [])]


def _indented(head: str, text: str) -> list[str]:
    first, *rest = text.split("\n")
    return [f"{head}{first}", *(f"     {line}".rstrip() for line in rest)]


__all__ = ["FENCE", "Scene"]
