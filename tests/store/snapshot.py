"""A data file of the present schema with something in every table, as SQL: `python -m tests.store.snapshot`.

Run it once when a migration is added and commit `schemas/v<n>.sql`; a file that is there is never written again,
because it stands for the data files people have.
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from datetime import date, time
from fractions import Fraction
from pathlib import Path

from bot.quiz import Ending, Phase, Response, exam, group
from bot.store import Daily, Run, Tx, Update, info
from tests.store.world import NOW, answer, attempt, begin, later, new_session, use

SCHEMAS = Path(__file__).parent / "schemas"


def fill(tx: Tx) -> None:
    """Something of everything, in every state that lasts."""
    solo = begin(tx, "solo", "А")
    a, b = solo.host, tx.learner_of("discord", "42", NOW)
    tx.set_learner_locale(a, "ru")
    tx.set_learner_zone(b, "Europe/Berlin")
    for grade in (1, 0, Fraction(1, 2)):
        answer(tx, "solo", a, grade)
    tx.set_draft("solo", 3, a, ("c", "a"))

    place = tx.place_of("telegram", "-100", "5", at=NOW)
    tx.set_place(replace(place, locale="ru", zone="Asia/Almaty", settings={"daily": ["09:00"]}, unreachable_at=NOW))
    many = replace(
        new_session("many", place.id, b, slot="group", policy=group(item_limit_s=60), phase=Phase.OPEN),
        opened_at=NOW,
        deadline=later(seconds=60),
        ends_at=later(hours=1),
        paused_at=later(seconds=9),
        dropped=frozenset({1, 3}),
        locales=("ru", "en"),
    )
    tx.add_session(many, NOW, origin="telegram:900")
    for learner in (a, b):
        tx.join("many", learner, NOW)
        tx.add_attempt(attempt(many, learner, grade=0))
    tx.add_attempt(attempt(many, a, revision=1, response=Response(text="«ё»"), at=later(seconds=2)))
    tx.leave("many", b, later(seconds=3))

    done = replace(new_session("done", solo.place, a, policy=exam(session_limit_s=600)), phase=Phase.CLOSED)
    done = replace(done, ending=Ending.STOPPED)
    tx.add_session(done, NOW)
    tx.add_attempt(attempt(done, a, response=Response(), grade=0))
    tx.add_void("async-save", NOW)
    tx.close_void("async-save", later(hours=1))
    tx.add_void("rank-zero-writes", NOW)
    tx.add_fingerprints({"async-save": "0123456789abcdef"}, NOW)
    messages(tx, place.id, a)
    boards_and_links(tx, place.id, a, b)


def messages(tx: Tx, place: int, learner: int) -> None:
    tx.due.schedule("expire", "many", later(seconds=62))
    tx.due.schedule("daily", f"place:{place}", later(days=1), {"quiz": "seed"})
    tx.due.claim(later(seconds=62), 1, later(seconds=60) - NOW)
    for state in range(5):
        post = tx.posts.demand(place, "question", NOW, session="many", position=state, nonce=f"n{state}")
        if state:
            tx.posts.sending(post.id)
        if state == 2:
            tx.posts.sent(post.id, "77", NOW, poll="p1")
        if state == 3:
            tx.posts.failed(post.id)
        if state == 4:
            tx.posts.uncertain(post.id)
    daily = tx.dailies.add(
        Daily(
            0,
            place,
            learner,
            time(9),
            "Asia/Almaty",
            frozenset({0, 4}),
            "seed",
            ("ru", "en"),
            36000,
            quiet=(time(22), time(8)),
            skip=date(2026, 12, 1),
        )
    )
    tx.dailies.record(Run(daily, date(2026, 11, 30), "begun", "many", "async-save", NOW))
    tx.dailies.record(Run(daily, date(2026, 11, 27), "missed", None, None, NOW))
    kept = tx.dailies.get(daily)
    assert kept is not None
    tx.dailies.remove(tx.dailies.add(kept))
    tx.set_name(place, learner, "А")
    tx.set_crowd("many", 0, 2, 1)
    tx.inbox.put([Update("telegram", number, "А", '{"text": "ё"}', NOW) for number in (900, 901, 902)])
    tx.inbox.done("telegram", 902)
    tx.inbox.quarantine("telegram", 901, "it has no chat")
    tx.add_report("async-save", "ru", learner, "опечатка", NOW)


def boards_and_links(tx: Tx, place: int, a: int, b: int) -> None:
    over = replace(new_session("over", place, b, slot="past", policy=group(), phase=Phase.OPEN), opened_at=NOW)
    tx.add_session(over, NOW)
    tx.add_attempt(attempt(over, a, grade=0, at=later(seconds=5)))
    tx.add_attempt(attempt(over, b, grade=Fraction(1, 3), at=later(seconds=7)))
    tx.save_session(over, replace(over, phase=Phase.CLOSED, ending=Ending.FINISHED))
    c = tx.learner_of("telegram", "В", NOW)
    tx.set_hidden(c, True)
    tx.links.merge(tx.learner_of("discord", "43", NOW), c, NOW)
    tx.links.keep_code("0123", a, later(minutes=10), NOW)
    tx.links.add_try(a, NOW)


def dump(path: Path) -> str:
    """All of a file as SQL."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE _sqlite_migrations SET applied_at = '2026-11-30 09:00:00+00:00'")
        db.commit()
        return "\n".join(db.iterdump()) + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kontrolka.db")
        use(path, fill)
        target = SCHEMAS / f"v{info(path).version}.sql"
        if target.exists():
            raise SystemExit(f"{target} is there already; a schema that people have is never changed")
        target.write_text(dump(path), encoding="utf-8")
        print(f"{target} is written")


if __name__ == "__main__":
    main()
