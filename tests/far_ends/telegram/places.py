"""Methods about chats and who is in them.

Source: Client.cpp, `process_get_chat_*`, `JsonChatMember`.
"""

from typing import Any

from . import limits, shapes
from .call import Call
from .errors import bad_request
from .world import Chat, Member, User, World


def get_chat(world: World, call: Call) -> dict[str, Any]:
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=False)
    return shapes.full_chat(world, chat)


def get_chat_member(world: World, call: Call) -> dict[str, Any]:
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=False)
    user = world.users.get(call.number("user_id"))
    if user is None:
        raise bad_request("user not found")
    if chat.kind == "private":
        return {"user": shapes.user(user), "status": "member" if user in {chat.user, world.bot} else "left"}
    if chat.kind == "channel" and user is not world.bot and not chat.is_admin(world.bot):
        raise bad_request("member list is inaccessible")
    return shapes.member(chat, user)


def get_chat_administrators(world: World, call: Call) -> list[dict[str, Any]]:
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=False)
    if chat.kind == "private":
        raise bad_request("there are no administrators in the private chat")
    if chat.kind == "channel" and not chat.is_admin(world.bot):
        raise bad_request("member list is inaccessible")
    return [
        shapes.member(chat, member.user)
        for member in chat.members.values()
        if chat.is_admin(member.user) and (not member.user.is_bot or member.user is world.bot)
    ]


def leave_chat(world: World, call: Call) -> bool:
    chat = world.find_chat(call.fields.get("chat_id"))
    world.check_access(chat, write=False)
    if chat.kind == "private":
        raise bad_request("chat member status can't be changed in private chats")
    set_status(world, chat, world.bot, Member(world.bot, "left"), by=world.bot)
    return True


def set_status(world: World, chat: Chat, user: User, new: Member, *, by: User) -> None:
    """Change what somebody is in a chat and tell the bot, if it may know."""
    old_shape = shapes.member(chat, user)
    chat.members[user.id] = new
    new_shape = shapes.member(chat, user)
    if old_shape == new_shape:
        return
    change = {
        "chat": shapes.chat(chat),
        "from": shapes.user(by),
        "date": world.now(),
        "old_chat_member": old_shape,
        "new_chat_member": new_shape,
    }
    if user is world.bot:
        world.updates.add("my_chat_member", change, life_s=limits.UPDATE_LIFE_S, queue=f"chat {chat.id}")
    elif chat.is_admin(world.bot):
        world.updates.add("chat_member", change, life_s=limits.UPDATE_LIFE_S, queue=f"chat {chat.id}")
