"""Methods that send, change and remove messages.

Source: Client.cpp, `process_send_*`, `process_edit_*`, `do_send_message`; TDLib MessageContent.cpp.
"""

import struct
from typing import Any

from . import keyboards, limits, shapes
from .call import Call
from .errors import bad_request
from .text import Formatted
from .world import Chat, Message, World

_ACTIONS = {
    "typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice", "upload_document",
    "choose_sticker", "find_location", "record_video_note", "upload_video_note",
}  # fmt: skip


def checked_text(call: Call) -> Formatted:
    """The `text` of a message.

    Raises:
        ApiError: Empty, nothing to see, too long.
    """
    if not call.text("text"):
        raise bad_request("Message text is empty")
    text = call.formatted("text", "entities", "parse_mode")
    if not text.text:
        raise bad_request("Text must be non-empty")
    if len(text.text) > limits.TEXT:
        raise bad_request("Message is too long")
    return text


def checked_caption(call: Call) -> Formatted:
    """The `caption` of a picture; may be empty.

    Raises:
        ApiError: Too long.
    """
    caption = call.formatted("caption", "caption_entities", "parse_mode")
    if len(caption.text) > limits.CAPTION:
        raise bad_request("Message caption is too long")
    return caption


def send(world: World, call: Call, markup: dict[str, Any] | None, **content: Any) -> dict[str, Any]:
    """Check where a message goes and put it there."""
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=True)
    topic = world.check_topic(chat, call.number("message_thread_id"))
    reply_to = _reply_target(world, call, chat)
    world.check_sending(chat)
    keyboards.check_sizes(markup)
    original = chat.messages.get(reply_to) if reply_to else None
    if original is not None and chat.is_forum and topic is None:
        topic = original.topic
    message = Message(
        chat,
        next(chat.numbers),
        world.now(),
        sender=None if chat.kind == "channel" else world.bot,
        sender_chat=chat if chat.kind == "channel" else None,
        reply_to=reply_to,
        topic=topic,
        thread=(original.thread or original.id) if original is not None and chat.kind == "supergroup" else None,
        markup=markup,
        protected=call.flag("protect_content"),
        **content,
    )
    world.add(message)
    return shapes.message(world, message)


def _reply_target(world: World, call: Call, chat: Chat) -> int | None:
    reply = call.fields.get("reply_parameters")
    if reply is None and call.fields.get("reply_to_message_id"):
        reply = {
            "message_id": call.number("reply_to_message_id"),
            "allow_sending_without_reply": call.flag("allow_sending_without_reply"),
        }
    if reply is None:
        return None
    if not isinstance(reply, dict):
        raise bad_request("Object expected as reply parameters")
    original = chat.messages.get(int(reply.get("message_id", 0)))
    if original is None or original.deleted:
        if reply.get("allow_sending_without_reply"):
            return None
        raise bad_request("message to be replied not found")
    return original.id


def send_message(world: World, call: Call) -> dict[str, Any]:
    text = checked_text(call)
    return send(world, call, keyboards.parsed(call.fields.get("reply_markup")), text=text)


def send_photo(world: World, call: Call) -> dict[str, Any]:
    caption = checked_caption(call)
    photo = stored_photo(world, call, call.fields.get("photo"), "photo")
    return send(world, call, keyboards.parsed(call.fields.get("reply_markup")), caption=caption, photo=photo)


def send_document(world: World, call: Call) -> dict[str, Any]:
    """Only uploads: nothing of ours sends a document that Telegram knows."""
    content = call.files.get("document")
    if content is None:
        raise bad_request("There is no document in the request")
    if not content:
        raise bad_request("File must be non-empty")
    if len(content) > limits.DOCUMENT_BYTES:
        raise bad_request("File is too big")
    number = world.serial("file")
    document = {
        "file_id": f"BQACAgIAAxk{number}", "file_unique_id": f"AgAD{number}", "file_size": len(content),
        "file_name": call.names.get("document", "file"),
    }  # fmt: skip
    caption = checked_caption(call)
    return send(world, call, keyboards.parsed(call.fields.get("reply_markup")), caption=caption, document=document)


def stored_photo(world: World, call: Call, given: Any, name: str) -> list[dict[str, Any]]:
    """A picture as sizes: uploaded, known by its file id, or an address that is not fetched.

    Raises:
        ApiError: None given, unknown, too big, of impossible sides, or not a picture.
    """
    if isinstance(given, str) and given.startswith("attach://"):
        name, given = given.removeprefix("attach://"), None
    content = call.files.get(name)
    if content is None:
        if not given:
            raise bad_request("There is no photo in the request")
        if given in world.photos:
            return world.photos[given]
        if not str(given).startswith(("http://", "https://")):
            raise bad_request("Wrong file identifier/HTTP URL specified")
        return _remember(world, b"", 800, 600)
    if not content:
        raise bad_request("File must be non-empty")
    if len(content) > limits.PHOTO_BYTES:
        raise bad_request("File is too big")
    width, height = _sides(content)
    if width + height > limits.PHOTO_SIDES or max(width, height) > limits.PHOTO_RATIO * min(width, height):
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return _remember(world, content, width, height)


def _remember(world: World, content: bytes, width: int, height: int) -> list[dict[str, Any]]:
    number = world.serial("file")
    file_id = f"AgACAgIAAxk{number}"
    size = {
        "file_id": file_id, "file_unique_id": f"AQAD{number}", "width": width, "height": height,
        "file_size": len(content),
    }  # fmt: skip
    world.files[file_id] = content
    world.photos[file_id] = [size]
    return [size]


def _sides(content: bytes) -> tuple[int, int]:
    """Width and height of a PNG or JPEG.

    Raises:
        ApiError: It is neither.
    """
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        width, height = struct.unpack(">II", content[16:24])
        if width and height:
            return width, height
    if content.startswith(b"\xff\xd8"):
        place = 2
        while place + 9 < len(content) and content[place] == 0xFF:
            kind, length = content[place + 1], int.from_bytes(content[place + 2 : place + 4])
            if kind in {0xC0, 0xC1, 0xC2}:
                height, width = struct.unpack(">HH", content[place + 5 : place + 9])
                return width, height
            place += 2 + length
    raise bad_request("IMAGE_PROCESS_FAILED")


# Changing


def _editable(world: World, call: Call) -> Message:
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=True)
    message = world.find_message(chat, call.number("message_id"), "message to edit")
    own = message.sender is world.bot or (chat.kind == "channel" and message.sender_chat is chat)
    if not own or message.is_service or (message.markup and "inline_keyboard" not in message.markup):
        raise bad_request("message can't be edited")
    if chat.kind == "channel" and not chat.has_right(world.bot, "can_post_messages"):
        raise bad_request("need administrator rights in the channel chat")
    return message


def _changed(world: World, message: Message, markup: dict[str, Any] | None, **content: Any) -> dict[str, Any]:
    """Apply an edit; without `reply_markup` the keyboard goes.

    Source: TDLib MessagesManager.cpp, `edit_message_*`; the server compares content and markup.
    """
    keyboards.check_sizes(markup)
    if markup == message.markup and all(getattr(message, name) == value for name, value in content.items()):
        raise bad_request(_NOT_MODIFIED)
    for name, value in content.items():
        setattr(message, name, value)
    if markup != message.markup:
        message.markup = markup
        if markup:
            message.markups.append(markup)
    if content:
        message.edit_date = world.now()
    world.note(message.chat, "edited", message.sender_chat or message.sender, message)
    return shapes.message(world, message)


_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)


def edit_message_text(world: World, call: Call) -> dict[str, Any]:
    text = checked_text(call)
    markup = keyboards.parsed(call.fields.get("reply_markup"), inline_only=True)
    message = _editable(world, call)
    if not message.text.text:
        raise bad_request("there is no text in the message to edit")
    return _changed(world, message, markup, text=text)


def edit_message_caption(world: World, call: Call) -> dict[str, Any]:
    caption = checked_caption(call)
    markup = keyboards.parsed(call.fields.get("reply_markup"), inline_only=True)
    message = _editable(world, call)
    if not message.photo:
        raise bad_request("there is no caption in the message to edit")
    return _changed(world, message, markup, caption=caption)


def edit_message_reply_markup(world: World, call: Call) -> dict[str, Any]:
    markup = keyboards.parsed(call.fields.get("reply_markup"), inline_only=True)
    return _changed(world, _editable(world, call), markup)


def edit_message_media(world: World, call: Call) -> dict[str, Any]:
    media = call.fields.get("media")
    if not isinstance(media, dict):
        raise bad_request("Can't parse InputMedia: expected an Object")
    if media.get("type") != "photo":
        raise bad_request("Can't parse InputMedia: invalid type specified")
    markup = keyboards.parsed(call.fields.get("reply_markup"), inline_only=True)
    inner = Call("editMessageMedia", media, call.files)
    caption = checked_caption(inner)
    message = _editable(world, call)
    if message.poll is not None:
        raise bad_request("message can't be edited")
    photo = stored_photo(world, call, media.get("media"), "media")
    return _changed(world, message, markup, text=Formatted(), caption=caption, photo=photo)


def delete_message(world: World, call: Call) -> bool:
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=True)
    message = world.find_message(chat, call.number("message_id"), "message to delete")
    old = world.now() - message.date > limits.DELETE_AFTER_S
    own = message.sender is world.bot or chat.kind in {"private", "channel"}
    if (old or not own) and not (chat.kind == "supergroup" and chat.has_right(world.bot, "can_delete_messages")):
        raise bad_request("message can't be deleted")
    message.deleted = True
    world.note(chat, "deleted", world.bot, message)
    return True


# Beside messages


def answer_callback_query(world: World, call: Call) -> bool:
    if len(call.text("text")) > limits.CALLBACK_ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    url = call.text("url")
    if url and not url.startswith((f"https://t.me/{world.bot.username}?", f"t.me/{world.bot.username}?")):
        raise bad_request("URL_INVALID")
    query = world.find_query(call.text("callback_query_id"))
    query.answer = {
        "text": call.text("text"),
        "show_alert": call.flag("show_alert"),
        "url": url,
        "cache_time": call.number("cache_time"),
    }
    if query.toast:
        words = f"{'(alert) ' if query.answer['show_alert'] else ''}{query.toast}"
        world.note(query.message.chat, "answered", query.user, query.message, words)
    return True


def send_chat_action(world: World, call: Call) -> bool:
    if call.text("action") not in _ACTIONS:
        raise bad_request("Wrong parameter action in request")
    world.check_access(world.find_chat(call.fields.get("chat_id")), write=True)
    return True


def _pin_rights(world: World, chat: Chat) -> None:
    right = "can_edit_messages" if chat.kind == "channel" else "can_pin_messages"
    if chat.kind != "private" and not chat.has_right(world.bot, right):
        raise bad_request("not enough rights to manage pinned messages in the chat")


def pin_chat_message(world: World, call: Call) -> bool:
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=True)
    message = world.find_message(chat, call.number("message_id"), "message to pin")
    _pin_rights(world, chat)
    if message.id in chat.pinned:
        chat.pinned.remove(message.id)
    chat.pinned.append(message.id)
    return True


def unpin_chat_message(world: World, call: Call) -> bool:
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=True)
    number = call.number("message_id")
    if number:
        world.find_message(chat, number, "message to unpin")
    elif not chat.pinned:
        raise bad_request("Message to unpin not found")
    _pin_rights(world, chat)
    if number in chat.pinned:
        chat.pinned.remove(number)
    elif not number:
        chat.pinned.pop()
    return True
