"""Export: every attempt with what belongs to it, as plain rows for CSV and JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from bot.store.attempts import response_of
from bot.store.connection import connect, opening
from bot.store.lock import there
from bot.store.migrations import version
from bot.store.times import moment

Cell = str | int | float | bool | None

_FORMULA = frozenset("=+-@＝＋－＠")
"""What makes a spreadsheet take text for a formula, with the full-width forms."""

_ROWS = """
    SELECT a.id, a.at, a.on_date, a.learner,
        (SELECT group_concat(platform || ':' || account, ' ') FROM accounts WHERE learner = a.learner),
        p.platform, p.chat, p.thread, s.id, s.quiz, a.position, a.item, a.response, a.grade_n, a.grade_d, a.revision,
        NOT EXISTS (
            SELECT 1 FROM attempts AS later
            WHERE later.session = a.session AND later.position = a.position AND later.learner = a.learner
                AND later.revision > a.revision
        ) AND NOT EXISTS (SELECT 1 FROM json_each(s.dropped) AS dropped WHERE dropped.value = a.position)
        AND NOT EXISTS (
            SELECT 1 FROM voids AS v
            WHERE v.item = a.item AND v.since <= a.at AND (v.until IS NULL OR a.at < v.until)
        )
    FROM attempts AS a JOIN sessions AS s ON s.id = a.session JOIN places AS p ON p.id = s.place
    ORDER BY a.id
"""


def export(path: Path) -> Iterator[dict[str, Cell]]:
    """Every attempt, in the order they were made, as one state of a file that may be in use.

    Yields:
        Rows with the same keys in the same order. `at` is ISO in UTC, `date` the local date of the place, `chosen`
        option ids parted by spaces, `grade` a number 0 to 1 and `grade_exact` the same as a fraction, `counts` whether
        the attempt is the last revision and neither void nor dropped.

    Raises:
        FileNotFoundError: There is no such file.
        TooNew: The file was written by a newer program.
        Corrupt: It is no data file of this program, or it is damaged.
        Unavailable: It cannot be read.
    """
    if not there(path):
        raise FileNotFoundError(f"{path}: there is no such data file: look at KONTROLKA_DATA")
    with opening(path), closing(connect(path, readonly=True)) as db:
        db.execute("BEGIN")
        if not version(path, db):
            return
        for row in db.execute(_ROWS):
            response = response_of(row[12])
            yield {
                "attempt": row[0],
                "at": moment(row[1]).isoformat(),
                "date": row[2],
                "learner": row[3],
                "accounts": row[4] or "",
                "platform": row[5],
                "chat": row[6],
                "thread": row[7],
                "session": row[8],
                "quiz": row[9],
                "position": row[10],
                "item": row[11],
                "chosen": " ".join(response.chosen),
                "text": response.text,
                "skipped": response.skipped,
                "grade": row[13] / row[14],
                "grade_exact": f"{row[13]}/{row[14]}",
                "revision": row[15],
                "counts": bool(row[16]),
            }


def _looks_like_formula(text: str) -> bool:
    for character in text:
        if character in _FORMULA:
            return True
        if character != "'" and not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf"):
            return False
    return False


def guard(text: str) -> str:
    """The text with an apostrophe before it if a spreadsheet might take it for a formula.

    That is text which begins, after spaces, control characters and apostrophes, with = + - @ or their full-width
    forms. Numbers are not text: they need no guard.
    """
    return f"'{text}" if _looks_like_formula(text) else text


def unguard(text: str) -> str:
    """The text that `guard` was called on."""
    return text[1:] if text.startswith("'") and _looks_like_formula(text[1:]) else text


def guarded(row: Mapping[str, Cell]) -> dict[str, Cell]:
    """A row of `export` for CSV: every text guarded, numbers and truth values as they are."""
    return {name: guard(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
