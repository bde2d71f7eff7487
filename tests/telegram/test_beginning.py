"""Beginning: once, however often a button is pressed, and nothing that was read is lost for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store import Tx
from tests.far_ends.telegram import FarEnd
from tests.far_ends.telegram.fixtures import far_end  # noqa: F401
from tests.telegram.desk import button, desk, kinds
from tests.telegram.scene import Scene

ALREADY = "It has begun already: the question is below."


async def one_wrong(scene: Scene) -> None:
    await scene.types("/start item_kind-text")
    await scene.types("shard")
    await scene.presses(":n")


async def presses_twice(scene: Scene, what: str) -> list[str]:
    """Two taps on one button before the first is answered; what popped up."""
    message, data = button(scene.desk.far_end, scene.person, what)
    taps = [scene.person.taps(message, data) for _ in range(2)]
    await scene.look()
    return [tap.toast for tap in taps]


def shown(scene: Scene, words: str) -> int:
    """How many messages in the chat have these words."""
    return sum(words in message.words for message in scene.desk.far_end.messages(scene.person))


def begun(tx: Tx) -> list[tuple[int, int]]:
    """How many questions each session has, and whether it is open; the oldest first."""
    return tx._sql.all("SELECT json_array_length(plan), open FROM sessions ORDER BY created_at, open")


@pytest.mark.parametrize("what", [":m", "1/mistakes"])
async def test_two_taps_begin_to_practise_once_and_leave_what_was_read(
    what: str,
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    async with desk(far_end, tmp_path, kinds()) as one:
        scene = Scene(one, far_end.person("А", language_code="en"))
        await one_wrong(scene)
        await scene.types("/progress")
        assert await presses_twice(scene, what) == ["", ALREADY]
        assert shown(scene, "Result: 0 points out of 1 (0%).") == 1
        assert shown(scene, "1 question still needs a right answer.") == 1
        assert [is_open for _, is_open in await one.read(begun)] == [0, 1]


async def test_start_the_new_one_twice_throws_nothing_away(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path, kinds()) as one:
        scene = Scene(one, far_end.person("А", language_code="en"))
        await one_wrong(scene)
        await scene.types("/start item_kind-single")
        await scene.types("/progress")
        await scene.presses("1/mistakes")
        assert await presses_twice(scene, "1/mistakes/over") == ["", ALREADY]
        assert [is_open for _, is_open in await one.read(begun)] == [0, 0, 1]


async def test_an_old_summary_stays_when_another_quiz_is_open(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path, kinds()) as one:
        scene = Scene(one, far_end.person("А", language_code="en"))
        await scene.types("/start quiz_kinds")
        await scene.types("/stop")
        await scene.presses(":g")
        await scene.types("/stop")
        await scene.types("/start item_kind-single")
        await scene.presses(":g")
        assert shown(scene, "You have an unfinished quiz, question 1 of 1.") == 1
        assert shown(scene, "Quiz stopped.") == 2
        await scene.presses("1/over/kinds/learn/0")
        assert [size for size, is_open in await one.read(begun) if is_open] == [4]


async def test_an_exam_that_ends_for_something_else_tells_its_result_first(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    async with desk(far_end, tmp_path, kinds()) as one:
        scene = Scene(one, far_end.person("А", language_code="en"))
        await one_wrong(scene)
        await scene.types("/quiz")
        await scene.presses("1/quiz/kinds")
        await scene.presses("1/begin/kinds/exam/0")
        await scene.presses("A")
        await scene.presses(":u")
        await scene.types("/progress")
        await scene.presses("1/mistakes")
        await scene.presses("1/mistakes/over")
        *_, result, question = far_end.messages(scene.person)
        assert "Result: 0.5 points out of 1 (50%)." in result.words
        assert "Go through the answers" in result.buttons
        assert question.words.startswith("What is a saved state of training called?")


async def test_mistakes_in_another_language_are_not_denied(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path, kinds()) as one:
        scene = Scene(one, far_end.person("А", language_code="en"))
        await scene.types("/start item_only-in-english")
        await scene.presses("B")
        await scene.presses(":n")
        await scene.types("/progress")
        offer = scene.last
        await scene.types("/language")
        await scene.presses("1/lang/ru")
        far = scene.person.taps(offer, "1/mistakes", gone=True)
        await scene.look()
        assert far.toast == ""
        assert shown(scene, "Ошибки, над которыми стоит поработать, есть, но не на этом языке: English.") == 1


async def test_a_short_quiz_asks_what_was_not_asked_yet(far_end: FarEnd, tmp_path: Path) -> None:  # noqa: F811
    async with desk(far_end, tmp_path, kinds()) as one:
        scene = Scene(one, far_end.person("А", language_code="en"))
        asked: list[str] = []
        for _ in range(2):
            await scene.types("/quiz")
            await scene.presses("1/quiz/kinds")
            await scene.forges("1/begin/kinds/learn/2")
            for _ in range(2):
                asked.append(scene.last.words.splitlines()[2])
                await scene.presses(":k")
                await scene.presses(":n")
        assert len(set(asked)) == 4
