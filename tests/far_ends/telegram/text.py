"""Text as Telegram keeps it: cleaned, trimmed, with entities in UTF-16 units, and with what it finds by itself.

Source: TDLib misc.cpp `clean_input_string`, `replace_offending_characters`, `strip_empty_characters`;
MessageEntity.cpp `fix_formatted_text`, `clean_input_string_with_entities`, `find_entities`.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from . import limits
from .errors import bad_request

_DELETED = {chr(code) for code in range(0x2028, 0x202F)} | {"\r", "\u0333", "\u033f", "\u030a"}
_ZERO_WIDTH = re.compile("[\u200b-\u200f\u202e\ufeff\u00a0 \n]*")
_BLANKS = re.compile("[\u1680\u180e\u2000-\u200a\u202e\u202f\u205f\u2800\u3000\ufffc\U000e0000-\U000e007f]")
_SPECIAL = re.compile("[\x00-\x09\x0b-\x1f\u200e\u200f\u2028-\u202e\u0333\u033f\u030a]")
_MARK_RUN = re.compile("[\u200e\u200f]+(?=[\u200e\u200f])")

_FOUND = (
    ("mention", re.compile(r"(?<!\w)@[A-Za-z0-9_]{2,32}(?!\w)")),
    ("bot_command", re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>])")),
    ("hashtag", re.compile(r"(?<!\w)#(?=\w*[^\W\d_])\w{1,256}(?![\w#])")),
    (
        "url",
        re.compile(r"(?:https?://[^\s<>\"«»]+|(?<![\w@.])(?:[a-z0-9-]+\.)+(?:com|org|net|ru|io|dev|me)\b[^\s<>«»]*)"),
    ),
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
)
_CODE = {"code", "pre"}
_WHOLE = _CODE | {"text_link", "text_mention", "mention", "hashtag", "bot_command", "url", "email", "custom_emoji"}
_GIVEN = _WHOLE | {
    "bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "cashtag",
    "phone_number", "date_time",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Formatted:
    """A text and its entities, as dicts of the Bot API, sorted."""

    text: str = ""
    entities: list[dict[str, Any]] = field(default_factory=list)


def utf16(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def shows_nothing(text: str) -> bool:
    """Whether only blanks and zero-width characters are there."""
    return _ZERO_WIDTH.fullmatch(_BLANKS.sub(" ", text)) is not None


def formatted(
    text: str, entities: list[dict[str, Any]] | None = None, parse_mode: str = "", *, find: bool = True
) -> Formatted:
    """The text as it will be stored; empty if it shows nothing.

    Args:
        text: As the bot sent it.
        entities: As the bot sent them; ignored when there is a parse mode.
        parse_mode: Empty or HTML. Markdown is not spoken here.
        find: Whether mentions, commands, links and the like are found.

    Raises:
        ApiError: Too long before parsing, an entity outside of the text or inside of a character, broken HTML.
    """
    if len(text.encode("utf-8", "surrogatepass")) > limits.TEXT_BYTES:
        raise bad_request("Text is too long")
    if any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        raise bad_request("Strings must be encoded in UTF-8")
    mode = parse_mode.lower()
    if mode == "html":
        text, entities = _from_html(text)
    elif mode not in {"", "none"}:
        raise bad_request("Unsupported parse_mode")
    return _trimmed(*_cleaned(text, _checked(entities or [])), find=find)


def _checked(entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = []
    for entity in entities:
        if entity.get("type") not in _GIVEN:
            raise bad_request("Can't parse MessageEntity: Unsupported type specified")
        for name in ("offset", "length"):
            if not isinstance(entity.get(name), int):
                raise bad_request(f'Can\'t parse MessageEntity: Field "{name}" must be of type Number')
        if not 0 <= entity["offset"] <= 1_000_000:
            raise bad_request(f"Receive an entity with incorrect offset {entity['offset']}")
        if not 0 <= entity["length"] <= 1_000_000:
            raise bad_request(f"Receive an entity with incorrect length {entity['length']}")
        if entity["length"]:
            kept.append(dict(entity))
    return sorted(kept, key=lambda entity: (entity["offset"], -entity["length"]))


def _cleaned(text: str, entities: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Replace and drop characters; entities move with the text."""
    if not entities and not _SPECIAL.search(text):
        return text, []
    moved: dict[int, int] = {}
    kept: list[str] = []
    before = after = 0
    for char in text:
        moved[before] = after
        wide = 2 if ord(char) > 0xFFFF else 1
        before += wide
        if char in _DELETED:
            continue
        kept.append(" " if char < " " and char != "\n" else char)
        after += wide
    moved[before] = after
    for entity in entities:
        start, end = entity["offset"], entity["offset"] + entity["length"]
        if start >= before:
            raise bad_request(f"Entity begins after the end of the text at UTF-16 offset {start}")
        if end > before:
            raise bad_request(
                f"Entity beginning at UTF-16 offset {start} ends after the end of the text at UTF-16 offset {end}"
            )
        if start not in moved:
            raise bad_request(f"Entity begins in a middle of a UTF-16 symbol at byte offset {start}")
        if end not in moved:
            raise bad_request(
                f"Entity beginning at UTF-16 offset {start} ends in a middle of a UTF-16 symbol at byte offset {end}"
            )
        entity["offset"], entity["length"] = moved[start], moved[end] - moved[start]
    clean = _MARK_RUN.sub(lambda run: "\u200c" * len(run[0]), "".join(kept))
    return clean, [entity for entity in entities if entity["length"]]


def _trimmed(text: str, entities: list[dict[str, Any]], *, find: bool) -> Formatted:
    right = text.rstrip(" \n")
    end = utf16(right)
    entities = [entity for entity in entities if entity["offset"] < end]
    for entity in entities:
        entity["length"] = min(entity["length"], end - entity["offset"])
    first = entities[0]["offset"] if entities else end
    left = 0
    while left < min(first, len(right)) and right[left] in " \n":
        left += 1
    for entity in entities:
        entity["offset"] -= left
    clean = right[left:]
    if shows_nothing(clean):
        return Formatted()
    entities = _apart(entities)
    if find:
        entities += _found(clean, entities)
        entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return Formatted(clean, entities[: limits.ENTITIES])


def _apart(entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nothing inside of code, and no two entities that must stay whole on one place."""
    kept: list[dict[str, Any]] = []
    for entity in entities:
        if any(
            _touch(entity, other)
            and (other["type"] in _CODE or entity["type"] in _CODE or {entity["type"], other["type"]} <= _WHOLE)
            for other in kept
        ):
            continue
        kept.append(entity)
    return kept


def _found(text: str, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if not any(char in text for char in "@/#."):
        return found
    for kind, pattern in _FOUND:
        for match in pattern.finditer(text):
            entity = {"type": kind, "offset": utf16(text[: match.start()]), "length": utf16(match[0].rstrip(".,!?;:)"))}
            if not any(_touch(entity, other) and other["type"] in _WHOLE for other in (*given, *found)):
                found.append(entity)
    return found


def _touch(one: dict[str, Any], other: dict[str, Any]) -> bool:
    starts: bool = one["offset"] < other["offset"] + other["length"]
    ends: bool = other["offset"] < one["offset"] + one["length"]
    return starts and ends


_TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler",
    "code": "code", "pre": "pre", "a": "text_link", "blockquote": "blockquote",
}  # fmt: skip


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.entities: list[dict[str, Any]] = []
        self._open: list[tuple[str, int, dict[str, Any]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _TAGS:
            raise bad_request(f'Can\'t parse entities: Unsupported start tag "{tag}" at byte offset {self.getpos()[1]}')
        more = {"url": dict(attrs).get("href") or ""} if tag == "a" else {}
        self._open.append((tag, utf16(self.text), more))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            raise bad_request(f"Can't parse entities: Unexpected end tag at byte offset {self.getpos()[1]}")
        opened, offset, more = self._open.pop()
        if length := utf16(self.text) - offset:
            self.entities.append({"type": _TAGS[opened], "offset": offset, "length": length, **more})

    def handle_data(self, data: str) -> None:
        self.text += data

    def finish(self) -> None:
        self.close()
        if self._open:
            raise bad_request(
                f"Can't parse entities: Can't find end tag corresponding to start tag \"{self._open[-1][0]}\""
            )


def _from_html(text: str) -> tuple[str, list[dict[str, Any]]]:
    parser = _Html()
    parser.feed(text)
    parser.finish()
    return parser.text, [entity for entity in parser.entities if entity.get("url") != ""]
