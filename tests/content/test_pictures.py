"""Pictures can be read on a phone, and read aloud."""

from __future__ import annotations

import struct

from tests.content.bank import COURSE, LANGUAGES, bank, entries

IMAGES = COURSE / "images"


def sides(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert data.endswith(b"IEND\xaeB`\x82")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_at_least_eight_items_have_a_picture_described_in_both_languages() -> None:
    pictured = [entry for entry in entries() if entry.words["en"].image]
    assert len(pictured) >= 8
    for entry in pictured:
        found = {language: entry.words[language].image for language in LANGUAGES}
        alts = [image.alt for image in found.values() if image is not None]
        assert len(alts) == len(set(alts)) == 2, entry.item.id
        assert min(map(len, alts)) >= 40, entry.item.id


def test_every_picture_is_a_png_for_a_phone() -> None:
    files = sorted(IMAGES.glob("*.png"))
    assert files
    for file in files:
        width, height = sides(file.read_bytes())
        assert width >= 1000, file.name
        assert width / 3 <= height <= width, file.name  # taller or flatter ones are cut in the list of messages
        assert file.stat().st_size < 300_000, file.name


def test_every_picture_is_shown_and_drawn_by_the_script() -> None:
    drawn = (IMAGES / "make.py").read_text(encoding="utf-8")
    shown = {entry.words["en"].image.path for entry in bank().entries.values() if entry.words["en"].image}
    for file in IMAGES.glob("*.png"):
        assert f"checkpoints/images/{file.name}" in shown
        assert f'"{file.stem}":' in drawn
