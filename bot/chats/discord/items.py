"""Items that can be pressed, and forms that can be filled in: all they need to know is in their custom ids.

Whatever is pressed comes to `Client.pressed`, through a `DynamicItem` that lives only for that press.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, cast

import discord
from discord import ui

from bot.i18n import Language

CHOOSE = "choose"
"""The menu whose entries are payloads themselves."""

ANSWER_CHARACTERS = 200
"""Of a typed answer. Chosen by us: twice the longest form that content can accept."""

REPORT_CHARACTERS = 1000
"""Of what is wrong with an item. Chosen by us."""

TAKEN = "taken"
"""Marks an interaction that an item has taken up, so that nobody else does."""


class Presses(Protocol):
    """What takes up presses."""

    async def pressed(self, interaction: discord.Interaction[Any], payload: str, values: Sequence[str]) -> None:
        """Something of ours was pressed."""


async def _take_up(interaction: discord.Interaction[Any], payload: str) -> None:
    interaction.extras[TAKEN] = True
    data = cast("dict[str, Any]", interaction.data or {})
    await cast("Presses", interaction.client).pressed(interaction, payload, data.get("values") or ())


class TapItem(ui.DynamicItem[ui.Item[Any]], template=r"1:[0-9a-z]{1,13}:\d{1,3}:[a-z][a-z0-9]{0,2}"):
    """A button or select menu of a session; its payload is a `Tap`."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: ui.Item[Any], _match: re.Match[str], /
    ) -> TapItem:
        """The item that was pressed."""
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press on."""
        await _take_up(interaction, self.custom_id)


class PickItem(ui.DynamicItem[ui.Item[Any]], template=r"1/[a-z]+(?:/[A-Za-z0-9_.+-]*)*"):
    """A button or select menu that belongs to no session; its payload is a `Pick`."""

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: ui.Item[Any], _match: re.Match[str], /
    ) -> PickItem:
        """The item that was pressed."""
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press on."""
        await _take_up(interaction, self.custom_id)


def _item(payload: str, item: ui.Item[Any]) -> ui.Item[Any]:
    return TapItem(item) if payload.startswith("1:") else PickItem(item)


def pressed(label: str, payload: str, *, primary: bool = False) -> ui.Item[Any]:
    """A button."""
    style = discord.ButtonStyle.primary if primary else discord.ButtonStyle.secondary
    return _item(payload, ui.Button(label=label, custom_id=payload, style=style))


def picked(
    payload: str, options: list[discord.SelectOption], *, placeholder: str, several: bool = False
) -> ui.Item[Any]:
    """A select menu; of several entries none has to be chosen."""
    least, most = (0, len(options)) if several else (1, 1)
    menu: ui.Select[Any] = ui.Select(
        custom_id=payload, options=options, placeholder=placeholder, min_values=least, max_values=most
    )
    return _item(payload, menu)


# --- forms


class Form(StrEnum):
    """What a form is for. The value is the letter in its custom id, so it never changes."""

    ANSWER = "a"
    REPORT = "b"


_FORM = re.compile(r"1m([ab]):([0-9a-z]{1,13}):(\d{1,3}):(\d{1,20})")


@dataclass(frozen=True, slots=True)
class Filled:
    """A form of a session's position, for one person."""

    form: Form
    session: str
    position: int
    user: int
    """Discord's id of the person."""

    def __str__(self) -> str:
        return f"1m{self.form}:{self.session}:{self.position}:{self.user}"

    @classmethod
    def read(cls, custom_id: str) -> Filled | None:
        """What a form's custom id says; None if it is not ours, or of a version we do not know."""
        if match := _FORM.fullmatch(custom_id):
            form, session, position, user = match.groups()
            return cls(Form(form), session, int(position), int(user))
        return None


def form(filled: Filled, t: Language, question: str) -> ui.Modal:
    """The form to be filled in; the library keeps nothing of it.

    Args:
        filled: What it is for.
        t: The language of the person.
        question: The title, at most 45 characters.
    """
    report = filled.form is Form.REPORT
    title = t.gettext("Report a mistake") if report else question or t.gettext("Your answer")
    modal = ui.Modal(title=title, custom_id=str(filled), timeout=None)
    field: ui.TextInput[Any] = ui.TextInput(
        custom_id="words",
        required=not report,
        max_length=REPORT_CHARACTERS if report else ANSWER_CHARACTERS,
        style=discord.TextStyle.paragraph if report else discord.TextStyle.short,
    )
    label = t.gettext("What is wrong? You may leave it empty.") if report else t.gettext("Type your answer.")
    modal.add_item(ui.Label(text=label, component=field))
    modal.stop()
    return modal


def written(interaction: discord.Interaction[Any]) -> str:
    """What was typed into a form; empty if nothing was."""
    data = cast("dict[str, Any]", interaction.data or {})
    return next((str(found["value"]) for found in _fields(data.get("components") or []) if found.get("value")), "")


def _fields(components: Sequence[Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for component in components:
        if "value" in component:
            found.append(component)
        inner = component.get("components") or ([component["component"]] if "component" in component else [])
        found += _fields(inner)
    return found
