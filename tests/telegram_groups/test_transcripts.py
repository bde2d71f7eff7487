"""Days of whole groups, compared with text files, in both languages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.far_ends.telegram import FarEnd
from tests.program import assert_same
from tests.telegram_groups.days import Days, Gathering, Person, days

HERE = Path(__file__).parent

STARTS = {"two-languages": datetime(2026, 9, 4, 12, 0, tzinfo=UTC)}
"""Friday before the night in which Santiago's clocks go forward."""

START = datetime(2026, 10, 22, 12, 0, tzinfo=UTC)
"""Thursday before the night in which Berlin's clocks go back."""

BERLIN, SANTIAGO = "Europe/Berlin", "America/Santiago"

CITIES = {"en": {BERLIN: "Berlin", SANTIAGO: "Santiago"}, "ru": {BERLIN: "Берлин", SANTIAGO: "Сантьяго"}}


async def set_up(g: Gathering, owner: Person, zone: str, language: str) -> None:
    """The moderator sets time, city, language and the rest."""
    await g.says(owner, "/daily")
    await g.taps(owner, "1/daily/1/zone")
    await g.says(owner, CITIES[language][zone], reply_to=g.desk.far_end.last(g.place))
    await g.taps(owner, f"1/daily/1/tz/{zone.replace('/', '.')}")


async def three_days(g: Gathering, far_end: FarEnd, desk: Days, language: str) -> None:
    """Set up, a restart in the middle, a missed day with its notice, a place that loses its rights and comes back."""
    a, b, c = people(far_end, language, "A", "B", "C")
    a.starts()
    await desk.calm()
    g.add(far_end, "Circle", a, b, c)
    await g.look()
    await g.says(b, "/daily")
    await set_up(g, a, BERLIN, language)
    await g.taps(a, "1/daily/1/hour")
    await g.taps(a, "1/daily/1/min/02")
    await g.taps(a, "1/daily/1/at/0230")
    await g.taps(a, "1/daily/1/flip/silent")
    await g.taps(a, "1/daily/1/look")
    await g.taps(b, "1/daily/1/start")
    await g.taps(a, "1/daily/1/start")
    await g.until(BERLIN, 2026, 10, 23, 2, 30)
    await g.taps(b, "A")
    await g.taps(b, "B")
    g.note("restart")
    await desk.restart(after_s=60)
    await desk.ticks()
    await g.look()
    await g.taps(c, "D")
    await g.until(BERLIN, 2026, 10, 23, 12, 31)
    g.note("down for a whole day")
    await desk.stop()
    far_end.clock.advance((datetime(2026, 10, 24, 9, 0, tzinfo=UTC) - far_end.clock.today()).total_seconds())
    await desk.start()
    await desk.ticks()
    await g.passes(60)
    g.note("the night in which 02:30 comes twice")
    await g.until(BERLIN, 2026, 10, 25, 2, 30)
    await g.passes(3600)
    await g.taps(b, "A")
    await g.until(BERLIN, 2026, 10, 25, 13, 31)
    g.note("the place loses its rights")
    g.place.removes_bot()
    await g.look()
    await g.until(BERLIN, 2026, 10, 26, 2, 30)
    await g.passes(60)
    g.note("and comes back")
    g.place.makes_bot_member()
    await g.look()
    await g.until(BERLIN, 2026, 10, 27, 2, 30)
    await g.says(a, "/daily")
    await g.taps(a, "1/daily/1/start")
    await g.until(BERLIN, 2026, 10, 28, 2, 30)
    await g.says(a, "/daily")
    await g.taps(a, "1/daily/1/past")


async def two_languages(g: Gathering, far_end: FarEnd, desk: Days, language: str) -> None:
    """One post in both languages, pinned, revealed in a reply; each is told in their own language."""
    a, b = people(far_end, language, "A", "B")
    other = far_end.person("C", language_code="ru" if language == "en" else "en")
    g.add(far_end, "Circle", a, b, other)
    g.place.makes_bot_admin("can_pin_messages")
    await g.look()
    await set_up(g, a, SANTIAGO, language)
    await g.taps(a, "1/daily/1/lang")
    await g.taps(a, f"1/daily/1/in/{language}-{'ru' if language == 'en' else 'en'}")
    await g.taps(a, "1/daily/1/flip/reply")
    await g.taps(a, "1/daily/1/flip/pin")
    await g.taps(a, "1/daily/1/flip/names")
    await g.taps(a, "1/daily/1/hour")
    await g.taps(a, "1/daily/1/min/00")
    await g.taps(a, "1/daily/1/at/0030")
    await g.taps(a, "1/daily/1/open")
    await g.taps(a, "1/daily/1/for/3")
    await g.taps(a, "1/daily/1/start")
    await g.until(SANTIAGO, 2026, 9, 5, 0, 30)
    await g.taps(b, "A")
    await g.taps(other, "D")
    await g.until(SANTIAGO, 2026, 9, 5, 3, 31)
    g.note("the night in which 00:30 does not come")
    await g.until(SANTIAGO, 2026, 9, 6, 1, 0)
    await g.until(SANTIAGO, 2026, 9, 7, 0, 30)
    await g.says(a, "/daily")


async def five_people(g: Gathering, far_end: FarEnd, desk: Days, language: str) -> None:
    """One is late, one presses twice, one changes the answer, one leaves, one is an anonymous administrator."""
    a, b, c, d, e = people(far_end, language, "A", "B", "C", "D", "E")
    g.add(far_end, "Circle", a, b, c, d, e)
    g.place.makes_admin(e, anonymous=True)
    await g.look()
    await g.says(a, "/quiz")
    await g.taps(b, "1/g/")
    await g.taps(a, "1/g/")
    await g.taps(a, "1/g/1/seed/5.30.o.c")
    await g.taps(a, "1/gb/")
    await g.says(b, "/quiz")
    await g.taps(b, "A")
    await g.taps(b, "A")
    await g.taps(c, "A")
    await g.taps(c, "D")
    await g.taps(d, "D")
    await g.says(d, "/leave")
    await g.taps(e, "D")
    await g.says(e, "/join", anonymously=True)
    await g.says(c, "/reveal")
    far_end.clock.advance(33)
    await g.taps(a, "D")
    await g.passes(0)
    await g.says(c, "/next")
    await g.says(e, "/pause", anonymously=True)
    await g.passes(600)
    await g.says(a, "/resume")
    await g.passes(16)
    await g.taps(d, "B")
    await g.says(e, "/skip", anonymously=True)
    await g.taps(b, "B")
    await g.passes(33)
    await g.says(b, "/stop")
    await g.says(a, "/stop")


def people(far_end: FarEnd, language: str, *names: str) -> list[Person]:
    return [far_end.person(name, language_code=language) for name in names]


SCENES: dict[str, Callable[[Gathering, FarEnd, Days, str], Awaitable[None]]] = {
    "three-days": three_days,
    "two-languages": two_languages,
    "five-people": five_people,
}


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", SCENES)
async def test_days_read_as_in_their_transcript(
    name: str, language: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    async with FarEnd(start=STARTS.get(name, START)) as far_end, days(far_end, tmp_path) as desk:
        g = Gathering(desk)
        await SCENES[name](g, far_end, desk, language)
        assert_same(HERE / "transcripts" / f"{name}.{language}.txt", g.text, pytestconfig)
        assert await desk.read(lambda tx: tx.inbox.quarantined()) == []
    far_end.assert_clean()
