"""Text for Discord: rich words become its Markdown, and no character of theirs is taken for markup or a mention.

Lengths count UTF-16 code units, which is never less than Discord counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bot.bank import Block, Code, Paragraph, Picture, Rich, Span
from bot.bank.limits import length
from bot.present import Choice, Message

MAX_CHARACTERS = 4000
"""Of all texts of one message. Source: Discord developer reference, Components, text display, 2026-11."""

_MARKS = re.compile(r"[\\`*_~|<\[\]]|(?<=:)/(?=/)|^[ ]*(?:[#>+-]|\d{1,9}\.)", re.MULTILINE)
_JOINER = "\u2060"
_TICKS = re.compile("`+")
_LANGUAGE = re.compile(r"[A-Za-z0-9+#_-]{1,20}")
_UNSAFE_IN_LINK = {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "`": "%60"}


def escaped(text: str) -> str:
    """Characters that Discord shows as they stand.

    Whatever may be markup has a backslash before it, the slashes of an address too, so that it is no link; behind `@`
    stands a word joiner (U+2060), so that it is no mention.
    """
    return _MARKS.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", text).replace("@", "@" + _JOINER)


def markdown(block: Block) -> str:
    """A block as Discord's Markdown."""
    match block:
        case Paragraph(spans):
            return "".join(map(_span, spans))
        case Code(text, language):
            named = language if _LANGUAGE.fullmatch(language) else ""
            return f"```{named}\n{text.replace('```', f'`{_JOINER}`{_JOINER}`')}\n```"
        case Picture(_, alt):
            return f"*{escaped(alt)}*"


def _span(span: Span) -> str:
    if span.code:
        return _code(span.text)
    bare = span.text.strip()
    if not bare:
        return span.text
    before, _, after = span.text.partition(bare)
    text = escaped(bare)
    if span.link:
        address = "".join(_UNSAFE_IN_LINK.get(character, character) for character in span.link)
        text = f"[{text}]({address})"
    if span.italic:
        text = f"*{text}*"
    if span.bold:
        text = f"**{text}**"
    return f"{before}{text}{after}"


def _code(text: str) -> str:
    """A code span; where the text has backticks itself, the marks are longer."""
    marks = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{padding}{text.replace(chr(10), ' ')}{padding}{marks}"


Section = tuple[str, ...]
"""Pieces of Markdown that stand together; a message is parted between pieces only."""


def sections(message: Message) -> list[Section]:
    """What a message says, in sections; pictures of the head are left to the layout."""
    head: list[str] = [f"**{escaped(message.title)}**\n"] if message.title else []
    head += [markdown(block) + "\n" for block in message.head if not isinstance(block, Picture)]
    choices = [_choice(choice) for choice in message.choices]
    body = [f"**{escaped(message.verdict)}**\n"] if message.verdict else []
    recap = () if message.choices else message.recap
    body += [markdown(block) + "\n" for block in (*recap, *message.body)]
    return [tuple(section) for section in (head, choices, body) if section]


def paragraphs(words: Rich) -> Section:
    """Some words as one section."""
    return tuple(markdown(block) + "\n" for block in words)


def _choice(choice: Choice) -> str:
    words = "\n".join(markdown(block) for block in choice.words)
    tick = "✓ " if choice.chosen and choice.right is None else ""
    note = f" — *{escaped(choice.note)}*" if choice.note else ""
    return f"{tick}**{choice.letter}.** {words}{note}"


def pages(parts: Iterable[Section], first: int = MAX_CHARACTERS) -> list[list[str]]:
    """Sections as the texts of one or more messages; nothing is left out.

    Args:
        parts: In order.
        first: What the first message may hold, at most `MAX_CHARACTERS`.

    Returns:
        For every message its texts, one per section or part of one; all texts of a message together are within the
        limit. One message without texts if there is nothing to say.
    """
    whole = list(parts)
    if sum(length(_joined(section)) for section in whole) <= first:
        return [[_joined(section) for section in whole]]
    found: list[list[str]] = [[]]
    room = first
    for section in whole:
        open_ = False
        for piece in (part for whole_piece in section for part in _parts(whole_piece)):
            needed = length(piece) + 1
            if needed > room:
                found.append([])
                room, open_ = MAX_CHARACTERS, False
            room -= needed
            if open_:
                found[-1][-1] = f"{found[-1][-1]}\n{piece}"
            else:
                found[-1].append(piece)
            open_ = True
    return [[text.rstrip("\n") for text in page] for page in found if page] or [[]]


def _joined(section: Sequence[str]) -> str:
    return "\n".join(section).rstrip("\n")


def _parts(piece: str) -> list[str]:
    """A piece that is too long for a message by itself, cut between lines or, where a line is too long, in it."""
    if length(piece) < MAX_CHARACTERS:
        return [piece]
    fence = piece.startswith("```")
    opening, closing = (piece.partition("\n")[0] + "\n", "\n```") if fence else ("", "")
    inner = piece.removeprefix(opening).rstrip("\n").removesuffix(closing) if fence else piece
    room = (MAX_CHARACTERS - len(opening) - len(closing)) // 2 - 1  # a character is two code units at most
    found = []
    while inner:
        cut = len(inner) if len(inner) <= room else inner.rfind("\n", 1, room) + 1 or room
        while 0 < cut < len(inner) and inner[cut - 1] == "\\":
            cut -= 1
        cut = cut or room
        found.append(f"{opening}{inner[:cut].strip(chr(10))}{closing}")
        inner = inner[cut:]
    return found
