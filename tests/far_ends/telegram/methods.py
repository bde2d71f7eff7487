"""Every method the far end knows, by its name in small letters (the server does not look at the case)."""

import json
import re
from collections.abc import Callable
from typing import Any

from . import about, limits, messages, places, polls
from .call import Call
from .errors import bad_request
from .updates import Webhook
from .world import World

Method = Callable[[World, Call], Any]


def _allowed(call: Call) -> list[str] | None:
    allowed = call.fields.get("allowed_updates")
    return allowed if isinstance(allowed, list) else None


async def get_updates(world: World, call: Call) -> Any:
    return await world.updates.poll(
        call.number("offset"),
        min(limits.UPDATES_A_BATCH, max(1, call.number("limit", limits.UPDATES_A_BATCH))),
        min(limits.LONG_POLL_S, max(0, call.number("timeout"))),
        _allowed(call),
    )


def set_webhook(world: World, call: Call) -> bool:
    """The server wants https and ports 443, 80, 88, 8443; loopback is let through with http and any port."""
    url, secret = call.text("url"), call.text("secret_token")
    if secret and not re.fullmatch(f"[A-Za-z0-9_-]{{1,{limits.SECRET_TOKEN}}}", secret):
        raise bad_request("secret token contains unallowed characters")
    if not url:
        return delete_webhook(world, call)
    if not re.match(r"http://(127\.0\.0\.1|localhost)[:/]|https://", url):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    connections = min(100, max(1, call.number("max_connections", 40)))
    world.updates.set_webhook(
        Webhook(url, secret, connections), drop=call.flag("drop_pending_updates"), allowed=_allowed(call)
    )
    return True


def delete_webhook(world: World, call: Call) -> bool:
    world.updates.set_webhook(None, drop=call.flag("drop_pending_updates"))
    return True


def get_webhook_info(world: World, call: Call) -> dict[str, Any]:
    updates = world.updates
    info: dict[str, Any] = {
        "url": updates.webhook.url if updates.webhook else "",
        "has_custom_certificate": False,
        "pending_update_count": len(updates.pending()),
    }
    if updates.last_error:
        info |= {"last_error_date": updates.last_error[0], "last_error_message": updates.last_error[1]}
    if updates.webhook:
        info |= {"max_connections": updates.webhook.connections, "ip_address": "127.0.0.1"}
    if updates.allowed:
        info["allowed_updates"] = updates.allowed
    return info


METHODS: dict[str, tuple[str, Method]] = {
    name.lower(): (name, method)
    for name, method in {
        "getMe": about.get_me,
        "getUpdates": get_updates,
        "setWebhook": set_webhook,
        "deleteWebhook": delete_webhook,
        "getWebhookInfo": get_webhook_info,
        "sendMessage": messages.send_message,
        "sendPhoto": messages.send_photo,
        "sendDocument": messages.send_document,
        "sendPoll": polls.send_poll,
        "stopPoll": polls.stop_poll,
        "editMessageText": messages.edit_message_text,
        "editMessageCaption": messages.edit_message_caption,
        "editMessageReplyMarkup": messages.edit_message_reply_markup,
        "editMessageMedia": messages.edit_message_media,
        "deleteMessage": messages.delete_message,
        "answerCallbackQuery": messages.answer_callback_query,
        "sendChatAction": messages.send_chat_action,
        "pinChatMessage": messages.pin_chat_message,
        "unpinChatMessage": messages.unpin_chat_message,
        "setMyCommands": about.set_my_commands,
        "getMyCommands": about.get_my_commands,
        "deleteMyCommands": about.delete_my_commands,
        "setMyName": about.setter("name", limits.BOT_NAME, "BOT_TITLE_INVALID"),
        "getMyName": about.getter("name"),
        "setMyDescription": about.setter("description", limits.BOT_DESCRIPTION, "BOT_DESCRIPTION_INVALID"),
        "getMyDescription": about.getter("description"),
        "setMyShortDescription": about.setter(
            "short_description", limits.BOT_SHORT_DESCRIPTION, "BOT_SHORT_DESCRIPTION_INVALID"
        ),
        "getMyShortDescription": about.getter("short_description"),
        "getChat": places.get_chat,
        "getChatMember": places.get_chat_member,
        "getChatAdministrators": places.get_chat_administrators,
        "leaveChat": places.leave_chat,
    }.items()
}


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
