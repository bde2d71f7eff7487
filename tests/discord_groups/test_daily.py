"""The daily question: set up, three days with a restart, a missed day, nights when clocks change, a lost channel."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.discord_groups.scene import LOCALES, Scene, scene, words
from tests.far_ends.discord import Person, Place


async def set_up(at: Scene, m: Person, place: Place, tag: str, *, clock: str = "09:00", city: str = "") -> None:
    """A daily question at a time in a city, started."""
    time, zone, start = words(tag, "Time", "City", "Start")
    await at.types(m, place, "daily")
    if city:
        await at.chooses(m, place, zone)
        await at.writes(m, city)
        shown = at.hidden(place)[-1]
        await at.presses(m, place, next(label for label in shown.buttons if label.startswith(city)))
    await at.chooses(m, place, time)
    await at.chooses(m, place, clock[:2])
    await at.chooses(m, place, clock)
    await at.presses(m, place, start)


@pytest.mark.parametrize("tag", ["en", "ru"])
async def test_three_days_with_a_restart_and_a_missed_day(
    tag: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    other = "ru" if tag == "en" else "en"
    names = "MABC" if tag == "en" else "МАБВ"
    async with scene(tmp_path) as at:
        m = at.person(names[0], LOCALES[tag], moderator=True)
        a, b = at.person(names[1], LOCALES[tag]), at.person(names[2], LOCALES[other])
        c = at.person(names[3], LOCALES[tag])
        await set_up(at, m, at.channel, tag, city="Berlin" if tag == "en" else "Берлин")
        at.remark("the first day")
        await at.until(datetime(2026, 1, 1, 8, 0, 1, tzinfo=UTC))
        await at.presses(a, at.channel, "B")
        await at.restart()
        await at.presses(b, at.channel, "A")
        await at.presses(a, at.channel, "A")
        await at.passes(5)
        await at.until(datetime(2026, 1, 1, 18, 0, 10, tzinfo=UTC))
        at.remark("the second day: the program does not run from seven to noon")
        await at.until(datetime(2026, 1, 2, 7, 0, tzinfo=UTC))
        await at.world.env.advance_time(5 * 3600)
        await at.restart()
        await at.passes(1)
        await at.passes(31)
        at.remark("the third day")
        await at.until(datetime(2026, 1, 3, 8, 0, 1, tzinfo=UTC))
        await at.presses(c, at.channel, "A")
        await at.until(datetime(2026, 1, 3, 18, 0, 10, tzinfo=UTC))
        await at.types(m, at.channel, "daily")
        await at.chooses(m, at.channel, words(tag, "Past")[0])
        at.compare(f"daily.{tag}", pytestconfig)


NIGHTS = {
    "berlin-spring": ("Berlin", "Берлин", "02:30", ["03-28 01:30", "03-29 01:00", "03-30 00:30"]),
    "berlin-autumn": ("Berlin", "Берлин", "02:30", ["10-24 00:30", "10-25 00:30", "10-26 01:30"]),
    "santiago-autumn": ("Santiago", "Сантьяго", "23:30", ["04-04 02:30", "04-05 02:30", "04-06 03:30"]),
    "santiago-spring": ("Santiago", "Сантьяго", "00:30", ["09-05 04:30", "09-06 04:00", "09-07 03:30"]),
}
"""City in both languages, local time, and when the runs around the change of 2026 happen in UTC."""


@pytest.mark.parametrize("night", NIGHTS)
@pytest.mark.parametrize("tag", ["en", "ru"])
async def test_the_night_on_which_clocks_change(
    night: str, tag: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    city, город, clock, moments = NIGHTS[night]
    async with scene(tmp_path) as at:
        m = at.person("M" if tag == "en" else "М", LOCALES[tag], moderator=True)
        begin = datetime.strptime(f"2026-{moments[0]} +0000", "%Y-%m-%d %H:%M %z") - timedelta(hours=2)
        await at.world.env.advance_time((begin - at.world.env.now()).total_seconds())
        await set_up(at, m, at.channel, tag, clock=clock, city=city if tag == "en" else город)
        await at.until(begin + timedelta(hours=24, minutes=15))
        await at.restart()
        await at.until(begin + timedelta(hours=26, minutes=45))
        await at.restart()
        await at.until(begin + timedelta(hours=53))
        sent = await at.at.look(lambda tx: tx.posts.sent_since("discord", begin))
        assert [f"{post.sent_at:%m-%d %H:%M}" for post in sent if post.kind == "question"] == moments
        at.compare(f"night-{night}.{tag}", pytestconfig)


@pytest.mark.parametrize("tag", ["en", "ru"])
async def test_a_post_in_two_languages_is_answered_in_the_persons_own(
    tag: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    async with scene(tmp_path) as at:
        m, a, b = at.person("M", LOCALES[tag], moderator=True), at.person("A"), at.person("Б", "ru")
        thread = at.world.thread(at.channel)
        at.threads()
        await set_up(at, m, thread, tag)
        language, reply, look, quiet = words(tag, "Language", "Answer in a reply", "Preview", "Without sound")
        await at.chooses(m, thread, language)
        await at.presses(m, thread, "English + Русский")
        await at.chooses(m, thread, reply)
        await at.chooses(m, thread, quiet)
        await at.chooses(m, thread, look)
        await at.until(datetime(2026, 1, 1, 9, 0, 1, tzinfo=UTC))
        await at.presses(a, thread, "A")
        await at.presses(b, thread, "B")
        await at.until(datetime(2026, 1, 1, 19, 0, 10, tzinfo=UTC))
        at.compare(f"bilingual.{tag}", pytestconfig)


@pytest.mark.parametrize("tag", ["en", "ru"])
async def test_a_channel_that_loses_its_rights_stands_still_and_its_moderator_is_told_once(
    tag: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    async with scene(tmp_path) as at:
        m = at.person("M" if tag == "en" else "М", LOCALES[tag], moderator=True)
        await set_up(at, m, at.channel, tag)
        await at.until(datetime(2026, 1, 1, 9, 0, 1, tzinfo=UTC))
        at.remark("the bot may no longer write here")
        at.forbid(at.channel, send_messages=True)
        await at.until(datetime(2026, 1, 4, 12, 0, tzinfo=UTC))
        at.remark("the bot may write again")
        await at.types(m, at.channel, "daily")
        at.allow(at.channel)
        await at.presses(m, at.channel, words(tag, "Resume")[0])
        await at.until(datetime(2026, 1, 5, 9, 0, 1, tzinfo=UTC))
        at.compare(f"rights.{tag}", pytestconfig)
