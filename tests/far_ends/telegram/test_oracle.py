"""The witness notices what the far end or the bot says wrongly."""

import contextlib

import telegram

from .far_end import FarEnd


async def test_a_field_that_no_model_knows_is_noticed_in_a_request() -> None:
    async with FarEnd() as far_end, far_end.bot() as bot:
        a = far_end.person("А")
        a.starts()
        await bot.send_message(a.id, "?", api_kwargs={"disable_notfication": True})
        (words,) = far_end.server.disagreements
    assert words == "request sendMessage: no model knows .disable_notfication"


async def test_a_field_of_another_type_deep_inside_is_noticed() -> None:
    async with FarEnd() as far_end, far_end.bot() as bot:
        a = far_end.person("А")
        a.starts()
        markup = {"inline_keyboard": [[{"text": "A", "callback_data": "1", "colour": "red"}]]}
        await bot.send_message(a.id, "?", api_kwargs={"reply_markup": markup})
        words = " ".join(far_end.server.disagreements)
    assert "inline_keyboard[0][0].colour" in words
    assert "result of sendMessage" in words


async def test_what_was_refused_is_nobodys_business() -> None:
    async with FarEnd() as far_end, far_end.bot() as bot:
        with contextlib.suppress(telegram.error.BadRequest):
            await bot.send_message(1, "?", api_kwargs={"nonsense": 1})
        far_end.assert_clean()


async def test_an_update_that_no_model_knows_is_noticed() -> None:
    async with FarEnd() as far_end:
        far_end.updates.add("message", {"message_id": 1}, life_s=1, queue="")
        assert far_end.server.disagreements


async def test_nothing_is_checked_or_kept_when_switched_off() -> None:
    async with FarEnd(checks=False, keeps=False) as far_end, far_end.bot() as bot:
        a = far_end.person("А")
        a.starts()
        await bot.send_message(a.id, "?", api_kwargs={"nonsense": True})
        far_end.assert_clean()
        assert (far_end.calls(), far_end.world.history) == ([], [])
        assert far_end.server.counts["sendMessage"] == 1
