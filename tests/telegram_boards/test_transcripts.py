"""Boards, streaks and linked accounts as people meet them, compared with text files, in both languages."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.quiz import LEARN, Answer, Response, Step
from bot.store import Tx
from bot.tutor import Joined, act, begin, join, offer, solo_slot
from tests.far_ends.telegram import FarEnd, Person
from tests.program import assert_same
from tests.telegram.scene import Scene
from tests.telegram_groups.days import Days, Gathering, days

HERE = Path(__file__).parent

START = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
"""A Tuesday."""


# --- boards


async def boards(g: Gathering, far_end: FarEnd, language: str) -> None:
    """A quiz, then its board: ties, somebody hides, is renamed, deletes everything; the file."""
    a, b, c, d, e = (far_end.person(name, language_code=language) for name in ("A", "B", "C", "=D", "E"))
    g.add(far_end, "Circle", a, b, c, d, e)
    g.watch(d)
    g.place.makes_admin(e, anonymous=True)
    await quiz(g, a, right=(b, c), wrong=(d,))
    g.note("who leads: two share a rank, one has not answered, and a moderator asks without a name")
    await g.says(c, "/top")
    await g.taps(a, "1/top/month")
    await g.taps(b, "1/top/all")
    await g.says(e, "/top", anonymously=True)
    await g.taps(e, "1/top/all")
    g.note("what moderators may")
    await g.says(a, "/top")
    await g.taps(b, "1/top/week/settings")
    await g.taps(a, "1/top/week/settings")
    await g.taps(b, "1/top/week/ties")
    await g.taps(a, "1/top/week/file")
    a.starts()
    await g.look()
    await g.taps(a, "1/top/week/file")
    await g.taps(a, "1/top/week/ties")
    await g.taps(b, "Back" if language == "en" else "Назад")
    g.note("C hides; B has another name; D deletes everything")
    await g.taps(c, "1/top/week/hide")
    b.user.first_name = "B2"
    await g.says(b, "/top")
    d.starts()
    await g.desk.calm()
    await g.says(d, "/top")
    d.sends("/privacy")
    await g.look()
    await g.taps(d, "1/forget/ask", where=d)
    await g.taps(d, "1/forget/yes", where=d)
    await g.says(b, "/top")
    g.note("C is back")
    await g.taps(c, "1/top/week/hide")
    g.note("what belongs in a private chat")
    await g.says(b, "/streak")
    await g.says(b, "/link")
    await g.says(b, "/unlink")
    await g.says(e, "/streak", anonymously=True)


async def quiz(
    g: Gathering,
    host: Person,
    right: tuple[Person, ...],
    wrong: tuple[Person, ...],
    meanwhile: Callable[[], object] = lambda: None,
) -> None:
    """One question, which these answer; of the seed's first item D is right."""
    await g.says(host, "/quiz")
    await g.taps(host, "1/g/")
    await g.taps(host, "1/gb/")
    meanwhile()
    for person in right:
        await g.taps(person, "D")
    for person in wrong:
        await g.taps(person, "A")
    await g.says(host, "/reveal")
    await g.says(host, "/stop")


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_boards_read_as_in_their_transcript(language: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    async with FarEnd(start=START) as far_end, days(far_end, tmp_path) as desk:
        g = Gathering(desk)
        await boards(g, far_end, language)
        assert_same(HERE / "transcripts" / f"boards.{language}.txt", g.text, pytestconfig)
        assert await desk.read(lambda tx: tx.inbox.quarantined()) == []
        refused, sent = (bytes(call.files["document"]).decode("utf-8-sig") for call in far_end.calls("sendDocument"))
        assert refused == sent
        comma = "," if language == "en" else ";"
        assert [row.split(comma)[:3] for row in sent.splitlines()[1:]] == [
            ["1", "B", "1"],
            ["1", "C", "1"],
            ["3", "'=D", "0"],  # no formula
        ]
    far_end.assert_clean()


# --- alone


async def streak(scene: Scene, desk: Days) -> None:
    """A city is chosen by a typed reply, or behind the command; what is no city changes nothing."""
    english = scene.person.user.language_code == "en"
    await scene.types("/streak")
    await scene.presses("1/city/ask")
    await scene.types("Atlantis" if english else "Атлантида", reply_to=scene.last)
    await scene.presses("1/city/ask")
    await scene.types("Lima" if english else "Лима", reply_to=scene.last)
    await scene.presses("1/city/America.Lima")
    await answer_one(scene)
    desk.far_end.clock.advance(2 * 86400)
    await answer_one(scene)
    await scene.types("/streak")
    await scene.types("/streak Berlin" if english else "/streak Берлин")
    await scene.presses("1/city/Europe.Berlin")
    await scene.forges("1/city/Nowhere")
    await scene.forges("1/city")


async def answer_one(scene: Scene) -> None:
    await scene.types("/start item_why-checkpoints-are-sharded")
    await scene.presses("D")
    await scene.presses(":n")


async def links(scene: Scene, desk: Days) -> None:
    """An account on Discord that has answered, and this one: codes that are wrong, too old and right."""

    def offered(tx: Tx) -> str:
        return offer(tx, discord(tx), now(desk), desk.context.new_id()).code

    await desk.read(lambda tx: answers_on_discord(tx, desk))
    await answer_one(scene)
    await scene.types("/unlink")
    await scene.types("/link")
    own = code_of(scene)
    await scene.types(f"/link {own}")
    scene.note("a code from Discord that is typed too late")
    late = await desk.read(offered)
    desk.far_end.clock.advance(10 * 60)
    await scene.types(f"/link {late}")
    await scene.types("/link ABCD-EFGH")
    scene.note("one that is typed in time, in small letters")
    code = await desk.read(offered)
    await scene.types(f"/link {code.lower().replace('-', ' ')}")
    await scene.types("/progress")
    await scene.types("/unlink")
    scene.note("the same code once more, and then too often")
    await scene.types(f"/link {code}")
    for _ in range(5):
        await scene.types("/link ABCD-EFGH")
    desk.far_end.clock.advance(3600)
    await scene.types("/link ABCD-EFGH")
    scene.note("parted again")
    await scene.types("/unlink")
    await scene.presses("1/unlink/telegram")
    await scene.forges("1/unlink/telegram/1")
    await scene.forges("1/unlink")
    await scene.types("/progress")
    scene.note("the other way round: the code is shown here and typed there")
    await scene.types("/link")
    here = code_of(scene)
    assert isinstance(await desk.read(lambda tx: join(tx, discord(tx), here, now(desk))), Joined)
    await scene.types("/unlink")
    scene.note("boards, and everything is deleted for both")
    await scene.types("/top")
    await scene.presses("1/top/week/hide")
    await scene.forges("1/top/week/file")
    await scene.types("/privacy")
    await scene.presses("1/forget/ask")
    await scene.presses("1/forget/yes")
    assert await desk.read(lambda tx: tx.known_learner("discord", "D1")) is None
    assert await desk.read(lambda tx: tx.known_learner("telegram", str(scene.person.id))) is None


def code_of(scene: Scene) -> str:
    """The code that was shown last."""
    found = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", scene.last.words)
    assert found is not None
    return found[0]


def answers_on_discord(tx: Tx, desk: Days) -> None:
    """The account on Discord answers one question."""
    learner = discord(tx)
    place = tx.place_of("discord", "D1", at=START, private_to=learner)
    begun = begin(
        tx, desk.bank, session="elsewhere", place=place.id, slot=solo_slot(learner), host=learner,
        quiz=("state-beyond-the-weights",), policy=LEARN, locales=("en",), at=START,
    )  # fmt: skip
    assert isinstance(begun, Step)
    right = desk.bank.entries["state-beyond-the-weights"].item.key
    act(tx, desk.bank, "elsewhere", Answer(by=learner, position=0, at=START, response=Response(tuple(right))))


def discord(tx: Tx) -> int:
    return tx.learner_of("discord", "D1", START)


def now(desk: Days) -> datetime:
    return desk.far_end.clock.today()


SCENES: dict[str, Callable[[Scene, Days], Awaitable[None]]] = {"streak": streak, "links": links}


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", SCENES)
async def test_dialogues_read_as_in_their_transcript(
    name: str, language: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    async with FarEnd(start=START) as far_end, days(far_end, tmp_path) as desk:
        scene = Scene(desk, far_end.person("А", language_code=language))
        await SCENES[name](scene, desk)
        assert_same(HERE / "transcripts" / f"{name}.{language}.txt", scene.text, pytestconfig)
        assert await desk.read(lambda tx: tx.inbox.quarantined()) == []
    far_end.assert_clean()
