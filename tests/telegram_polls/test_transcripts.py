"""Polls as a whole group lives them, compared with text files, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.far_ends.telegram import FarEnd
from tests.program import assert_same
from tests.telegram_groups.days import Gathering, Message, days

HERE = Path(__file__).parent


async def first_poll(g: Gathering) -> Message:
    """The first question that leaves as a poll; those before it, whose words fit none, have run out."""
    while (last := g.desk.far_end.last(g.place)).poll is None:
        await g.passes(63)
        await g.passes(16)
    return last


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_votes_given_while_the_bot_is_down_read_as_in_their_transcript(
    language: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    async with FarEnd() as far_end, days(far_end, tmp_path, polls=True) as desk:
        g = Gathering(desk)
        a, b, c, d = (far_end.person(name, language_code=language) for name in "ABCD")
        g.add(far_end, "Circle", a, b, c, d)
        g.place.makes_admin(d, anonymous=True)
        await g.look()
        await g.says(a, "/quiz")
        await g.taps(a, "1/g/")
        await g.taps(a, "1/g/1/seed/5.30.o.c")
        await g.taps(a, "1/g/1/seed/5.60.o.c")
        await g.taps(a, "1/gb/")
        poll = await first_poll(g)
        right, wrong = poll.poll.correct, [0]
        b.votes(poll, wrong)
        await g.look()
        g.note("down")
        await desk.stop()
        c.votes(poll, wrong)
        b.votes(poll, right)
        d.votes(poll, right, anonymously=True)
        far_end.clock.advance(70)
        g.note("up again, ten seconds after the poll has closed")
        await desk.start()
        await desk.bot.caught_up()
        await desk.ticks()
        await g.look()
        await g.passes(16)
        second = await first_poll(g)
        g.note("down, with a poll that is still open")
        await desk.stop()
        c.votes(second, second.poll.correct)
        far_end.clock.advance(20)
        g.note("up again")
        await desk.start()
        await desk.bot.caught_up()
        await desk.ticks()
        await g.look()
        b.votes(second, [3])
        await g.look()
        await g.passes(45)
        await g.says(a, "/stop")
        assert_same(HERE / "transcripts" / f"down.{language}.txt", g.text, pytestconfig)
        assert await desk.read(lambda tx: tx.inbox.quarantined()) == []
    far_end.assert_clean()
