"""The bot's commands and texts."""

from typing import Any

import pytest
import telegram
from telegram import BotCommand, BotCommandScopeAllPrivateChats, BotCommandScopeChat
from telegram.error import BadRequest

from .far_end import FarEnd


async def refused(call: Any) -> str:
    with pytest.raises(BadRequest) as caught:
        await call
    return str(caught.value).lower()


async def test_commands_are_kept_for_each_scope_and_language(far_end: FarEnd, bot: telegram.Bot) -> None:
    private = BotCommandScopeAllPrivateChats()
    await bot.set_my_commands([("quiz", "A quiz")])
    await bot.set_my_commands([BotCommand("quiz", "Тест")], private, "ru")
    assert [one.description for one in await bot.get_my_commands()] == ["A quiz"]
    assert [one.description for one in await bot.get_my_commands(private, "ru")] == ["Тест"]
    assert await bot.get_my_commands(private) == ()
    await bot.delete_my_commands(private, "ru")
    assert await bot.get_my_commands(private, "ru") == ()


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (("x" * 33, "d"), "command length must not exceed 32"),
        (("", "d"), "command must be non-empty"),
        (("x", ""), "command description must be non-empty"),
        (("x", "d" * 257), "command description length must not exceed 256"),
        (("Тест", "d"), "bot_command_invalid"),
        (("Quiz", "d"), "bot_command_invalid"),
    ],
)
async def test_a_command_out_of_its_limits_is_refused(
    bot: telegram.Bot, command: tuple[str, str], refusal: str
) -> None:
    assert await refused(bot.set_my_commands([command])) == refusal


async def test_101_commands_are_refused(bot: telegram.Bot) -> None:
    await bot.set_my_commands([(f"c{number}", "d") for number in range(100)])
    assert "too_much" in await refused(bot.set_my_commands([(f"c{number}", "d") for number in range(101)]))


async def test_a_language_has_two_small_letters_and_a_scope_a_known_chat(bot: telegram.Bot) -> None:
    for code in ("RU", "rus", "pt-br"):
        assert await refused(bot.set_my_commands([("a", "b")], language_code=code)) == "invalid language code specified"
    assert await refused(bot.set_my_commands([("a", "b")], BotCommandScopeChat(5))) == "chat not found"


async def test_texts_are_kept_for_each_language_and_fall_back(bot: telegram.Bot) -> None:
    await bot.set_my_name("Контролька", language_code="ru")
    assert (await bot.get_my_name("ru")).name == "Контролька"
    assert (await bot.get_my_name("en")).name == "Tutor"
    await bot.set_my_description("A tutor")
    await bot.set_my_description("Учитель", "ru")
    assert (await bot.get_my_description("ru")).description == "Учитель"
    assert (await bot.get_my_description("de")).description == "A tutor"
    await bot.set_my_description(None, "ru")
    assert (await bot.get_my_description("ru")).description == "A tutor"
    await bot.set_my_short_description("Коротко")
    assert (await bot.get_my_short_description()).short_description == "Коротко"


async def test_texts_that_are_too_long_are_refused(bot: telegram.Bot) -> None:
    assert await refused(bot.set_my_name("x" * 65)) == "bot_title_invalid"
    assert await refused(bot.set_my_description("x" * 513)) == "bot_description_invalid"
    assert await refused(bot.set_my_short_description("x" * 121)) == "bot_short_description_invalid"


async def test_the_bot_says_who_it_is(bot: telegram.Bot) -> None:
    me = await bot.get_me()
    assert (me.username, me.can_read_all_group_messages) == ("kontrolka_test_bot", False)
