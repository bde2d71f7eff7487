"""Objects of the Bot API as dicts.

Source: Client.cpp, `Json*` classes. Left out on purpose: `all_members_are_administrators` of groups, which the server
sends and no model knows.
"""

from typing import Any

from . import world as w

Json = dict[str, Any]

_PERMISSIONS = (
    "can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos",
    "can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages",
    "can_add_web_page_previews", "can_react_to_messages", "can_edit_tag", "can_change_info", "can_invite_users",
    "can_pin_messages", "can_manage_topics",
)  # fmt: skip


def _given(**fields: Any) -> Json:
    return {name: value for name, value in fields.items() if value not in (None, "", [])}


def user(person: w.User) -> Json:
    return {
        "id": person.id,
        "is_bot": person.is_bot,
        "first_name": person.first_name,
        **_given(last_name=person.last_name, username=person.username, language_code=person.language_code),
    }


def me(world: w.World) -> Json:
    return {
        **user(world.bot),
        "can_join_groups": True,
        "can_read_all_group_messages": world.reads_groups,
        "supports_inline_queries": False,
        "supports_guest_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }


def chat(place: w.Chat) -> Json:
    if place.user is not None:
        person = place.user
        names = _given(first_name=person.first_name, last_name=person.last_name, username=person.username)
        return {"id": place.id, **names, "type": "private"}
    shape = {"id": place.id, "title": place.title, **_given(username=place.username), "type": place.kind}
    if place.is_forum:
        shape["is_forum"] = True
    return shape


def full_chat(world: w.World, place: w.Chat) -> Json:
    gifts = place.user is not None
    shape = {
        **chat(place),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": {
            "unlimited_gifts": gifts,
            "limited_gifts": gifts,
            "unique_gifts": gifts,
            "premium_subscription": gifts,
            "gifts_from_channels": gifts,
        },
    }
    if place.kind in {"group", "supergroup"}:
        shape["permissions"] = dict.fromkeys(_PERMISSIONS, True)
    pins = [number for number in place.pinned if not place.messages[number].deleted]
    if pins:
        shape["pinned_message"] = message(world, place.messages[pins[-1]], with_reply=False)
    return shape


def entities(found: list[Json]) -> list[Json] | None:
    return found or None


def poll(one: w.Poll, *, hides: bool = False) -> Json:
    counts = [0] * len(one.options)
    for chosen in one.votes.values():
        for index in chosen:
            counts[index] += 1
    if one.hides_results and not one.closed:
        counts = [0] * len(one.options)
    shape: Json = {
        "id": one.id,
        "question": one.question.text,
        **_given(question_entities=one.question.entities),
        "options": [
            {
                "persistent_id": persistent_id,
                "text": option.text,
                **_given(text_entities=option.entities),
                "voter_count": number,
            }
            for option, persistent_id, number in zip(one.options, one.persistent_ids, counts, strict=True)
        ],
        "total_voter_count": len(one.votes),
        "is_closed": one.closed,
        "is_anonymous": one.is_anonymous,
        "type": "quiz" if one.is_quiz else "regular",
        "allows_multiple_answers": one.multiple,
        "allows_revoting": one.revoting,
        "members_only": one.members_only,
        **_given(
            country_codes=one.country_codes,
            description=one.description.text,
            description_entities=one.description.entities,
        ),
    }
    if one.open_period and one.close_date:
        shape |= {"open_period": one.open_period, "close_date": one.close_date}
    elif one.close_date:
        shape["close_date"] = one.close_date
    if one.is_quiz and not hides:
        if len(one.correct) == 1:
            shape["correct_option_id"] = one.correct[0]
        shape["correct_option_ids"] = one.correct
        if one.explanation.text:
            shape |= {"explanation": one.explanation.text, "explanation_entities": one.explanation.entities}
    return shape


def message(world: w.World, one: w.Message, *, with_reply: bool = True) -> Json:
    shape: Json = {"message_id": one.id, "chat": chat(one.chat), "date": one.date}
    if one.sender is not None:
        shape["from"] = user(one.sender)
    if one.sender_chat is not None:
        shape["sender_chat"] = chat(one.sender_chat)
    if one.edit_date is not None:
        shape["edit_date"] = one.edit_date
    if one.topic is not None:
        shape |= {"message_thread_id": one.topic, "is_topic_message": True}
    elif one.thread is not None:
        shape["message_thread_id"] = one.thread
    if one.protected:
        shape["has_protected_content"] = True
    if with_reply and one.reply_to is not None:
        original = one.chat.messages.get(one.reply_to)
        if original is not None and not original.deleted:
            shape["reply_to_message"] = message(world, original, with_reply=False)
    if one.text.text:
        shape |= {"text": one.text.text, **_given(entities=one.text.entities)}
    if one.photo:
        shape["photo"] = one.photo
        shape |= _given(caption=one.caption.text, caption_entities=one.caption.entities)
    if one.document:
        shape["document"] = one.document
        shape |= _given(caption=one.caption.text, caption_entities=one.caption.entities)
    if one.poll is not None:
        shape["poll"] = poll(one.poll)
    shape |= one.service
    if one.markup and "inline_keyboard" in one.markup:
        shape["reply_markup"] = one.markup
    return shape


def maybe_inaccessible(world: w.World, one: w.Message) -> Json:
    """Source: Client.cpp, `JsonInaccessibleMessage`."""
    if one.deleted:
        return {"chat": chat(one.chat), "message_id": one.id, "date": 0}
    return message(world, one)


def member(place: w.Chat, person: w.User) -> Json:
    one = place.members.get(person.id)
    shape: Json = {"user": user(person), "status": one.status if one else "left"}
    match shape["status"]:
        case "creator":
            assert one is not None
            shape["is_anonymous"] = one.is_anonymous
        case "administrator":
            assert one is not None
            shape |= {"can_be_edited": False, "is_anonymous": one.is_anonymous}
            shape |= {right: right in one.rights for right in w.ADMIN_RIGHTS}
            if place.kind == "channel":
                shape |= {right: right in one.rights for right in ("can_post_messages", "can_edit_messages")}
            else:
                shape["can_pin_messages"] = "can_pin_messages" in one.rights
                if place.is_forum:
                    shape["can_manage_topics"] = "can_manage_topics" in one.rights
        case "restricted":
            shape |= {"is_member": True, "until_date": 0} | dict.fromkeys(_PERMISSIONS, False)
        case "kicked":
            shape["until_date"] = 0
    return shape


def query(world: w.World, one: w.Query) -> Json:
    return {
        "id": one.id,
        "from": user(one.user),
        "message": maybe_inaccessible(world, one.message),
        "chat_instance": str(abs(one.message.chat.id) * 7_919),
        "data": one.data,
    }


def poll_answer(world: w.World, one: w.Poll, voter: w.User | w.Chat) -> Json:
    shape: Json = {"poll_id": one.id}
    if isinstance(voter, w.User):
        shape["user"] = user(voter)
    else:
        fake = w.User(w.CHANNEL_BOT_ID, "Channel", username="Channel_Bot", is_bot=True)
        shape |= {"voter_chat": chat(voter), "user": user(fake)}
    chosen = one.votes.get(voter.id, [])
    return shape | {"option_ids": chosen, "option_persistent_ids": [one.persistent_ids[index] for index in chosen]}
