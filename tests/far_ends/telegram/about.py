"""Methods about the bot itself: who it is, its commands, its texts in every language.

Source: Bot API 10.0; TDLib BotCommand.cpp and BotInfoManager.cpp, misc.cpp `validate_bot_language_code`. The codes for
too many commands, bad characters and long texts come from the last server and are from memory.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from . import limits, shapes
from .call import Call
from .errors import bad_request
from .world import World

_SCOPES = {
    "default": (), "all_private_chats": (), "all_group_chats": (), "all_chat_administrators": (),
    "chat": ("chat_id",), "chat_administrators": ("chat_id",), "chat_member": ("chat_id", "user_id"),
}  # fmt: skip


def get_me(world: World, call: Call) -> dict[str, Any]:
    return shapes.me(world)


def _language(call: Call) -> str:
    code = call.text("language_code")
    if code and not re.fullmatch("[a-z]{2}", code):
        raise bad_request("Invalid language code specified")
    return code


def _scope(world: World, call: Call) -> str:
    scope = call.fields.get("scope") or {"type": "default"}
    if not isinstance(scope, dict):
        raise bad_request("Can't parse BotCommandScope: BotCommandScope must be an Object")
    if scope.get("type") not in _SCOPES:
        raise bad_request("Can't parse BotCommandScope: Unsupported type specified")
    if "chat_id" in _SCOPES[scope["type"]]:
        chat = world.find_chat(scope.get("chat_id"))
        if chat.kind == "channel":
            raise bad_request("Can't change commands in channel chats")
        if chat.kind == "private" and scope["type"] != "chat":
            raise bad_request("Can't use specified scope in private chats")
    return json.dumps(scope, sort_keys=True)


def set_my_commands(world: World, call: Call) -> bool:
    given = call.fields.get("commands") or []
    if not isinstance(given, list):
        raise bad_request("Expected an Array of BotCommand")
    scope, language = _scope(world, call), _language(call)
    commands = []
    for one in given:
        if not isinstance(one, dict):
            raise bad_request("Can't parse BotCommand: expected an Object")
        command = str(one.get("command", "")).strip().removeprefix("/")
        description = str(one.get("description", "")).strip()
        if not command:
            raise bad_request("Command must be non-empty")
        if len(command) > limits.COMMAND:
            raise bad_request(f"Command length must not exceed {limits.COMMAND}")
        if not description:
            raise bad_request("Command description must be non-empty")
        if len(description) > limits.COMMAND_DESCRIPTION:
            raise bad_request(f"Command description length must not exceed {limits.COMMAND_DESCRIPTION}")
        if not re.fullmatch("[a-z0-9_]+", command):
            raise bad_request("BOT_COMMAND_INVALID")
        commands.append({"command": command, "description": description})
    if len(commands) > limits.COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    if commands:
        world.commands[scope, language] = commands
    else:
        world.commands.pop((scope, language), None)
    return True


def get_my_commands(world: World, call: Call) -> list[dict[str, Any]]:
    return world.commands.get((_scope(world, call), _language(call)), [])


def delete_my_commands(world: World, call: Call) -> bool:
    world.commands.pop((_scope(world, call), _language(call)), None)
    return True


def setter(field: str, limit: int, code: str) -> Callable[[World, Call], bool]:
    """A method that sets one text for one language; an empty one takes it away."""

    def set_text(world: World, call: Call) -> bool:
        text, language = call.text(field).strip(), _language(call)
        if len(text) > limit:
            raise bad_request(code)
        if text:
            world.profile[field, language] = text
        else:
            world.profile.pop((field, language), None)
        return True

    return set_text


def getter(field: str) -> Callable[[World, Call], dict[str, str]]:
    """A method that gives one text for one language, or the one for all."""

    def get_text(world: World, call: Call) -> dict[str, str]:
        text = world.profile.get((field, _language(call))) or world.profile.get((field, ""), "")
        return {field: text or (world.bot.first_name if field == "name" else "")}

    return get_text
