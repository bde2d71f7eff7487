"""Groups, supergroups with and without topics, channels, and who is what in them."""

from typing import Any

import pytest
import telegram
from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest, ChatMigrated, Forbidden

from .actors import NotPossible, Person
from .far_end import FarEnd
from .world import ANONYMOUS_ADMIN_ID

BUTTON = InlineKeyboardMarkup([[InlineKeyboardButton("А", callback_data="1")]])


@pytest.fixture
def a(far_end: FarEnd) -> Person:
    return far_end.person("А")


@pytest.fixture
def b(far_end: FarEnd) -> Person:
    return far_end.person("Б")


async def refused(call: Any) -> str:
    with pytest.raises(BadRequest) as caught:
        await call
    return str(caught.value).lower()


def seen(updates: tuple[telegram.Update, ...]) -> list[str | None]:
    return [update.effective_message.text for update in updates if update.effective_message]


# Groups


async def test_the_bot_learns_that_it_was_added_and_removed(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    group = far_end.group("Кружок", a)
    group.makes_bot_admin()
    group.removes_bot()
    changes = [update.my_chat_member for update in await bot.get_updates() if update.my_chat_member]
    assert [change.new_chat_member.status for change in changes] == ["member", "administrator", "kicked"]
    with pytest.raises(Forbidden, match="bot was kicked from the group chat"):
        await bot.send_message(group.id, "?")


async def test_a_member_sees_only_what_is_meant_for_it(
    far_end: FarEnd, bot: telegram.Bot, a: Person, b: Person
) -> None:
    group = far_end.group("Кружок", a, b)
    await bot.send_message(group.id, "Вопрос?")
    b.sends("болтовня", group)
    b.sends("@kontrolka_test_bot привет", group)
    b.sends("/quiz", group)
    b.sends("/quiz@kontrolka_test_bot", group)
    b.sends("/quiz@another_bot", group)
    b.replies(far_end.last(group), "сорок два")
    assert seen(await bot.get_updates()) == ["/quiz", "/quiz@kontrolka_test_bot", "сорок два"]
    group.makes_bot_admin()
    b.sends("болтовня", group)
    assert seen(await bot.get_updates())[-1] == "болтовня"


async def test_everybody_in_the_group_taps_and_nobody_else(
    far_end: FarEnd, bot: telegram.Bot, a: Person, b: Person
) -> None:
    group = far_end.group("Кружок", a, b)
    await bot.send_message(group.id, "Вопрос?", reply_markup=BUTTON)
    for person in (a, b):
        person.taps(far_end.last(group), "А")
    with pytest.raises(NotPossible, match="В is not in Кружок"):
        far_end.person("В").taps(far_end.last(group), "А")
    queries = [update.callback_query for update in await bot.get_updates() if update.callback_query]
    assert [query.from_user.first_name for query in queries] == ["А", "Б"]
    assert len({query.chat_instance for query in queries}) == 1


async def test_members_and_administrators_are_told_apart(
    far_end: FarEnd, bot: telegram.Bot, a: Person, b: Person
) -> None:
    c = far_end.person("В")
    group = far_end.supergroup("Кружок", a, b, bot="administrator")
    group.makes_admin(b, anonymous=True)
    statuses = [(await bot.get_chat_member(group.id, one.id)).status for one in (a, b, c)]
    assert statuses == ["creator", "administrator", "left"]
    admins = {one.user.first_name: one for one in await bot.get_chat_administrators(group.id)}
    assert set(admins) == {"А", "Б", "Tutor"}
    anonymous = admins["Б"]
    assert isinstance(anonymous, telegram.ChatMemberAdministrator)
    assert anonymous.is_anonymous
    assert await refused(bot.get_chat_member(group.id, 5)) == "user not found"


async def test_an_anonymous_administrator_writes_as_the_group(
    far_end: FarEnd, bot: telegram.Bot, a: Person, b: Person
) -> None:
    group = far_end.supergroup("Кружок", a, b)
    with pytest.raises(NotPossible, match="not an anonymous administrator"):
        b.sends("/stop", group, anonymously=True)
    group.makes_admin(b, anonymous=True)
    b.sends("/stop", group, anonymously=True)
    message = (await bot.get_updates())[-1].message
    assert message is not None
    assert message.from_user is not None
    assert message.sender_chat is not None
    assert (message.from_user.id, message.sender_chat.id) == (ANONYMOUS_ADMIN_ID, group.id)


async def test_pinning_needs_the_right_to(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    group = far_end.supergroup("Кружок", a)
    sent = await bot.send_message(group.id, "Правила")
    assert "not enough rights" in await refused(bot.pin_chat_message(group.id, sent.message_id))
    group.makes_bot_admin("can_pin_messages")
    await bot.pin_chat_message(group.id, sent.message_id)
    assert "Tutor (pinned):" in far_end.what_a_person_sees(group)


async def test_others_messages_are_deleted_only_by_administrators(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    group = far_end.supergroup("Кружок", a)
    theirs = a.sends("спойлер", group)
    assert await refused(bot.delete_message(group.id, theirs.id)) == "message can't be deleted"
    group.makes_bot_admin("can_delete_messages")
    await bot.delete_message(group.id, theirs.id)
    assert "спойлер" not in far_end.what_a_person_sees(group)


async def test_a_group_that_the_bot_left_is_closed_to_it(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    group = far_end.group("Кружок", a)
    await bot.leave_chat(group.id)
    with pytest.raises(Forbidden, match="bot is not a member of the group chat"):
        await bot.send_message(group.id, "?")


async def test_a_reply_in_a_supergroup_carries_a_thread_that_is_no_topic(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    group = far_end.supergroup("Кружок", a)
    sent = await bot.send_message(group.id, "Вопрос?")
    a.replies(far_end.last(group), "ответ")
    message = (await bot.get_updates())[-1].message
    assert message is not None
    assert (message.message_thread_id, message.is_topic_message) == (sent.message_id, None)


# Migration


async def test_a_group_becomes_a_supergroup_with_another_id_and_new_numbers(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    group = far_end.group("Кружок", a)
    await bot.send_message(group.id, "Вопрос?", reply_markup=BUTTON)
    old = far_end.last(group)
    new = group.upgrades()
    services = [update.message for update in await bot.get_updates() if update.message]
    assert [(one.migrate_to_chat_id, one.migrate_from_chat_id) for one in services] == [
        (new.id, None),
        (None, group.id),
    ]
    with pytest.raises(ChatMigrated) as caught:
        await bot.send_message(group.id, "?")
    assert caught.value.new_chat_id == new.id
    sent = await bot.send_message(new.id, "?")
    assert sent.message_id == 2
    assert a.taps(old, "А").message.chat is group.chat
    with pytest.raises(NotPossible, match="upgraded"):
        a.sends("эй", group)


# Topics


async def test_a_message_goes_to_its_topic_and_general_has_no_number(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    forum = far_end.supergroup("Класс", a, forum=True)
    topic = forum.topic("Питон")
    there = await bot.send_message(forum.id, "в теме", message_thread_id=topic.id)
    general = await bot.send_message(forum.id, "в общей")
    assert (there.message_thread_id, there.is_topic_message) == (topic.id, True)
    assert (general.message_thread_id, general.is_topic_message) == (None, None)
    for thread in (1, 777):
        call = bot.send_message(forum.id, "?", message_thread_id=thread)
        assert await refused(call) == "message thread not found"


async def test_a_message_in_a_topic_answers_the_one_that_opened_it(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    forum = far_end.supergroup("Класс", a, forum=True)
    topic = forum.topic("Питон")
    a.sends("/quiz", forum, topic=topic)
    message = (await bot.get_updates())[-1].message
    assert message is not None
    assert message.reply_to_message is not None
    assert message.reply_to_message.forum_topic_created is not None
    assert (message.message_thread_id, message.is_topic_message) == (topic.id, True)
    a.sends("/quiz", forum, topic=forum.general)
    assert (await bot.get_updates())[-1].message.message_thread_id is None  # type: ignore[union-attr]


async def test_a_closed_topic_takes_only_administrators(
    far_end: FarEnd, bot: telegram.Bot, a: Person, b: Person
) -> None:
    forum = far_end.supergroup("Класс", a, b, forum=True)
    topic = forum.topic("Питон")
    a.closes(topic, forum)
    with pytest.raises(NotPossible, match="closed"):
        b.sends("/quiz", forum, topic=topic)
    assert await refused(bot.send_message(forum.id, "?", message_thread_id=topic.id)) == "topic_closed"
    forum.makes_bot_admin("can_manage_topics")
    await bot.send_message(forum.id, "?", message_thread_id=topic.id)
    forum.makes_bot_member()
    a.reopens(topic, forum)
    await bot.send_message(forum.id, "!", message_thread_id=topic.id)
    assert "Tutor in Питон:" in far_end.what_a_person_sees(forum, topic.id)


async def test_a_topic_that_is_gone_is_not_found(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    forum = far_end.supergroup("Класс", a, forum=True)
    topic = forum.topic("Питон")
    sent = await bot.send_message(forum.id, "?", message_thread_id=topic.id)
    forum.removes_topic(topic)
    assert await refused(bot.send_message(forum.id, "?", message_thread_id=topic.id)) == "message thread not found"
    assert await refused(bot.edit_message_text("!", forum.id, sent.message_id)) == "message to edit not found"


async def test_a_thread_means_nothing_in_a_group_and_is_refused_in_private(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    a.starts()
    group = far_end.supergroup("Кружок", a)
    assert (await bot.send_message(group.id, "?", message_thread_id=5)).message_thread_id is None
    assert await refused(bot.send_message(a.id, "?", message_thread_id=5)) == "message thread not found"


# Channels


async def test_a_channel_takes_posts_of_administrators_and_signs_them(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    channel = far_end.channel("Новости", a, username="novosti_kontrolki")
    sent = await bot.send_message("@novosti_kontrolki", "Вопрос дня", reply_markup=BUTTON)
    assert sent.from_user is None
    assert sent.sender_chat is not None
    assert sent.sender_chat.id == channel.id
    await bot.edit_message_text("Ответ дня", channel.id, sent.message_id)
    a.sends("пост", channel)
    update = (await bot.get_updates())[-1]
    assert update.channel_post is not None
    assert update.channel_post.text == "пост"
    channel.makes_bot_member()
    assert await refused(bot.send_message(channel.id, "?")) == "need administrator rights in the channel chat"
    assert await refused(bot.get_chat_administrators(channel.id)) == "member list is inaccessible"


async def test_anybody_taps_in_a_channel(far_end: FarEnd, bot: telegram.Bot, a: Person, b: Person) -> None:
    channel = far_end.channel("Новости", a)
    await bot.send_message(channel.id, "Вопрос дня", reply_markup=BUTTON)
    b.taps(far_end.last(channel), "А")
    update = (await bot.get_updates())[-1]
    assert update.callback_query is not None
    assert update.callback_query.from_user.id == b.id
    with pytest.raises(NotPossible, match="administrators"):
        b.sends("эй", channel)
