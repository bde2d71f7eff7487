"""Whole dialogues through the real discord.py, compared with text files, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.discord.desk import desk, languages, seed
from tests.discord.script import Script

LOCALES = {"en": "en-US", "ru": "ru"}


@pytest.fixture(params=["en", "ru"])
def tag(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def words(tag: str, *messages: str) -> list[str]:
    """Our own words in a language."""
    return [languages()[tag].gettext(message) for message in messages]


async def test_the_seed_quiz_in_a_server_is_one_hidden_message(
    tag: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    following, hint, skip, finish, practise = words(tag, "Next", "Hint", "Skip", "Finish", "Practise what I missed")
    async with desk(tmp_path, seed()) as at:
        guild = at.world.server()
        script = Script(at.world, at.world.person("A", LOCALES[tag], guild), at.world.channel(guild))
        await script.types("quiz start", quiz="seed")
        await script.presses("A")
        await script.presses(following)
        await script.presses(hint)
        await script.presses("B")
        await script.presses(following)
        await script.presses(skip)
        script.remark("a new bot on the same file")
        await at.restart()
        await script.presses(following)
        for letter in "ABCA":
            await script.presses(letter)
            await script.presses(following)
        await script.presses("D")
        await script.presses(finish)
        await script.presses(practise)
        await script.types("quiz stop")
        script.compare(f"server-seed.{tag}", pytestconfig)


async def test_every_kind_of_item_in_direct_messages(tag: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    following, submit, answer, report = words(tag, "Next", "Submit", "Type an answer", "Report a mistake")
    async with desk(tmp_path) as at:
        person = at.world.person("A", LOCALES[tag], at.world.server())
        script = Script(at.world, person, person.dm)
        await script.types("quiz start")
        await script.presses(
            *[title for title in ("Every kind of item", "Задания всех видов") if _shows(script, title)]
        )
        await script.presses(words(tag, "Learn: explanations at once")[0])
        await script.presses(submit)
        await script.chooses("A", "B")
        await script.presses(submit)
        await script.presses(following)
        await script.presses(answer)
        script.remark("a new bot on the same file, while the form is open")
        await at.restart()
        await script.writes("  Check-point ")
        await script.presses(following)
        await script.presses(answer)
        await script.writes("viele")
        await script.presses(answer)
        await script.writes("2,45")
        await script.presses(report)
        await script.writes("MB or MiB?")
        await script.presses(following)
        await script.chooses("F")
        await script.types("quiz resume")
        await script.presses(following)
        await script.types("quiz stop")
        await script.types("progress")
        await script.presses(words(tag, "Practise my mistakes")[0])
        script.compare(f"dm-kinds.{tag}", pytestconfig)


async def test_an_exam_in_a_thread(tag: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    following, answer, again = words(tag, "Next", "Type an answer", "Go through the answers")
    async with desk(tmp_path) as at:
        guild = at.world.server()
        thread = at.world.thread(at.world.channel(guild))
        script = Script(at.world, at.world.person("A", LOCALES[tag], guild), thread)
        await script.types("quiz start", quiz="timed")
        await script.chooses("A")
        await script.chooses("F")
        await script.presses(following)
        script.remark("four minutes pass")
        await at.passes(240)
        await script.types("quiz resume")
        await script.presses(answer)
        await script.writes("3")
        script.remark("eleven minutes pass")
        await at.passes(660)
        await script.presses(following)
        await script.presses(again)
        await script.presses(following)
        await script.types("quiz start", quiz="kinds", length=1)
        await script.types("quiz start", quiz="loud")
        await script.presses(words(tag, "Start the new one")[0])
        await script.presses("A")
        script.compare(f"thread-exam.{tag}", pytestconfig)


async def test_language_privacy_and_help(tag: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    async with desk(tmp_path) as at:
        guild = at.world.server()
        channel = at.world.channel(guild)
        script = Script(at.world, at.world.person("A", LOCALES[tag], guild), channel)
        await script.types("help")
        await script.types("progress")
        await script.types("quiz resume")
        await script.types("quiz start", quiz="kinds")
        await script.types("language")
        await script.presses("Русский" if tag == "en" else "English")
        await script.types("quiz resume")
        other = "ru" if tag == "en" else "en"
        await script.types("privacy")
        await script.presses(words(other, "Delete my data")[0])
        await script.presses(words(other, "Yes, delete everything")[0])
        await script.types("quiz resume")
        await script.types("doctor")
        at.world.forbid(channel, attach_files=True, send_messages=True)
        await script.types("doctor")
        script.compare(f"about.{tag}", pytestconfig)


def _shows(script: Script, title: str) -> bool:
    return any(title in message.buttons for message in script.world.messages(script.place))
