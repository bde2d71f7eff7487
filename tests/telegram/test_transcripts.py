"""Whole dialogues of the real bot, compared with text files, in both languages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.bank import Bank
from tests.far_ends.telegram import FarEnd
from tests.far_ends.telegram.fixtures import far_end  # noqa: F401
from tests.program import ROOT, assert_same
from tests.telegram.desk import desk, kinds, seed
from tests.telegram.scene import Scene

HERE = Path(__file__).parent

RIGHT = "DBCABCAD"
"""The key of the seed quiz, in the order shown."""
WRONG = "ABDCADBC"

DAY_S = 24 * 3600.0


async def first_contact(scene: Scene) -> None:
    await scene.types("/start")
    await scene.types("/help")
    await scene.types("/nonsense")
    await scene.types("/progress")
    await scene.types("/resume")
    await scene.types("/stop")
    await scene.types("hello")
    await scene.forges("0:old:version")
    await scene.forges("1:nobody:3:n")
    await scene.forges("1/nonsense/x")


async def seed_quiz(scene: Scene) -> None:
    await scene.types("/start")
    await scene.presses("1/begin")
    await scene.presses("D")
    await scene.presses(":n")
    await scene.presses("A")
    await scene.presses(":n")
    await scene.presses(":h")
    await scene.types("?")
    await scene.presses(":k")
    await scene.presses(":n")
    await scene.types("в)")
    await scene.types("в")
    await scene.presses(":n")
    await scene.types("xyz")
    await scene.types("B.")
    for letter in RIGHT[5:]:
        await scene.presses(":n")
        await scene.presses(letter)
    await scene.presses(":n")
    await scene.types("/progress")
    scene.note("mistakes")
    await scene.presses(":m")
    await scene.presses("B")
    await scene.presses(":n")
    await scene.presses("C")
    await scene.presses(":n")
    await scene.presses("A")
    await scene.presses(":n")
    scene.note("once more")
    await scene.types("/quiz")
    await scene.presses("1/quiz")
    await scene.presses("1/list")
    await scene.presses("1/quiz")
    await scene.presses("1/begin/seed/learn/5")
    await scene.types("/quiz")
    await scene.presses("1/go")
    await scene.types("/start")
    await scene.presses("1/list")
    await scene.presses("1/quiz")
    await scene.presses("1/begin/seed/learn/0")
    await scene.presses("1/over")
    await scene.types("/stop")


async def exam(scene: Scene) -> None:
    await scene.types("/start quiz_seed")
    await scene.types("/quiz")
    await scene.presses("1/list")
    await scene.presses("1/quiz")
    await scene.presses("1/begin/seed/exam")
    await scene.presses("1/over")
    await scene.presses("A")
    await scene.presses("A")
    await scene.presses("D")
    await scene.types("D")
    await scene.presses(":n")
    await scene.presses(":k")
    await scene.types("b")
    for letter in WRONG[3:]:
        await scene.presses(":n")
        await scene.presses(letter)
    await scene.presses(":n")
    await scene.presses(":w")
    await scene.presses(":w")
    await scene.presses(":g")
    await scene.types("/stop")


async def against_the_clock(scene: Scene) -> None:
    await scene.types("/quiz")
    await scene.presses("1/quiz")
    await scene.presses("1/begin/seed/exam")
    await scene.presses("A")
    scene.note("seven minutes and a half later, after a restart")
    await scene.desk.restart(after_s=450)
    await scene.types("/resume")
    await scene.presses("D")
    await scene.types("/language")
    other = "English" if scene.person.user.language_code == "ru" else "Русский"
    await scene.presses(other)
    await scene.presses(":n")
    scene.note("two more minutes later")
    scene.desk.far_end.clock.advance(120)
    await scene.types("/resume")
    scene.note("ten more minutes later")
    scene.desk.far_end.clock.advance(600)
    await scene.types("/resume")


async def change_of_language(scene: Scene) -> None:
    await scene.types("/start")
    await scene.presses("1/begin")
    await scene.presses("B")
    await scene.types("/language")
    other = "English" if scene.person.user.language_code == "ru" else "Русский"
    await scene.presses(other)
    await scene.presses(":n")
    await scene.types("/language")
    await scene.presses("Русский" if other == "English" else "English")
    await scene.presses("B")


async def three_days_later(scene: Scene) -> None:
    await scene.types("/start")
    await scene.presses("1/begin")
    first = scene.last
    await scene.presses("D")
    await scene.presses(":n")
    second = scene.last
    scene.note("three days later, after a restart")
    await scene.desk.restart(after_s=3 * DAY_S)
    await scene.look()
    await scene.presses("A", on=first)
    await scene.presses("Дальше" if scene.person.user.language_code == "ru" else "Next", on=first)
    await scene.presses("B", on=second)
    await scene.presses("C", on=second)
    await scene.presses(":n")
    scene.note("three days later, after a restart")
    await scene.desk.restart(after_s=3 * DAY_S)
    await scene.types("/resume")
    await scene.presses("C")
    await scene.types("/resume")
    await scene.presses(":n")
    await scene.types("/stop")
    await scene.presses("B", on=second)


async def reports(scene: Scene) -> None:
    await scene.types("/start item_why-checkpoints-are-sharded")
    await scene.presses("A")
    await scene.presses(":b")
    await scene.types("Вариант <b>A</b> тоже верен & хорош", reply_to=scene.last)
    await scene.presses(":b")
    await scene.presses(":n")
    await scene.types("/start item_nonsense")


async def privacy(scene: Scene) -> None:
    await scene.types("/start")
    await scene.presses("1/begin")
    await scene.presses("D")
    old = scene.last
    await scene.types("/privacy")
    await scene.presses("1/forget/ask")
    await scene.presses("1/forget/no")
    await scene.types("/privacy")
    await scene.presses("1/forget/ask")
    await scene.presses("1/forget/yes")
    await scene.presses("D", on=old)
    await scene.types("/progress")
    await scene.types("/start")


async def items_of_every_kind(scene: Scene) -> None:
    await scene.types("/quiz")
    await scene.presses("1/quiz/kinds")
    await scene.presses("1/begin/kinds/learn/0")
    await scene.presses(":u")
    await scene.presses("A")
    await scene.presses("B")
    await scene.presses("B")
    await scene.presses(":u")
    await scene.presses(":n")
    await scene.types("shard")
    await scene.presses(":n")
    await scene.types("много")
    await scene.types("2,45")
    await scene.presses(":n")
    await scene.presses("B")
    await scene.presses(":n")
    await scene.presses(":m")
    await scene.types("a, в")
    await scene.presses(":n")
    await scene.types("/stop")


async def mistakes(scene: Scene) -> None:
    await scene.types("/quiz")
    await scene.presses("1/quiz/kinds")
    await scene.presses("1/begin/kinds/learn/0")
    await scene.presses("A")
    await scene.presses(":u")
    await scene.types("/stop")
    await scene.types("/start item_kind-text")
    await scene.types("shard")
    await scene.types("/progress")
    await scene.presses("1/mistakes")
    await scene.presses(":n")
    await scene.types("/progress")
    await scene.presses("1/mistakes")
    await scene.presses("1/mistakes/over")
    await scene.presses("C")
    await scene.presses(":u")
    await scene.presses(":n")
    await scene.types("checkpoint")
    await scene.presses(":n")
    await scene.types("/progress")
    scene.note("the offer of before")
    await scene.forges("1/mistakes")


async def one_language_only(scene: Scene) -> None:
    await scene.types("/quiz")
    await scene.types("/start quiz_english")


async def first_question(scene: Scene) -> None:
    await scene.types("/start")
    await scene.presses("1/begin")
    await scene.presses("A")
    await scene.presses(":n")


def timed() -> Bank:
    """The seed quiz with ten minutes for an exam."""
    bank = seed()
    return replace(bank, quizzes={"seed": replace(bank.quizzes["seed"], minutes=10)})


SCENES: dict[str, tuple[Callable[[Scene], Awaitable[None]], Callable[[], Bank]]] = {
    "first-question": (first_question, seed),
    "first-contact": (first_contact, seed),
    "seed-quiz": (seed_quiz, seed),
    "exam": (exam, seed),
    "against-the-clock": (against_the_clock, timed),
    "change-of-language": (change_of_language, seed),
    "three-days-later": (three_days_later, seed),
    "reports": (reports, seed),
    "privacy": (privacy, seed),
    "items-of-every-kind": (items_of_every_kind, kinds),
    "mistakes": (mistakes, kinds),
    "one-language-only": (one_language_only, kinds),
}


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", SCENES)
async def test_dialogue_reads_as_in_its_transcript(
    name: str,
    language: str,
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
    pytestconfig: pytest.Config,
) -> None:
    play, bank = SCENES[name]
    async with desk(far_end, tmp_path, bank()) as one:
        scene = Scene(one, far_end.person("А", language_code=language))
        await play(scene)
        assert_same(HERE / "transcripts" / f"{name}.{language}.txt", scene.text, pytestconfig)
        assert await one.read(lambda tx: tx.inbox.quarantined()) == []


@pytest.mark.parametrize(("page", "language"), [("telegram.md", "en"), ("telegram.ru.md", "ru")])
def test_the_page_shows_a_real_dialogue(page: str, language: str, pytestconfig: pytest.Config) -> None:
    """The page has the transcript between its marks, word for word."""
    path = ROOT / "docs" / page
    text = path.read_text(encoding="utf-8")
    lived = (HERE / "transcripts" / f"first-question.{language}.txt").read_text(encoding="utf-8").strip()
    head, _, rest = text.partition("<!-- transcript -->")
    shown, _, tail = rest.partition("<!-- /transcript -->")
    wanted = f"\n```text\n{lived}\n```\n"
    if pytestconfig.getoption("--rewrite-transcripts"):
        path.write_text(f"{head}<!-- transcript -->{wanted}<!-- /transcript -->{tail}", encoding="utf-8")
        shown = wanted
    assert shown == wanted
