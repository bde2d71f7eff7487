"""A quiz for everybody in a thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.discord_groups.scene import LOCALES, scene, words


@pytest.mark.parametrize("tag", ["en", "ru", "both"])
async def test_five_people_play_in_a_thread(tag: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    spoken = "en" if tag == "both" else tag
    following, submit, typing = words(spoken, "Next", "Submit", "Type an answer")
    if tag == "both":
        following, submit, typing = (" / ".join(words(x, m)[0] for x in ("en", "ru")) for m in ("Next", "Submit", "x"))
        (typing,) = words("en", "Type an answer")
    async with scene(tmp_path) as at:
        names = "ABCDM" if spoken == "en" else "АБВГМ"
        a, b, c, d = (at.person(name, LOCALES[spoken]) for name in names[:4])
        m = at.person(names[4], LOCALES["ru" if spoken == "en" else "en"], moderator=True)
        await at.types(a, at.channel, "group start", quiz="quartet", **({"language": "both"} if tag == "both" else {}))
        (thread,) = at.threads()
        await at.types(b, at.channel, "group start", quiz="quartet")
        at.remark("an answer, a double tap, a change, and somebody who leaves")
        await at.presses(a, thread, "A")
        await at.presses(b, thread, "B")
        await at.presses(b, thread, "B")
        await at.presses(c, thread, "C")
        await at.presses(c, thread, "A")
        await at.presses(d, thread, "A")
        await at.types(d, thread, "group leave")
        await at.passes(5)
        old = a.latest(thread, "A")
        await at.types(b, thread, "group reveal")
        await at.types(a, thread, "group reveal")
        at.remark("somebody who is late")
        await at.late(m, thread, "A", old)
        await at.presses(a, thread, following)
        await at.presses(a, thread, "A")
        await at.restart()
        at.remark("the host is gone; a moderator goes on")
        await at.presses(b, thread, "A")
        await at.types(m, thread, "group reveal")
        await at.types(m, thread, "group next")
        await at.chooses(b, thread, "A", "C")
        await at.presses(b, thread, submit)
        await at.types(m, at.channel, "group reveal")
        await at.types(m, at.channel, "group pause")
        await at.types(m, thread, "group next")
        await at.types(m, at.channel, "group resume")
        await at.presses(m, thread, following)
        await at.presses(c, thread, typing)
        await at.writes(c, "Checkpoint" if spoken == "en" else "Контрольная  точка")
        await at.types(m, thread, "group reveal")
        await at.types(m, thread, "group next")
        at.compare(f"group.{tag}", pytestconfig)
