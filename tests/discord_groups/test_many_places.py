"""Many places due in the same minute: each has its question once, in order, whoever is killed in between."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time
from pathlib import Path

import discord

from bot.store import Daily, PostState, Tx
from bot.tutor import claim, fire
from bot.tutor.daily import keep
from tests.discord_groups.scene import Scene, scene, words
from tests.discord_groups.test_daily import set_up
from tests.discord_groups.test_trouble import posts, sends

PLACES = 60
PINNING = discord.Permissions(manage_messages=True, pin_messages=True)
NINE = datetime(2026, 1, 1, 9, 0, 1, tzinfo=UTC)


async def asked(at: Scene, channels: list[int]) -> None:
    """A daily question at nine in every channel."""

    def work(tx: Tx) -> None:
        owner = tx.learner_of("discord", "1", at.world.env.now())
        for channel in channels:
            place = tx.place_of("discord", str(channel), at=at.world.env.now())
            tx.set_place(replace(place, locale="en"))
            new = Daily(0, place.id, owner, time(9), "UTC", frozenset(range(7)), "pool", ("en",), 3600)
            keep(tx, new, at.world.env.now())

    await at.at.look(work)


async def test_a_program_killed_in_a_fan_out_asks_every_place_once(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        channels = [at.world.channel(at.guild, f"c{n}") for n in range(PLACES)]
        await asked(at, [place.id for place in channels])
        await at.world.env.advance_time(9 * 3600 + 1)
        store, bank = at.at.context.store, at.at.context.bank
        for row in await store.run(lambda tx: claim(tx, NINE)):
            await store.run(lambda tx, row=row: fire(tx, bank, row, NINE, at.at.context.new_id()))  # type: ignore[misc]
        leaving = (await posts(at))[:5]
        for post in leaving:
            await store.run(lambda tx, n=post.id: tx.posts.sending(n))  # type: ignore[misc]
        await at.at.restart()
        await at.at.passes(1)
        await at.at.passes(31)
        assert [post.state for post in await posts(at)] == [PostState.SENT] * PLACES
        assert [len(at.public(place)) for place in channels] == [1] * PLACES
        nonces = [str(sends(at, place.id)[0]["nonce"]) for place in channels]
        assert len(set(nonces)) == PLACES


async def test_one_channel_that_refuses_holds_up_no_other(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        channels = [at.world.channel(at.guild, f"c{n}") for n in range(10)]
        await asked(at, [place.id for place in channels])
        at.world.fail("POST", f"/channels/{channels[0].id}/messages", 403, 50013, times=None)
        at.world.fail("POST", f"/channels/{channels[1].id}/messages", 500, times=None)
        await at.until(NINE)
        await at.at.passes(1)
        assert [len(at.public(place)) for place in channels] == [0, 0, *[1] * 8]


async def test_a_question_is_silent_and_pinned_instead_of_the_former_one(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m = at.person("M", moderator=True)
        manage = at.guild.create_role("bot", permissions=PINNING)
        at.world.env.backend.get_guild(at.guild.id).members[at.world.env.backend.bot_user.id].role_ids.append(manage.id)
        await set_up(at, m, at.channel, "en")
        for wish in words("en", "Pin", "Without sound"):
            await at.chooses(m, at.channel, wish)
        await at.until(datetime(2026, 1, 2, 9, 0, 1, tzinfo=UTC))
        flags = [call.get("flags") for call in sends(at, at.channel.id)]
        assert all(int(str(flag)) & 1 << 12 for flag in flags)
        asked = [message for message in at.public(at.channel) if "Nobody has answered yet" in message.text]
        assert [message.raw.pinned for message in asked] == [True]
        assert at.world.calls("DELETE", "/pins/") == 1


async def test_a_locked_thread_stands_still_until_it_is_opened(tmp_path: Path) -> None:
    async with scene(tmp_path) as at:
        m = at.person("M", moderator=True)
        thread = at.world.thread(at.channel)
        await set_up(at, m, thread, "en")
        at.world.fail("POST", f"/channels/{thread.id}/messages", 403, 160005, times=None)
        await at.until(NINE)
        for _ in range(3):
            await at.passes(31)
        assert len(sends(at, thread.id)) == 1
        await at.types(m, thread, "daily")
        assert "The thread is archived or locked" in at.hidden(thread)[-1].text
