"""What a person would read, as plain text that can be kept in a file and compared.

А:
  /start
Tutor:
  Hello, **А**!
  [Begin] [Language]
"""

from collections.abc import Iterable
from typing import Any

from .text import Formatted, utf16
from .world import Chat, Happening, Message, World

_MARKS = {
    "bold": ("**", "**"), "italic": ("_", "_"), "underline": ("__", "__"), "strikethrough": ("~~", "~~"),
    "spoiler": ("||", "||"), "code": ("`", "`"),
}  # fmt: skip


def seen(chat: Chat, topic: int | None = None) -> str:
    """The chat as it stands: edits have replaced, deleted messages are gone.

    Args:
        chat: Which one.
        topic: Only this topic of a forum.
    """
    lines: list[str] = []
    for message in sorted(chat.messages.values(), key=lambda message: message.id):
        if message.deleted or (topic is not None and message.topic != topic):
            continue
        lines += _with_author(message)
    return "\n".join(lines) + "\n"


def lived(world: World, chat: Chat) -> str:
    """Everything that happened in a chat in its order, with taps, pop-ups and every edit.

    A bot sends the answer to a tap and the edits together, so which of them arrives first is chance: a pop-up stands
    right behind its tap.
    """
    happened: list[Happening] = []
    for happening in world.history:
        if happening.chat is chat:
            happened.insert(_place(happening, happened), happening)
    return "\n".join(line for happening in happened for line in _told(happening)) + "\n"


def _place(happening: Happening, before: list[Happening]) -> int:
    """Where something stands among what happened before it."""
    if happening.kind == "answered":
        for i in range(len(before) - 1, -1, -1):
            if before[i].kind == "tapped" and before[i].who == happening.who:
                return i + 1
    return len(before)


def _told(happening: Happening) -> list[str]:
    message = happening.message
    match happening.kind:
        case "sent":
            assert message is not None
            return _with_author(message, pinned=False)
        case "edited":
            assert message is not None
            return [f"{happening.who} (edited):", *_indented(_body(message))]
        case "tapped":
            return [f"* {happening.who} taps [{happening.words}]"]
        case "answered":
            return [f"* {happening.who} sees: {happening.words}"]
        case "voted":
            return [f"* {happening.who} votes: {happening.words or 'nothing any more'}"]
        case "deleted":
            assert message is not None
            return [f"* deleted: {message.words.splitlines()[0] if message.words else '(nothing)'}"]
        case "stopped":
            assert message is not None
            return [f"{happening.who} (stopped):", *_indented(_body(message))]


def _with_author(message: Message, *, pinned: bool = True) -> list[str]:
    who = message.sender_chat.title if message.sender_chat else message.sender.first_name if message.sender else "?"
    topic = message.chat.topics.get(message.topic or 0)
    where = f" in {topic.name}" if topic and not message.is_service else ""
    marks = " (pinned)" if pinned and message.id in message.chat.pinned else ""
    if message.reply_to and message.reply_to != message.topic and message.reply_to in message.chat.messages:
        original = message.chat.messages[message.reply_to]
        words = original.words.splitlines()[0] if original.words else "(photo)"
        marks += f" (to: {words if len(words) <= 40 else words[:39] + '…'})"
    return [f"{who}{where}{marks}:", *_indented(_body(message))]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]


def _body(message: Message) -> list[str]:
    lines: list[str] = []
    if message.is_service:
        lines.append(f"({', '.join(name.replace('_', ' ') for name in message.service)})")
    if message.photo:
        lines.append("(photo)")
    if message.document:
        lines.append(f"(file {message.document['file_name']})")
    for text in (message.text, message.caption):
        if text.text:
            lines += marked(text).split("\n")
    if message.poll is not None:
        lines += _poll(message)
    return lines + _keyboard(message.markup)


def _poll(message: Message) -> list[str]:
    poll = message.poll
    assert poll is not None
    kind = "quiz" if poll.is_quiz else "poll"
    more = ["anonymous"] * poll.is_anonymous + ["several answers"] * poll.multiple + ["closed"] * poll.closed
    lines = marked(poll.description).split("\n") if poll.description.text else []
    lines.append(f"({', '.join([kind, *more])}) {poll.question.text}")
    for index, option in enumerate(poll.options):
        right = " (right)" if poll.is_quiz and poll.closed and index in poll.correct else ""
        votes = sum(index in chosen for chosen in poll.votes.values())
        lines.append(f"( ) {option.text}{right}" + (f": {votes}" if votes else ""))
    if poll.closed and poll.explanation.text:
        lines += marked(poll.explanation).split("\n")
    return lines


def _keyboard(markup: dict[str, Any] | None) -> list[str]:
    if not markup:
        return []
    if markup.get("force_reply"):
        hint = markup.get("input_field_placeholder")
        return [f"(asks for a reply{': ' + hint if hint else ''})"]
    if "keyboard" in markup:
        return [
            " ".join(f"{{{button if isinstance(button, str) else button['text']}}}" for button in row)
            for row in markup["keyboard"]
        ]
    return [" ".join(_button(button) for button in row) for row in markup.get("inline_keyboard", [])]


def _button(button: dict[str, Any]) -> str:
    return f"[{button['text']} → {button['url']}]" if "url" in button else f"[{button['text']}]"


def marked(text: Formatted) -> str:
    """The text with light marks in the place of entities."""
    before: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    for entity in text.entities:
        opening, closing = _marks(entity)
        if opening or closing:
            before.setdefault(entity["offset"], []).append(opening)
            after.setdefault(entity["offset"] + entity["length"], []).insert(0, closing)
    parts: list[str] = []
    place = 0
    for char in text.text:
        parts += after.pop(place, [])
        parts += before.pop(place, [])
        parts.append(char)
        place += utf16(char)
    parts += after.pop(place, [])
    marked_text = "".join(parts)
    for entity in text.entities:
        if entity["type"] in {"blockquote", "expandable_blockquote"}:
            marked_text = _quoted(marked_text)
    return marked_text


def _quoted(text: str) -> str:
    start, _, rest = text.partition("\x02")
    inside, _, end = rest.partition("\x03")
    return start + "\n".join(f"> {line}" for line in inside.split("\n")) + end


def _marks(entity: dict[str, Any]) -> tuple[str, str]:
    match entity["type"]:
        case "pre":
            return f"```{entity.get('language', '')}\n", "\n```"
        case "text_link":
            return "[", f"]({entity['url']})"
        case "text_mention":
            return "[", f"](tg://user?id={entity['user']['id']})"
        case "blockquote" | "expandable_blockquote":
            return "\x02", "\x03"
    return _MARKS.get(entity["type"], ("", ""))
