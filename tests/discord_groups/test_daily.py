"""The daily question: set up, three days with a restart, a missed day, nights on which clocks change, a lost channel."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.discord_groups.scene import LOCALES, Scene, scene, words
from tests.far_ends.discord import Person, Place


async def set_up(at: Scene, m: Person, place: Place, tag: str, *, hour: int = 9, city: str = "") -> None:
    """A daily question at an hour of a city, started."""
    time, zone, start = words(tag, "Time", "City", "Start")
    await at.types(m, place, "daily")
    if city:
        await at.chooses(m, place, zone)
        await at.writes(m, city)
        await press_first(at, m, place, city)
    await at.chooses(m, place, time)
    await at.chooses(m, place, f"{hour:02}")
    await at.chooses(m, place, f"{hour:02}:30" if hour != 9 else "09:00")
    await at.presses(m, place, start)


async def press_first(at: Scene, m: Person, place: Place, city: str) -> None:
    """Choose the first city of a list."""
    shown = at.hidden(place)[-1]
    label = next(label for label in shown.buttons if label.startswith(city))
    await at.presses(m, place, label)


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
