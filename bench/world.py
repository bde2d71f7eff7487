"""What the measures work on: a bank of any size, files with any number of attempts and open sessions."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from bot.bank import Bank, load
from bot.quiz import LEARN, Opened
from bot.store import Store, Tx
from bot.tutor import Busy, Empty, act, begin, solo_slot

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def clock() -> datetime:
    return datetime.now(UTC)


def write_content(root: Path, items: int, per_deck: int = 50) -> None:
    """A course with so many items, as an author would write them: two languages, four options, nothing missing."""
    course = root / "bench"
    course.mkdir(parents=True)
    (course / "course.toml").write_text(
        '[course]\nid = "bench"\ntitle.en = "Bench"\ntitle.ru = "Стенд"\nabout.en = "Bench."\nabout.ru = "Стенд."\n'
    )
    for first in range(0, items, per_deck):
        deck = first // per_deck
        text = [f'[deck]\nid = "deck-{deck}"\ntitle.en = "Deck {deck}"\ntitle.ru = "Колода {deck}"\norder = {deck}\n']
        text += [_item(number) for number in range(first, min(first + per_deck, items))]
        (course / f"{deck:04}.toml").write_text("\n".join(text))


def _item(number: int) -> str:
    key = "abcd"[number % 4]
    options = "\n".join(
        f"[item.options.{option}]\n"
        f'en = "Answer {option} of item {number}"\nru = "Ответ {option} задания {number}"\n'
        f'why.en = "This is why answer {option} stands here."\nwhy.ru = "Вот почему здесь ответ {option}."\n'
        for option in "abcd"
    )
    return (
        f'[[item]]\nid = "item-{number}"\nkind = "single"\nkey = ["{key}"]\nlevel = {number % 5 + 1}\n'
        'facts = ["M1.1"]\n'
        'source = [{title = "A book", url = "https://example.org/", version = "1"}]\n'
        f'stem.en = "What does `item_{number}` keep when a **sharded** checkpoint is read again?"\n'
        f'stem.ru = "Что хранит `item_{number}`, когда **шардированная** контрольная точка читается снова?"\n'
        'hint.en = "Think of the optimizer."\nhint.ru = "Вспомните оптимизатор."\n'
        'explanation.en = "It keeps the state of the optimizer, because without it training starts anew."\n'
        'explanation.ru = "Он хранит состояние оптимизатора: без него обучение начинается заново."\n'
        f"{options}"
    )


def bank(root: Path, items: int) -> Bank:
    write_content(root, items)
    return load(root)


def name_of(number: int) -> str:
    """A session's id, which looks like dice were thrown for it: no two sessions lie side by side in an index."""
    return sha256(str(number).encode()).hexdigest()[:12]


def add_sessions(tx: Tx, bank: Bank, first: int, count: int, positions: int = 1) -> list[tuple[str, int]]:
    """Open sessions of as many learners, each standing at its first question: session ids and hosts.

    The plans are as long as a quiz is, `positions` items of the bank's.
    """
    items = [item.id for item in bank.live(["en"])]
    made = []
    for number in range(first, first + count):
        learner = tx.learner_of("telegram", str(number), NOW)
        place = tx.place_of("telegram", str(number), at=NOW, private_to=learner).id
        session = name_of(number)
        wanted = [items[(number + position) % len(items)] for position in range(positions)]
        begun = begin(
            tx,
            bank,
            session=session,
            place=place,
            slot=solo_slot(learner),
            host=learner,
            quiz=wanted,
            policy=LEARN,
            locales=("en",),
            at=NOW,
        )
        assert not isinstance(begun, Busy | Empty)
        act(tx, bank, session, Opened(by=None, position=0, at=NOW))
        made.append((session, learner))
    return made


def open_store(path: Path) -> Store:
    return Store.open(path, clock=clock)


LEARNERS = 10_000
"""Among whom closed sessions are spread."""

_FIRST = 1_000_000
"""Ids from here on belong to rows that `crowd` has made."""

_NUMBERS = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)"


def crowd(path: Path, *, open_sessions: int = 0, attempts: int = 0) -> None:
    """Fill a file that has a session of `add_sessions`: open sessions of as many learners, and closed ones with
    eight attempts each."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        people = max(open_sessions, LEARNERS)
        db.execute(f"{_NUMBERS} INSERT INTO learners (id, created_at) SELECT ? + i, 0 FROM n", (people, _FIRST))
        db.execute(
            f"{_NUMBERS} INSERT INTO places (id, platform, chat, thread, private_to, settings, created_at) "
            "SELECT ? + i, 'telegram', 'crowd-' || i, '', ? + i, '{}', 0 FROM n",
            (people, _FIRST, _FIRST),
        )
        copied = "quiz, created_at, position, opened_at, deadline, ends_at, paused_at, dropped, policy, locales, plan"
        for count, is_open, phase in ((open_sessions, 1, "open"), (attempts // 8, 0, "closed")):
            if count:
                db.execute(
                    f"{_NUMBERS} INSERT INTO sessions (id, place, slot, host, open, phase, {copied}) "
                    "SELECT lower(hex(randomblob(6))), ? + i % ?, 'solo:' || (? + i % ?), ? + i % ?, ?, ?, "
                    f"{copied} FROM n, (SELECT {copied} FROM sessions WHERE id = ?)",
                    (count, *(_FIRST, people) * 3, is_open, phase, name_of(0)),
                )
        db.execute(
            f"{_NUMBERS} INSERT INTO attempts "
            "(session, position, item, learner, revision, response, grade_n, grade_d, at, on_date) "
            "SELECT s.id, i, 'item-' || i, s.host, 0, '{\"chosen\":[\"a\"]}', 1, 1, s.created_at, '2026-11-30' "
            "FROM n, sessions AS s WHERE s.open = 0",
            (8,),
        )
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
