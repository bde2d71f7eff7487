"""Private chats: every limit of messages, keyboards and callbacks, through a stock python-telegram-bot bot."""

import asyncio
from typing import Any

import pytest
import telegram
from telegram import InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest, Forbidden, InvalidToken

from .actors import NotPossible, Person
from .far_end import FarEnd
from .test_pictures import png
from .world import Message

# python-telegram-bot writes the first letter of a refusal large and all others small.


@pytest.fixture
def a(far_end: FarEnd) -> Person:
    person = far_end.person("А", language_code="ru")
    person.starts()
    return person


def keyboard(*rows: list[str]) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(text, callback_data=f"d{text}") for text in row] for row in rows]
    )


async def refused(call: Any) -> str:
    with pytest.raises(BadRequest) as caught:
        await call
    return str(caught.value).lower()


# Who may be written to


async def test_somebody_who_never_wrote_cannot_be_written_to(far_end: FarEnd, bot: telegram.Bot) -> None:
    stranger, seen, owner = far_end.person("Б"), far_end.person("В"), far_end.person("А")
    group = far_end.group("Кружок", owner, seen)
    seen.sends("/help", group)
    assert await refused(bot.send_message(stranger.id, "?")) == "chat not found"
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await bot.send_message(seen.id, "?")


async def test_somebody_who_blocked_the_bot_is_told_of_and_cannot_be_written_to(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    a.blocks()
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(a.id, "?")
    a.starts()
    await bot.send_message(a.id, "снова")
    kinds = [update.my_chat_member for update in await bot.get_updates() if update.my_chat_member]
    assert [change.new_chat_member.status for change in kinds] == ["kicked", "member"]


async def test_a_deleted_account_cannot_be_written_to(bot: telegram.Bot, a: Person) -> None:
    a.deactivates()
    with pytest.raises(Forbidden, match="user is deactivated"):
        await bot.send_message(a.id, "?")


async def test_another_token_and_an_unknown_method_are_refused(far_end: FarEnd, bot: telegram.Bot) -> None:
    with pytest.raises(telegram.error.EndPointNotFound):
        await bot.do_api_request("sendTelepathy")
    with pytest.raises(InvalidToken):
        async with telegram.Bot("1:another", far_end.base_url):
            pass


# Text


async def test_4096_characters_are_sent_and_4097_refused(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    await bot.send_message(a.id, "🧪" * 4096)
    assert await refused(bot.send_message(a.id, "ж" * 4097)) == "message is too long"
    assert len(far_end.messages(a)) == 1


async def test_an_empty_text_and_one_that_shows_nothing_are_refused(bot: telegram.Bot, a: Person) -> None:
    assert await refused(bot.send_message(a.id, "")) == "message text is empty"
    assert await refused(bot.send_message(a.id, "\u200b")) == "text must be non-empty"


async def test_more_than_32_kib_of_text_are_refused_before_anything_else(bot: telegram.Bot) -> None:
    assert await refused(bot.send_message(1, "ж" * 16_385)) == "text is too long"


async def test_an_entity_outside_of_the_text_is_refused(bot: telegram.Bot, a: Person) -> None:
    entity = telegram.MessageEntity("bold", 0, 9)
    assert "ends after the end of the text" in await refused(bot.send_message(a.id, "жир", entities=[entity]))


async def test_a_reply_to_nothing_is_refused_unless_allowed(bot: telegram.Bot, a: Person) -> None:
    assert await refused(bot.send_message(a.id, "?", reply_to_message_id=99)) == "message to be replied not found"
    sent = await bot.send_message(a.id, "?", reply_to_message_id=99, allow_sending_without_reply=True)
    assert sent.reply_to_message is None


# Keyboards


async def test_callback_data_of_64_bytes_is_sent_and_of_65_refused(bot: telegram.Bot, a: Person) -> None:
    for data in ("x" * 64, "ж" * 32):
        await bot.send_message(
            a.id, "?", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("A", callback_data=data)]])
        )
    for data in ("x" * 65, "ж" * 32 + "x"):
        markup = InlineKeyboardMarkup([[InlineKeyboardButton("A", callback_data=data)]])
        assert await refused(bot.send_message(a.id, "?", reply_markup=markup)) == "button_data_invalid"


async def test_too_long_data_for_nobody_is_about_nobody(bot: telegram.Bot) -> None:
    markup = InlineKeyboardMarkup([[InlineKeyboardButton("A", callback_data="x" * 65)]])
    assert await refused(bot.send_message(12345, "?", reply_markup=markup)) == "chat not found"


async def test_a_button_without_a_deed_without_words_or_with_a_strange_style_is_refused(
    bot: telegram.Bot, a: Person
) -> None:
    for button, refusal in (
        ({"text": "A"}, "text buttons are unallowed in the inline keyboard"),
        ({"text": "A", "callback_data": ""}, "text buttons are unallowed in the inline keyboard"),
        ({"text": " ", "callback_data": "1"}, "inline keyboard button text must be non-empty"),
        ({"text": "A", "callback_data": "1", "style": "loud"}, "invalid button style specified"),
        ({"text": "A", "url": "nowhere"}, "wrong http url"),
    ):
        call = bot.send_message(a.id, "?", api_kwargs={"reply_markup": {"inline_keyboard": [[button]]}})
        assert refusal in await refused(call)


async def test_more_than_8_buttons_a_row_or_100_a_message_are_refused(bot: telegram.Bot, a: Person) -> None:
    await bot.send_message(a.id, "?", reply_markup=keyboard(*[["1"] * 8] * 12))
    assert await refused(bot.send_message(a.id, "?", reply_markup=keyboard(["1"] * 9))) == "reply markup is too long"
    wide = keyboard(*[["1"] * 8] * 13)
    assert await refused(bot.send_message(a.id, "?", reply_markup=wide)) == "reply markup is too long"


async def test_a_request_for_a_reply_is_shown(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    await bot.send_message(a.id, "Сколько?", reply_markup=telegram.ForceReply(input_field_placeholder="число"))
    assert far_end.what_a_person_sees(a).endswith("  Сколько?\n  (asks for a reply: число)\n")


# Callbacks


async def asked(far_end: FarEnd, bot: telegram.Bot, a: Person) -> Message:
    await bot.send_message(a.id, "Вопрос?", reply_markup=keyboard(["А", "Б"], ["Дальше"]))
    return far_end.last(a)


async def test_a_tap_arrives_and_its_answer_pops_up(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    query = a.taps(await asked(far_end, bot, a), "Б")
    update = (await bot.get_updates())[-1]
    assert update.callback_query is not None
    assert update.callback_query.data == "dБ"
    await update.callback_query.answer("Верно", show_alert=True)
    assert (query.toast, query.answer and query.answer["show_alert"]) == ("Верно", True)


async def test_a_query_is_answered_once(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    query = a.taps(await asked(far_end, bot, a), "dБ")
    await bot.answer_callback_query(query.id)
    assert "query is too old" in await refused(bot.answer_callback_query(query.id))
    assert "query id is invalid" in await refused(bot.answer_callback_query("1"))


async def test_a_query_lives_150_seconds(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    message = await asked(far_end, bot, a)
    early, late = a.taps(message, "А"), a.taps(message, "Б")
    far_end.clock.advance(149)
    await bot.answer_callback_query(early.id)
    far_end.clock.advance(2)
    assert "query is too old" in await refused(bot.answer_callback_query(late.id))
    assert not [update for update in await bot.get_updates() if update.callback_query]


async def test_an_expired_query_can_be_had_on_demand(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    query = a.taps(await asked(far_end, bot, a), "А")
    query.expired = True
    assert "query is too old" in await refused(bot.answer_callback_query(query.id))


async def test_an_answer_of_201_characters_is_refused(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    query = a.taps(await asked(far_end, bot, a), "А")
    assert await refused(bot.answer_callback_query(query.id, "ж" * 201)) == "message_too_long"
    await bot.answer_callback_query(query.id, "ж" * 200)


async def test_an_answer_may_open_only_the_bots_own_links(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    query = a.taps(await asked(far_end, bot, a), "А")
    assert await refused(bot.answer_callback_query(query.id, url="https://example.org")) == "url_invalid"
    await bot.answer_callback_query(query.id, url=f"https://t.me/{bot.username}?start=x")


async def test_a_button_that_went_is_tapped_only_by_an_app_that_still_shows_it(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    message = await asked(far_end, bot, a)
    await bot.edit_message_text("Ответ", a.id, message.id)
    with pytest.raises(NotPossible, match="no button 'А'"):
        a.taps(message, "А")
    assert a.taps(message, "А", gone=True).data == "dА"


async def test_a_tap_on_a_deleted_message_brings_a_message_that_is_inaccessible(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    message = await asked(far_end, bot, a)
    await bot.delete_message(a.id, message.id)
    a.taps(message, "А", gone=True)
    update = (await bot.get_updates())[-1]
    assert update.callback_query is not None
    message_of_query = update.callback_query.message  # python-telegram-bot 22.8 makes it a Message from 1970
    assert isinstance(message_of_query, telegram.Message)
    assert (message_of_query.date.year, message_of_query.text) == (1970, None)


# Changing and removing


async def test_an_edit_that_changes_nothing_is_refused(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    message = await asked(far_end, bot, a)
    same = keyboard(["А", "Б"], ["Дальше"])
    assert "message is not modified" in await refused(
        bot.edit_message_text(" Вопрос? ", a.id, message.id, reply_markup=same)
    )
    assert "message is not modified" in await refused(
        bot.edit_message_reply_markup(a.id, message.id, reply_markup=same)
    )
    await bot.edit_message_text("Вопрос?", a.id, message.id)
    assert far_end.last(a).markup is None


async def test_a_message_that_is_gone_cannot_be_edited_or_deleted(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    message = await asked(far_end, bot, a)
    assert await bot.delete_message(a.id, message.id)
    assert await refused(bot.edit_message_text("!", a.id, message.id)) == "message to edit not found"
    assert await refused(bot.delete_message(a.id, message.id)) == "message to delete not found"


async def test_only_text_has_text_to_edit_and_only_pictures_have_captions(bot: telegram.Bot, a: Person) -> None:
    text, picture = await bot.send_message(a.id, "слова"), await bot.send_photo(a.id, png(), caption="подпись")
    assert await refused(picture.edit_text("!")) == "there is no text in the message to edit"
    assert await refused(text.edit_caption("!")) == "there is no caption in the message to edit"
    changed = await picture.edit_caption("другая")
    assert isinstance(changed, telegram.Message)
    assert changed.caption == "другая"


async def test_other_peoples_messages_and_those_with_a_reply_keyboard_cannot_be_edited(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    theirs = a.sends("моё")
    forced = await bot.send_message(a.id, "?", reply_markup=telegram.ForceReply())
    for number in (theirs.id, forced.message_id):
        assert await refused(bot.edit_message_text("!", a.id, number)) == "message can't be edited"


async def test_after_48_hours_a_message_can_be_edited_but_not_deleted(
    far_end: FarEnd, bot: telegram.Bot, a: Person
) -> None:
    message = await asked(far_end, bot, a)
    far_end.clock.advance(48 * 3600 + 1)
    await bot.edit_message_text("!", a.id, message.id)
    assert await refused(bot.delete_message(a.id, message.id)) == "message can't be deleted"


async def test_pinning_shows_and_unpinning_hides(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    message = await asked(far_end, bot, a)
    await bot.pin_chat_message(a.id, message.id)
    assert "Tutor (pinned):" in far_end.what_a_person_sees(a)
    pinned = (await bot.get_chat(a.id)).pinned_message
    assert pinned is not None
    assert pinned.message_id == message.id
    await bot.unpin_chat_message(a.id)
    assert "(pinned)" not in far_end.what_a_person_sees(a)
    assert await refused(bot.unpin_chat_message(a.id)) == "message to unpin not found"


async def test_actions_are_those_of_the_list(bot: telegram.Bot, a: Person) -> None:
    await bot.send_chat_action(a.id, "typing")
    assert await refused(bot.send_chat_action(a.id, "dancing")) == "wrong parameter action in request"


async def test_a_person_writes_edits_deletes_and_follows_links(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    message = a.sends("сорок два")
    a.edits(message, "42")
    updates = await bot.get_updates()
    assert [update.effective_message.text for update in updates if update.effective_message] == [
        "/start",
        "сорок два",
        "42",
    ]
    a.deletes(message)
    assert "42" not in far_end.what_a_person_sees(a)
    a.starts("q_seed")
    with pytest.raises(NotPossible):
        a.starts("x" * 65)
    with pytest.raises(NotPossible):
        a.starts("два слова")


# Broken on demand


async def test_429_says_how_long_and_then_lets_through(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    fault = far_end.faults.flood("sendMessage", retry_after_s=7, chat_id=a.id)
    b = far_end.person("Б")
    b.starts()
    await bot.send_message(b.id, "другому можно")
    with pytest.warns(DeprecationWarning, match="retry_after"), pytest.raises(telegram.error.RetryAfter) as caught:
        await bot.send_message(a.id, "?")
    assert "retry in 7 seconds" in str(caught.value).lower()
    await bot.send_message(a.id, "?")
    assert fault.hits == 1


async def test_every_third_reply_can_be_lost(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    fault = far_end.faults.reset_after("sendMessage", times=None, every=3)
    lost = 0
    for number in range(9):
        try:
            await bot.send_message(a.id, str(number))
        except telegram.error.NetworkError:
            lost += 1
    assert lost == fault.hits == 3
    assert len(far_end.messages(a)) == 9
    assert [record.lost for record in far_end.calls("sendMessage")].count("after") == 3


async def test_a_call_can_be_held_while_others_pass_it(far_end: FarEnd, bot: telegram.Bot, a: Person) -> None:
    held = far_end.faults.hold("sendMessage")
    first = asyncio.create_task(bot.send_message(a.id, "первое"))
    await far_end.until(lambda: held.hits)
    await bot.send_message(a.id, "второе")
    held.release()
    await first
    assert [message.words for message in far_end.messages(a)] == ["второе", "первое"]
