"""What a person reads on a message, and what can be pressed on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import simcord
from simcord.backend.models import EPHEMERAL_FLAG
from simcord.results import ResponseMessage

ROW, BUTTON, SELECT, TEXT, GALLERY, FILE, CONTAINER = 1, 2, 3, 10, 12, 13, 17


@dataclass
class Seen:
    """A message of the bot as it stands now."""

    id: int
    hidden: bool
    """Whether only one person sees it."""
    text: str
    buttons: dict[str, str] = field(default_factory=dict)
    """Label to custom id."""
    menu: dict[str, str] | None = None
    """Label to value; None if there is no menu."""
    ticked: tuple[str, ...] = ()
    rows: list[list[str]] = field(default_factory=list)
    """As a person reads what can be pressed, row by row."""
    files: tuple[str, ...] = ()
    raw: Any = None

    def of(self, env: simcord.Env) -> ResponseMessage:
        """simcord's handle."""
        return ResponseMessage(env, self.raw)

    @property
    def whole(self) -> str:
        """Text and rows, as in a transcript."""
        rows = ["  ".join(row) for row in self.rows]
        files = [f"({name})" for name in self.files]
        return "\n".join([self.text, *files, *rows])


def seen(message: Any) -> Seen:
    """A message of simcord's, read."""
    found = Seen(message.id, bool(message.flags & EPHEMERAL_FLAG), message.content, raw=message)
    texts: list[str] = [message.content] if message.content else []
    _read(message.components, texts, found)
    found.text = "\n\n".join(texts)
    return found


def _read(components: list[dict[str, Any]], texts: list[str], found: Seen) -> None:
    for component in components:
        match component["type"]:
            case 10:
                texts.append(component["content"])
            case 12:
                texts += [f"(picture: {item.get('description')})" for item in component["items"]]
            case 13:
                found.files = (*found.files, component["file"]["url"].rsplit("/", 1)[-1])
            case 1:
                found.rows.append([_pressable(child, found) for child in component["components"]])
            case 17:
                _read(component["components"], texts, found)


def _pressable(component: dict[str, Any], found: Seen) -> str:
    if component["type"] == BUTTON:
        found.buttons[component["label"]] = component["custom_id"]
        return f"[{component['label']}]"
    options = component["options"]
    found.menu = {option["label"]: option["value"] for option in options}
    found.ticked = tuple(option["value"] for option in options if option.get("default"))
    entries = " | ".join(("✓ " if option.get("default") else "") + option["label"] for option in options)
    return f"({component.get('placeholder') or ''}: {entries})"
