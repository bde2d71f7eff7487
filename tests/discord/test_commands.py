"""Commands: in every language, told to Discord only when they changed, with suggestions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.chats.discord.commands import names, words
from bot.chats.discord.quizzes import suggestions
from tests.discord.desk import desk, kinds, languages, seed


def told(at: Any) -> list[dict[str, Any]]:
    return list(at.world.env.backend.commands[None].values())


async def test_commands_are_told_once_and_not_again_by_a_new_bot(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        assert at.world.calls("PUT", "/commands") == 1
        await at.restart()
        assert at.world.calls("PUT", "/commands") == 1


async def test_commands_are_told_again_when_they_changed(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        application = at.client.application_id
        place = await at.look(lambda tx: tx.places_at("discord", f"app:{application}")[0])
        await at.look(lambda tx: tx._sql.write("UPDATE places SET settings = '{}' WHERE id = ?", (place.id,)))
        await at.restart()
        assert at.world.calls("PUT", "/commands") == 2


async def test_a_bot_that_cannot_tell_its_commands_works_all_the_same(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.look(lambda tx: tx._sql.write("UPDATE places SET settings = '{}'"))
        at.world.fail("PUT", "*/commands", 500)
        await at.restart()
        guild = at.world.server()
        a, channel = at.world.person("A", "en-US", guild), at.world.channel(guild)
        assert (await a.types(channel, "help")).acknowledged


COMMANDS = {
    "quiz",
    "group",
    "daily",
    "top",
    "streak",
    "link",
    "unlink",
    "language",
    "progress",
    "help",
    "privacy",
    "doctor",
}


async def test_every_command_has_names_and_descriptions_in_both_languages(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        found = {command["name"]: command for command in told(at)}
        assert set(found) == COMMANDS
        for command in found.values():
            assert {"ru", "en-US", "en-GB"} <= set(command["name_localizations"])
            assert command["description_localizations"]["ru"] != command["description_localizations"]["en-US"]
        assert found["quiz"]["name_localizations"]["ru"] == "тест"
        start = next(option for option in found["quiz"]["options"] if option["name"] == "start")
        assert {option["name_localizations"]["ru"] for option in start["options"]} == {
            "тест",
            "режим",
            "вопросов",
            "где",
        }
        assert found["quiz"]["integration_types"] == [0, 1]
        assert found["quiz"]["contexts"] == [0, 1, 2]
        assert (found["group"]["integration_types"], found["group"]["contexts"]) == ([0], [0])
        assert (found["daily"]["integration_types"], found["daily"]["contexts"]) == ([0], [0])


@pytest.mark.parametrize("tag", ["en", "ru"])
def test_names_and_descriptions_are_as_discord_wants_them(tag: str) -> None:
    t = languages()[tag]
    assert all(name == name.lower() and " " not in name and 1 <= len(name) <= 32 for name in names(t).values())
    assert all(1 <= len(text) <= 100 for text in words(t).values())


@pytest.mark.parametrize(
    ("typed", "found"),
    [("", ["kinds", "loud", "timed"]), ("ГРОМ", ["loud"]), ("  время", ["timed"]), ("kin", ["kinds"]), ("нет", [])],
)
def test_quizzes_are_suggested_by_a_part_of_their_title_or_id(typed: str, found: list[str]) -> None:
    assert [name for _, name in suggestions(kinds(), languages()["ru"], typed, 25)] == found


async def test_suggestions_are_in_the_language_a_person_chose(tmp_path: Path) -> None:
    async with desk(tmp_path, seed()) as at:
        guild = at.world.server()
        a, channel = at.world.person("A", "en-US", guild), at.world.channel(guild)
        english = await a.suggested(channel, "quiz start", "quiz", "")
        await a.types(channel, "language")
        await a.presses(channel, "Русский")
        russian = await a.suggested(channel, "quiz start", "quiz", "")
        assert [choice["value"] for choice in english] == [choice["value"] for choice in russian] != []
        assert russian[0]["name"].startswith("Шардированные")
        assert len(russian) <= 25


async def test_a_title_typed_past_the_suggestions_begins_its_quiz(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        guild = at.world.server()
        a, channel = at.world.person("A", "en-US", guild), at.world.channel(guild)
        await a.types(channel, "quiz start", quiz="Громкие слова")
        assert "A" in at.world.messages(channel)[-1].buttons
        await a.types(channel, "quiz start", quiz="nothing of ours")
        shown, told_ = at.world.messages(channel)[-2:]
        assert "Every kind of item" in shown.buttons
        assert told_.text == "There is no such quiz. Choose one from the list."
