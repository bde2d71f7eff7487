"""Pictures: uploaded, sent again by id, refused."""

import struct
import zlib

import pytest
import telegram
from telegram.error import BadRequest

from .far_end import FarEnd


def png(width: int = 3, height: int = 2) -> bytes:
    """A real picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\0\0\0" * width) * height)
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


async def test_a_picture_is_kept_and_can_be_sent_again_by_its_id(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    a.starts()
    first = await bot.send_photo(a.id, png(640, 480), caption="ж" * 1024)
    assert (first.photo[-1].width, first.photo[-1].height) == (640, 480)
    again = await bot.send_photo(a.id, first.photo[-1].file_id)
    assert again.photo == first.photo


async def test_a_caption_of_1025_characters_is_refused(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    a.starts()
    with pytest.raises(BadRequest, match="Message caption is too long"):
        await bot.send_photo(a.id, png(), caption="ж" * 1025)


@pytest.mark.parametrize(
    ("picture", "refusal"),
    [
        (b"not a picture", "Image_process_failed"),
        (b"", "File must be non-empty"),
        (png(2100, 100), "Photo_invalid_dimensions"),
        (png(9000, 1001), "Photo_invalid_dimensions"),
        (png() + b"\0" * (10 * 1024 * 1024), "File is too big"),
        ("no_such_file_id", "Wrong file identifier/http url specified"),
    ],
    ids=["nonsense", "empty", "too long a side", "too large", "too heavy", "unknown id"],
)
async def test_what_is_no_picture_is_refused(
    far_end: FarEnd, bot: telegram.Bot, picture: bytes | str, refusal: str
) -> None:
    a = far_end.person("А")
    a.starts()
    with pytest.raises(BadRequest, match=refusal):
        await bot.send_photo(a.id, picture)
