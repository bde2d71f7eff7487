"""The picture of a question: sent along with its alternative text, and kept when the message loses its buttons."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from bot.bank import Bank, load
from tests.discord.desk import HERE, desk

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    """The bank of tests, one of whose items has a picture."""
    course = tmp_path / "content" / "kinds"
    (course / "images").mkdir(parents=True)
    (course / "images" / "x.png").write_bytes(PNG)
    (course / "course.toml").write_bytes((HERE / "bank" / "kinds" / "course.toml").read_bytes())
    deck = (HERE / "bank" / "kinds" / "1-kinds.toml").read_text(encoding="utf-8")
    image = 'image = {file = "images/x.png", alt.en = "A dot [x]", alt.ru = "Точка [x]"}\n'
    before = 'id = "kind-loud"\nkind = "single"\n'
    assert before in deck
    (course / "1-kinds.toml").write_text(deck.replace(before, before + image), encoding="utf-8")
    return load(tmp_path / "content")


async def test_a_picture_comes_with_the_question_and_its_feedback_and_stays(bank: Bank, tmp_path: Path) -> None:
    async with desk(tmp_path, bank) as at:
        guild = at.world.server()
        a, channel = at.world.person("A", "ru", guild), at.world.channel(guild)
        for place in (channel, a.dm):
            await a.types(place, "quiz start", quiz="loud")
            assert "(picture: Точка [x])" in at.world.messages(place)[-1].text
            await a.presses(place, "B")
            assert "(picture: Точка [x])" in at.world.messages(place)[-1].text
        await a.presses(a.dm, "Завершить")
        question = at.world.messages(a.dm)[-2]
        assert question.buttons == {}
        assert "(picture: Точка [x])" in question.text


async def test_a_picture_that_has_gone_from_the_disk_leaves_its_question(bank: Bank, tmp_path: Path) -> None:
    async with desk(tmp_path, bank) as at:
        (bank.root / "kinds" / "images" / "x.png").unlink()
        guild = at.world.server()
        a, channel = at.world.person("A", "ru", guild), at.world.channel(guild)
        await a.types(channel, "quiz start", quiz="loud")
        shown = at.world.messages(channel)[-1]
        assert shown.buttons
        assert "(picture" not in shown.text
