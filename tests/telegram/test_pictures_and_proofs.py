"""A question's picture goes before it as a photo, and the proof follows the explanation when it is asked for."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from bot.bank import Bank, load
from tests.bank.authors import ITEM, changed, course, write
from tests.far_ends.telegram import FarEnd, Person
from tests.far_ends.telegram.fixtures import far_end  # noqa: F401
from tests.telegram.desk import button, desk

IMAGE = 'image = {file = "images/oak.png", alt.en = "A drawn leaf", alt.ru = "Нарисованный лист"}'
QUIZ = """
[[quiz]]
id = "trees"
title.en = "Trees"
title.ru = "Деревья"
modules = ["leaves"]
shuffle = false
"""
INDEX = '[oak]\nscript = "1"\noutput = "2"\nversions = "Python 3.11.7"\ndate = "2026-11-30"\n'
EXAM = changed(QUIZ, ("shuffle = false", 'mode = "exam"\nshuffle = false'))


def png(width: int = 40, height: int = 30) -> bytes:
    """A white picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\xff" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def trees(root: Path, quiz: str = QUIZ) -> Bank:
    """Two items; the first has a picture and a proof."""
    item = changed(ITEM, ("level = 1", f'level = 1\nproof = "oak"\n{IMAGE}'))
    folder = course(root, item=item + changed(ITEM, ("leaf-of-the-oak", "second")) + quiz)
    write(folder, {"trees/proofs/oak.py": "print('<lobes> & @veins')\n", "trees/proofs/oak.out": "<lobes> & @veins\n"})
    return load(write(folder, {"trees/proofs/index.toml": INDEX, "trees/images/oak.png": png()}))


def offers_proof(far_end: FarEnd, person: Person) -> bool:  # noqa: F811
    rows = (far_end.last(person).markup or {}).get("inline_keyboard", [])
    return any(button["callback_data"].endswith(":o") for row in rows for button in row)


@pytest.mark.parametrize(("language", "alt"), [("en", "A drawn leaf"), ("ru", "Нарисованный лист")])
async def test_the_picture_is_a_photo_above_its_question_and_is_uploaded_once(
    language: str,
    alt: str,
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    a, b = far_end.person("А", language_code=language), far_end.person("Б", language_code=language)
    async with desk(far_end, tmp_path, trees(tmp_path / "content")) as one:
        await one.begins(a, b)
        for person in (a, b):
            photo, question = far_end.messages(person)[-2:]
            assert photo.photo
            assert photo.caption.text == alt
            assert alt not in question.text.text
        assert far_end.messages(a)[-2].photo == far_end.messages(b)[-2].photo
        await one.presses(a, "B")
        assert alt not in far_end.last(a).text.text


async def test_a_picture_that_cannot_be_sent_is_described(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    a = far_end.person("А", language_code="en")
    async with desk(far_end, tmp_path, trees(tmp_path / "content")) as one:
        (tmp_path / "content" / "trees" / "images" / "oak.png").write_bytes(b"\x89PNG no more")
        await one.begins(a)
        assert "[A drawn leaf]" in far_end.last(a).text.text
        assert not any(message.photo for message in far_end.messages(a))


async def test_the_proof_follows_the_explanation_and_the_quiz_goes_on(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    a = far_end.person("А", language_code="en")
    async with desk(far_end, tmp_path, trees(tmp_path / "content")) as one:
        await one.begins(a)
        assert not offers_proof(far_end, a)
        await one.presses(a, "B")
        await one.presses(a, ":o")
        proof = far_end.last(a)
        words = proof.text.text
        blocks = [words[e["offset"] : e["offset"] + e["length"]] for e in proof.text.entities if e["type"] == "pre"]
        assert blocks == ["print('<lobes> & @veins')", "<lobes> & @veins"]
        assert "November 30, 2026" in words
        assert words.endswith("Python 3.11.7")
        await one.presses(a, ":n")
        await one.presses(a, "A")
        assert not offers_proof(far_end, a)  # this item has no proof


async def test_a_review_of_a_self_check_shows_the_proof_of_the_answer_it_stands_under(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    a = far_end.person("А", language_code="en")
    async with desk(far_end, tmp_path, trees(tmp_path / "content", EXAM)) as one:
        await one.begins(a)
        for _ in range(2):
            await one.presses(a, "A")
            assert not offers_proof(far_end, a)
            await one.presses(a, ":n")
        await one.presses(a, ":w")
        await one.presses(a, ":o")
        assert "print('<lobes> & @veins')" in far_end.last(a).text.text
        await one.presses(a, ":w")
        assert not offers_proof(far_end, a)


async def test_a_button_made_by_hand_shows_no_proof_before_the_answer(
    far_end: FarEnd,  # noqa: F811
    tmp_path: Path,
) -> None:
    a = far_end.person("А", language_code="en")
    async with desk(far_end, tmp_path, trees(tmp_path / "content")) as one:
        await one.begins(a)
        question, data = button(far_end, a, "B")
        query = a.sends_data(question, data.replace(":ab", ":o"))
        await one.settled(a)
        assert query.toast
        assert far_end.last(a) is question
