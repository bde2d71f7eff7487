"""Layout: messages and menus become Discord's components; every one that can be pressed carries its payload.

A layout is built anew for every message and every edit and never kept: whoever presses is understood by the payload
alone, before and after a restart. `docs/decisions/discord-layout.md` says why these are components and not embeds.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
from discord import ui

from bot.bank import Picture, Rich, plain
from bot.bank.limits import length
from bot.chats.discord.items import CHOOSE, picked, pressed
from bot.chats.discord.text import MAX_CHARACTERS, Section, pages, paragraphs, sections
from bot.chats.menus import Menu
from bot.chats.payload import Pick, Tap
from bot.i18n import Language
from bot.present import Action, Choice, Message, Verb

MAX_LABEL = 80
"""Source: Discord developer reference, Components, button label."""

MAX_OPTION = 100
"""Source: Discord developer reference, Components, select option label."""

MAX_OPTIONS = 25
"""Source: Discord developer reference, Components, select options."""

BUTTONS = 5
"""Options that are buttons; more are a select menu. Source: Discord developer reference, Components, action row."""

MAX_PAGES = 4
"""What would take more messages comes as a text file instead. Chosen by us: an app that only a person has installed may
follow up an interaction five times."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button."""

    label: str
    payload: str
    primary: bool = False

    def item(self) -> ui.Item[Any]:
        """The button, for one use."""
        return pressed(self.label, self.payload, primary=self.primary)


@dataclass(frozen=True, slots=True)
class Choosing:
    """A select menu."""

    payload: str
    placeholder: str
    entries: tuple[tuple[str, str, bool], ...]
    """Label, value, and whether it is chosen already."""
    several: bool = False

    def item(self) -> ui.Item[Any]:
        """The menu, for one use."""
        options = [discord.SelectOption(label=label, value=value, default=on) for label, value, on in self.entries]
        return picked(self.payload, options, placeholder=self.placeholder, several=self.several)


Row = tuple[Press, ...] | tuple[Choosing]


@dataclass(frozen=True, slots=True)
class Page:
    """One message as it leaves: components, and the files they show."""

    texts: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    pictures: tuple[tuple[Path, str], ...] = ()
    """File and alternative text."""
    attachment: str = ""
    """What a text file under the texts says; empty if there is none."""

    def view(self) -> ui.LayoutView:
        """The components, for one use."""
        box: ui.Container[Any] = ui.Container()
        for i, text in enumerate(self.texts):
            if i == 1 and self.pictures:
                box.add_item(self._gallery())
            if i:
                box.add_item(ui.Separator(visible=i > 1))
            box.add_item(ui.TextDisplay(text))
        if self.pictures and len(self.texts) < 2:
            box.add_item(self._gallery())
        if self.attachment:
            box.add_item(ui.File(f"attachment://{_ATTACHMENT}"))
        for row in self.rows:
            box.add_item(ui.ActionRow(*(part.item() for part in row)))
        view = ui.LayoutView(timeout=None)
        view.add_item(box)
        view.stop()  # the library keeps nothing of it: presses are found by their payloads
        return view

    def _gallery(self) -> ui.MediaGallery[Any]:
        named = [(f"attachment://{_name(i, path)}", alt) for i, (path, alt) in enumerate(self.pictures)]
        return ui.MediaGallery(*(discord.MediaGalleryItem(media, description=alt) for media, alt in named))

    def files(self) -> list[discord.File]:
        """The files, read for one use."""
        read = [(io.BytesIO(path.read_bytes()), _name(i, path)) for i, (path, _) in enumerate(self.pictures)]
        found = [discord.File(data, name) for data, name in read]  # discord.py leaves files of an edit open
        if self.attachment:
            found.append(discord.File(io.BytesIO(self.attachment.encode()), _ATTACHMENT))
        return found


_ATTACHMENT = "result.txt"


def _name(i: int, path: Path) -> str:
    return f"picture{i}{path.suffix}"


def of_message(message: Message, t: Language, root: Path, notes: Sequence[Rich] = (), tail: str = "") -> list[Page]:
    """A message as one or more pages; what can be pressed is under the last.

    Args:
        message: What is to be said.
        t: Whose words stand on what the message leaves to the platform.
        root: The folder of the bank, for its pictures.
        notes: What is said before it.
        tail: Markdown that is said last; empty for none.

    Returns:
        At least one page; at most `MAX_PAGES`.
    """
    found = [*map(paragraphs, notes), *sections(message)]
    if tail:
        found.append((tail,))
    texts = pages(found)
    if len(texts) > MAX_PAGES:
        return _as_file(found, message, t)
    pictures = tuple(
        (root / block.path, block.alt)
        for block in message.head
        if isinstance(block, Picture) and (root / block.path).is_file()
    )
    made = [Page(tuple(page)) for page in texts]
    made[0] = Page(made[0].texts, (), pictures)
    last = made[-1]
    made[-1] = Page(last.texts, _rows(message, t), last.pictures)
    return made


def _as_file(found: Sequence[Section], message: Message, t: Language) -> list[Page]:
    """The beginning of a message that is too long, with the whole of it in a file."""
    begin = pages(found, MAX_CHARACTERS // 2)[0]
    whole = [message.title, plain(message.head)]
    whole += [f"{choice.letter}. {plain(choice.words)} {choice.note}" for choice in message.choices]
    whole += [message.verdict, plain(message.recap), plain(message.body)]
    more = t.gettext("The full text is in the attached file.")
    return [Page((*begin, more), _rows(message, t), attachment="\n\n".join(part for part in whole if part))]


def of_menu(menu: Menu, t: Language, notes: Sequence[Rich] = ()) -> list[Page]:
    """A menu as pages, its buttons under the last."""
    found = [*map(paragraphs, notes), paragraphs(menu.words)]
    if len(menu.buttons) > MAX_OPTIONS:
        found.append((t.gettext("There are more: find them by title with /quiz start."),))
    made = [Page(tuple(page)) for page in pages(found)]
    made[-1] = Page(made[-1].texts, _menu_rows(menu, t))
    return made


def of_words(words: Rich) -> list[Page]:
    """Words alone."""
    return [Page(tuple(page)) for page in pages([paragraphs(words)])]


# --- what can be pressed


def _rows(message: Message, t: Language) -> tuple[Row, ...]:
    rows: list[Row] = []
    if message.choices and any(choice.right is None for choice in message.choices):
        if message.several or len(message.choices) > BUTTONS:
            rows.append((_select(message, t),))
        else:
            rows.append(tuple(_letter(message, choice) for choice in message.choices))
    actions = message.actions
    if message.typed:
        actions = (Action(Verb.ANSWER, t.gettext("Type an answer"), primary=True), *actions)
    buttons = [Press(_label(a.words), str(Tap(message.session, message.position, a.verb)), a.primary) for a in actions]
    return (*rows, *_in_rows(buttons))


def _letter(message: Message, choice: Choice) -> Press:
    payload = str(Tap(message.session, message.position, Verb.ANSWER, choice.id))
    return Press(f"✓ {choice.letter}" if choice.chosen else choice.letter, payload)


def _select(message: Message, t: Language) -> Choosing:
    """A menu of options: of several it keeps what is ticked, otherwise it answers."""
    verb = Verb.SELECT if message.several else Verb.ANSWER
    entries = tuple((_fitting(choice), choice.id, choice.chosen and message.several) for choice in message.choices)
    words = t.gettext("Choose all that are right") if message.several else t.gettext("Choose an answer")
    return Choosing(str(Tap(message.session, message.position, verb)), words, entries, message.several)


def _fitting(choice: Choice) -> str:
    """The words of an option if they fit a menu's entry, else its letter: the words stand in the message."""
    words = f"{choice.letter}. {plain(choice.words)}"
    return words if length(words) <= MAX_OPTION and "\n" not in words else choice.letter


def _menu_rows(menu: Menu, t: Language) -> tuple[Row, ...]:
    if len(menu.buttons) > BUTTONS * 2:
        first = [(words, pick) for i, (words, pick) in enumerate(menu.buttons) if i == menu.primary]
        others = [(words, pick) for i, (words, pick) in enumerate(menu.buttons) if i != menu.primary]
        entries = tuple((_label(words), str(pick), False) for words, pick in others[:MAX_OPTIONS])
        rows = [(Press(_label(words), str(pick), primary=True),) for words, pick in first]
        return (*rows, (Choosing(str(Pick(CHOOSE)), t.gettext("Choose"), entries),))
    buttons = [Press(_label(words), str(pick), i == menu.primary) for i, (words, pick) in enumerate(menu.buttons)]
    return tuple(_in_rows(buttons))


def _label(words: str) -> str:
    """Titles are within the limit by the bank's lint, our own words by a test; what slips through must not fail."""
    return words if length(words) <= MAX_LABEL else words[: MAX_LABEL // 2 - 1] + "…"


def _in_rows(buttons: Sequence[Press]) -> Iterable[Row]:
    for i in range(0, len(buttons), BUTTONS):
        yield tuple(buttons[i : i + BUTTONS])


def without_buttons(message: discord.Message) -> ui.LayoutView | None:
    """A message of ours as it stands, without what can be pressed; to be sent with the attachments it has.

    Returns:
        The components, for one use; None if there is nothing to press.
    """
    found: ui.LayoutView = ui.LayoutView.from_message(message, timeout=None)
    if not any(isinstance(item, ui.ActionRow) for item in found.walk_children()):
        return None
    names = {attachment.filename: f"attachment://{attachment.filename}" for attachment in message.attachments}
    bare: ui.LayoutView = ui.LayoutView(timeout=None)
    for item in found.children:
        parts = item.children if isinstance(item, ui.Container) else [item]
        kept = [_kept(part, names) for part in parts if not isinstance(part, ui.ActionRow)]
        if kept:
            bare.add_item(ui.Container(*kept))
    bare.stop()
    return bare


def _kept(item: ui.Item[Any], names: dict[str, str]) -> ui.Item[Any]:
    """An item as it is sent again: files are named as attachments, not by the address they have for a while."""
    match item:
        case ui.File():
            return ui.File(_again(item.media.url, names))
        case ui.MediaGallery():
            shown = [
                discord.MediaGalleryItem(_again(m.media.url, names), description=m.description) for m in item.items
            ]
            return ui.MediaGallery(*shown)
        case _:
            return item


def _again(address: str, names: dict[str, str]) -> str:
    name = address.partition("?")[0].rpartition("/")[2]
    return names.get(name, address)
