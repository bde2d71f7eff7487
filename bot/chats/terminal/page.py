"""The page: messages as rich renderables. Words stay words without colour, in any width."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.style import Style
from rich.table import Table
from rich.text import Text

from bot.bank import Block, Code, Paragraph, Picture, Rich, Span
from bot.present import Choice, Message

WIDTH = 88
"""Columns at most; longer lines tire the eye. Chosen by us."""


def page(message: Message) -> Group:
    """A message as it is printed; where it replaces a question, only what is new is said."""
    parts: list[RenderableType] = []
    if not message.replaces:
        if message.progress and message.title:
            parts += [_progress(message.title, message.progress), Text()]
        parts += _spaced(message.head)
        if message.choices:
            parts += [_options(message.choices), Text()]
    if message.verdict:
        parts += [Text(message.verdict, style="bold"), Text()]
    if message.replaces or not message.choices:
        parts += _spaced(message.recap)
    parts += _spaced(message.body)
    return Group(*parts)


def _progress(title: str, progress: tuple[int, int]) -> RenderableType:
    number, total = progress
    row = Table.grid(padding=(0, 2))
    bar = ProgressBar(total=total, completed=number - 1, width=20, complete_style="green", finished_style="green")
    row.add_row(Text(title, style="bold"), bar)
    return row


def _options(choices: tuple[Choice, ...]) -> RenderableType:
    rows = Table.grid(padding=(0, 1))
    rows.add_column(no_wrap=True)
    rows.add_column(overflow="fold")
    for choice in choices:
        lines = [_block(block) for block in choice.words]
        if choice.note:
            lines.append(Text(f"← {choice.note}", style="italic"))
        rows.add_row(Text(f"{choice.letter}.", style="bold"), Group(*lines))
    return Padding(rows, (0, 0, 0, 2))


def _spaced(words: Rich) -> list[RenderableType]:
    """Blocks with an empty line behind each; lines that belong together stand together."""
    parts: list[RenderableType] = []
    for block in words:
        parts += [_block(block), Text()]
    return parts


def _block(block: Block) -> RenderableType:
    match block:
        case Paragraph(spans):
            return _text(spans)
        case Code(text):
            return Padding(Text(text, style="cyan", overflow="fold"), (0, 0, 0, 4))
        case Picture(_, alt):
            return Text(f"[{alt}]", style="italic")


def _text(spans: tuple[Span, ...]) -> Text:
    text = Text(overflow="fold")
    for span in spans:
        style = Style(bold=span.bold or None, italic=span.italic or None, color="cyan" if span.code else None)
        text.append(f"`{span.text}`" if span.code else span.text, style)  # told apart without colour too
        if span.link:
            text.append(f" <{span.link}>", Style(dim=True))
    return text
