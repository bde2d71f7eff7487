"""Words: what a learner reads, parsed once into plain data that no platform has to parse again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A run of characters in one style. The characters are shown as they stand: no markup, no mention."""

    text: str
    bold: bool = False
    code: bool = False
    italic: bool = False
    link: str | None = None
    """An absolute http or https address."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One or more spans; a line feed inside a span is a line break."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code; indentation and line feeds are kept, no line feed at the end."""

    text: str
    language: str = ""
    """As written after the fence; empty if nothing was."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image that stands by itself."""

    path: str
    """Relative to the bank's root, with `/`."""
    alt: str


Block = Paragraph | Code | Picture
Rich = tuple[Block, ...]
"""Words with their blocks in order; empty means there are none."""


def plain(words: Rich) -> str:
    """The characters of some words without their style.

    Returns:
        Blocks joined by a line feed; of a picture its alternative text.
    """
    parts = []
    for block in words:
        match block:
            case Paragraph(spans):
                parts.append("".join(span.text for span in spans))
            case Code(text):
                parts.append(text)
            case Picture(_, alt):
                parts.append(alt)
    return "\n".join(parts)
