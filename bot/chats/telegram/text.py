"""Text for Telegram: rich words become characters and entities. No parse mode, so nothing can be taken for markup.

Offsets and lengths count UTF-16 code units; limits count code points.
Source: Telegram Bot API 10.0, MessageEntity and sendMessage.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from telegram import MessageEntity

from bot.bank import Block, Code, Paragraph, Picture, Span
from bot.present import Choice, Message

MAX_CHARACTERS = 4096
"""Source: Telegram Bot API 10.0, sendMessage.text."""

MAX_ENTITIES = 100
"""More are not shown. Source: tdlib/telegram-bot-api, undocumented."""

_JOINER = "\u2060"


@dataclass(frozen=True, slots=True)
class Text:
    """Characters with their entities, as one message carries them."""

    characters: str
    entities: tuple[MessageEntity, ...] = ()


@dataclass(frozen=True, slots=True)
class _Run:
    text: str
    kinds: tuple[str, ...] = ()
    url: str | None = None
    language: str | None = None


_Piece = tuple[tuple[_Run, ...], str]
"""The runs of one block, and what parts it from the block before."""


def texts(message: Message, *, pictures: bool = True) -> tuple[Text, ...]:
    """The texts of a message, in order; more than one only where one would be too long.

    It is parted between blocks, and a block that is too long by itself between characters; nothing is left out.

    Args:
        message: What is said.
        pictures: Whether pictures are described; not where they stand above as photos.
    """
    return tuple(_text(page) for page in _pages(_pieces(message, pictures=pictures)))


def unlinked(text: str) -> str:
    """Text in which Telegram finds no mention and no hashtag: a word joiner (U+2060) stands behind `@` and `#`."""
    return text.replace("@", "@" + _JOINER).replace("#", "#" + _JOINER)


def _pieces(message: Message, *, pictures: bool) -> list[_Piece]:
    pieces: list[_Piece] = []
    if message.title:
        pieces.append(((_Run(message.title, (MessageEntity.BOLD,)),), ""))
    pieces += [(_runs(block), "\n\n") for block in message.head if pictures or not isinstance(block, Picture)]
    for i, choice in enumerate(message.choices):
        pieces.append((_choice(choice), "\n" if i else "\n\n"))
    if message.verdict:
        pieces.append(((_Run(message.verdict, (MessageEntity.BOLD,)),), "\n\n"))
    recap = () if message.choices else message.recap
    pieces += [(_runs(block), "\n\n") for block in (*recap, *message.body)]
    return pieces


def _choice(choice: Choice) -> tuple[_Run, ...]:
    runs = [_Run(f"{choice.letter}.", (MessageEntity.BOLD,)), _Run(" ")]
    for i, block in enumerate(choice.words):
        runs += [_Run("\n   ")] if i else []
        runs += _runs(block)
    if choice.note:
        runs.append(_Run(f" — {choice.note}", (MessageEntity.ITALIC,)))
    return tuple(runs)


def _runs(block: Block) -> tuple[_Run, ...]:
    match block:
        case Paragraph(spans):
            return tuple(_run(span) for span in spans)
        case Code(text, language):
            return (_Run(text, (MessageEntity.PRE,), language=language or None),)
        case Picture(_, alt):
            return (_Run(f"[{unlinked(alt)}]", (MessageEntity.ITALIC,)),)


def _run(span: Span) -> _Run:
    if span.code:
        return _Run(span.text, (MessageEntity.CODE,))
    kinds = [kind for kind, wanted in ((MessageEntity.BOLD, span.bold), (MessageEntity.ITALIC, span.italic)) if wanted]
    if span.link:
        kinds.append(MessageEntity.TEXT_LINK)
    return _Run(unlinked(span.text), tuple(kinds), url=span.link)


def _pages(pieces: Iterable[_Piece]) -> list[list[_Run]]:
    pages: list[list[_Run]] = [[]]
    for runs, separator in pieces:
        if not pages[-1]:
            separator = ""
        elif not _fits([*pages[-1], _Run(separator), *runs]):
            pages.append([])
            separator = ""
        if separator:
            pages[-1].append(_Run(separator))
        for run in runs:
            for part in _parts(run):
                if not _fits([*pages[-1], part]):
                    pages.append([])
                pages[-1].append(part)
    return [page for page in pages if page]


def _fits(runs: Sequence[_Run]) -> bool:
    length = sum(len(run.text) for run in runs)
    return length <= MAX_CHARACTERS and sum(len(run.kinds) for run in runs) <= MAX_ENTITIES


def _parts(run: _Run) -> list[_Run]:
    starts = range(0, max(len(run.text), 1), MAX_CHARACTERS)
    return [_Run(run.text[i : i + MAX_CHARACTERS], run.kinds, run.url, run.language) for i in starts]


def _text(runs: Sequence[_Run]) -> Text:
    entities: list[MessageEntity] = []
    offset = 0
    for run in runs:
        units = len(run.text.encode("utf-16-le")) // 2
        if units:
            entities += [
                MessageEntity(
                    kind,
                    offset,
                    units,
                    url=run.url if kind == MessageEntity.TEXT_LINK else None,
                    language=run.language if kind == MessageEntity.PRE else None,
                )
                for kind in run.kinds
            ]
        offset += units
    return Text("".join(run.text for run in runs), tuple(entities))
