"""No statement reads a table that grows from one end to the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from bot.quiz import Ending, Phase
from bot.store import Agenda, Inbox, Posts, PostState, Run, Tx, Update
from bot.store.boards import Boards
from bot.store.connection import Sql, connect
from bot.store.dailies import Dailies
from bot.store.export import _ROWS
from bot.store.links import Links
from tests.store.snapshot import fill
from tests.store.world import NOW, attempt, later, new_session, use

SMALL = {"SCAN voids", "SCAN items", "SCAN reports"}
"""Tables as large as the bank, and read to the end because all of it is wanted."""

UPDATE = Update("telegram", 1, "A", "{}", NOW)


@pytest.fixture
def traced(path: Path) -> Iterator[tuple[Tx, dict[str, Any]]]:
    """A transaction over a file with something in every table, and the statements it has carried out."""
    use(path, fill)
    seen: dict[str, Any] = {}
    with closing(connect(path)) as plain:
        db = Database(plain.conn, execute_plugins=False, tracer=lambda sql, parameters: seen.update({sql: parameters}))
        db.execute("BEGIN")
        seen.clear()
        yield Tx(Sql(db)), seen


def calls(tx: Tx) -> dict[str, Callable[[], Any]]:
    """Every public method, called in a way that reaches its statements."""
    session = tx.session("many")
    place = tx.place(2)
    (due, *_), (post, *_) = tx.due.claim(later(days=9), 5, timedelta(1)), tx.posts.of_session("many")
    daily = tx.dailies.get(1)
    assert session is not None
    assert place is not None
    assert daily is not None
    fresh = new_session("fresh", 2, 2, slot="fresh")
    return {
        "accounts_of": lambda: tx.accounts_of(1),
        "add_attempt": lambda: tx.add_attempt(attempt(session, 1, 2)),
        "add_fingerprints": lambda: tx.add_fingerprints({"x": "y"}, NOW),
        "add_report": lambda: tx.add_report("x", "ru", 1, "x", NOW),
        "add_session": lambda: tx.add_session(fresh, NOW, "origin"),
        "add_void": lambda: tx.add_void("x", NOW),
        "answered_count": lambda: tx.answered_count("many", 0),
        "asked_in": lambda: tx.asked_in(2),
        "attempts_of": lambda: (tx.attempts_of("many"), tx.attempts_of("many", 1)),
        "clear_drafts": lambda: tx.clear_drafts("many"),
        "close_void": lambda: tx.close_void("x", later(days=9)),
        "undo_void": lambda: tx.undo_void("x"),
        "counting_attempts": lambda: tx.counting_attempts("many"),
        "crowd": lambda: tx.crowd("many", 9),
        "set_crowd": lambda: tx.set_crowd("many", 0, 2, 1),
        "draft": lambda: tx.draft("many", 0, 1),
        "fingerprints": tx.fingerprints,
        "is_joined": lambda: tx.is_joined("many", 1),
        "join": lambda: tx.join("many", 1, NOW),
        "joined": lambda: tx.joined("many"),
        "joined_count": lambda: tx.joined_count("many"),
        "known_learner": lambda: tx.known_learner("telegram", "A"),
        "last_attempt": lambda: tx.last_attempt("many", 0, 1),
        "learner": lambda: tx.learner(1),
        "learner_of": lambda: tx.learner_of("telegram", "C", NOW),
        "leave": lambda: tx.leave("many", 1, NOW),
        "move_place": lambda: tx.move_place(2, "moved"),
        "names_of": lambda: tx.names_of(2, [1, 2]),
        "open_session": lambda: tx.open_session(2, "group"),
        "open_sessions": lambda: tx.open_sessions(2),
        "place": lambda: tx.place(2),
        "places_at": lambda: tx.places_at("telegram", "A"),
        "zone_of": lambda: tx.zone_of(2),
        "chat_of": lambda: tx.chat_of(place),
        "hidden_among": lambda: tx.hidden_among([1, 2]),
        "set_hidden": lambda: tx.set_hidden(1, True),
        "place_of": lambda: (
            tx.place_of("telegram", "C", at=NOW),
            tx.place_of("telegram", "C", at=NOW, private_to=1),
        ),
        "private_place": lambda: tx.private_place(1, "telegram"),
        "progress_of": lambda: tx.progress_of(1),
        "reports": tx.reports,
        "save_session": lambda: save_everything(tx),
        "session": lambda: tx.session("many"),
        "session_by_origin": lambda: tx.session_by_origin("telegram:900"),
        "set_draft": lambda: tx.set_draft("many", 0, 1, ("a",)),
        "set_learner_locale": lambda: tx.set_learner_locale(1, "ru"),
        "set_learner_zone": lambda: tx.set_learner_zone(1, "UTC"),
        "set_name": lambda: tx.set_name(2, 1, "Б"),
        "set_place": lambda: tx.set_place(place),
        "voids": tx.voids,
        "due.cancel": lambda: tx.due.cancel("expire", "x"),
        "due.claim": lambda: tx.due.claim(later(days=9), 5, timedelta(1)),
        "due.finish": lambda: tx.due.finish(due),
        "due.next_at": tx.due.next_at,
        "due.of": lambda: tx.due.of("expire", "x"),
        "due.schedule": lambda: tx.due.schedule("expire", "x", NOW),
        "posts.again": lambda: tx.posts.again(post.id),
        "posts.by_message": lambda: tx.posts.by_message(2, "77"),
        "posts.by_poll": lambda: tx.posts.by_poll("p1"),
        "posts.demand": lambda: tx.posts.demand(2, "question", NOW, session="many"),
        "posts.failed": lambda: tx.posts.failed(post.id),
        "posts.in_state": lambda: tx.posts.in_state(PostState.PENDING),
        "posts.waiting": lambda: tx.posts.waiting("telegram", NOW, 5, shared=True),
        "posts.sent_since": lambda: tx.posts.sent_since("telegram", NOW),
        "posts.numbered_anew": lambda: tx.posts.numbered_anew(2),
        "posts.of_session": lambda: (tx.posts.of_session("many"), tx.posts.of_session("many", 1)),
        "posts.post": lambda: tx.posts.post(post.id),
        "posts.sending": lambda: tx.posts.sending(post.id),
        "posts.sent": lambda: tx.posts.sent(post.id, "1", NOW),
        "posts.sweep": tx.posts.sweep,
        "posts.uncertain": lambda: tx.posts.uncertain(post.id),
        "dailies.add": lambda: tx.dailies.add(daily),
        "dailies.asked": lambda: tx.dailies.asked(2),
        "dailies.remove": lambda: tx.dailies.remove(9),
        "dailies.get": lambda: tx.dailies.get(1),
        "dailies.of_moderator": lambda: tx.dailies.of_moderator(1),
        "dailies.of_place": lambda: tx.dailies.of_place(2),
        "dailies.record": lambda: tx.dailies.record(Run(1, NOW.date(), "missed", None, None, NOW)),
        "dailies.run": lambda: tx.dailies.run(1, NOW.date()),
        "dailies.of_session": lambda: tx.dailies.of_session("many"),
        "dailies.runs": lambda: tx.dailies.runs(1, 5),
        "dailies.save": lambda: tx.dailies.save(daily),
        "boards.days": lambda: (tx.boards.days(1), tx.boards.days(1, place)),
        "boards.names": lambda: tx.boards.names(place, [1, 2]),
        "boards.tallies": lambda: tx.boards.tallies(place, ["2026-11"]),
        "links.accounts": lambda: tx.links.accounts(1),
        "links.add_try": lambda: tx.links.add_try(1, NOW),
        "links.code_of": lambda: tx.links.code_of("0123", NOW),
        "links.drop_code": lambda: tx.links.drop_code("0123"),
        "links.keep_code": lambda: tx.links.keep_code("4567", 1, later(days=1), NOW),
        "links.merge": lambda: tx.links.merge(
            tx.learner_of("discord", "44", NOW), tx.learner_of("telegram", "Г", NOW), NOW
        ),
        "links.split": lambda: tx.links.split("discord", "43", NOW),
        "links.tries": lambda: tx.links.tries(1, NOW),
        "inbox.done": lambda: tx.inbox.done("telegram", 900),
        "inbox.put": lambda: tx.inbox.put([UPDATE]),
        "inbox.quarantine": lambda: tx.inbox.quarantine("telegram", 900, "x"),
        "inbox.quarantined": tx.inbox.quarantined,
        "inbox.waiting": lambda: tx.inbox.waiting("telegram"),
        "prune_some": lambda: tx.prune_some(later(days=99)),
        "forget_some": lambda: [tx.forget_some(1) for _ in range(9)],
    }


def save_everything(tx: Tx) -> None:
    session = tx.session("many")
    assert session is not None
    for changes in (
        {"position": 3, "phase": Phase.ASKED, "opened_at": None, "deadline": None},
        {"ends_at": None, "paused_at": None, "dropped": frozenset()},
        {"phase": Phase.CLOSED, "ending": Ending.FINISHED},
    ):
        stored = tx.session("many")
        assert stored is not None
        tx.save_session(stored, type(stored)(**{**fields(stored), **changes}))


def fields(session: Any) -> dict[str, Any]:
    return {name: getattr(session, name) for name in session.__dataclass_fields__}


def public(group: type, prefix: str = "") -> set[str]:
    return {prefix + name for name in dir(group) if not name.startswith("_") and callable(getattr(group, name))}


def scans(tx: Tx, statement: str, parameters: Any) -> list[str]:
    plan = tx._sql.all(f"EXPLAIN QUERY PLAN {statement}", parameters or ())
    steps = [row[3] for row in plan]
    return [step for step in steps if step.startswith("SCAN") and not allowed(step)]


def allowed(step: str) -> bool:
    return (
        step in SMALL
        or step == "SCAN CONSTANT ROW"
        or step.startswith("SCAN wanted VIRTUAL TABLE")  # the ids that were handed in
        or step.startswith("SCAN dropped VIRTUAL TABLE")  # the few positions of one session
        or step == "SCAN due USING INDEX due_ready"  # in its order, one row
        or step == "SCAN due USING COVERING INDEX due_ready"
    )


def test_every_statement_of_every_method_uses_an_index(traced: tuple[Tx, dict[str, Any]]) -> None:
    tx, seen = traced
    wanted = public(Tx) | public(Agenda, "due.") | public(Posts, "posts.") | public(Inbox, "inbox.")
    wanted |= public(Dailies, "dailies.") | public(Boards, "boards.") | public(Links, "links.")
    todo = calls(tx)
    assert todo.keys() == wanted
    for call in todo.values():
        call()
    statements = {sql: parameters for sql, parameters in seen.items() if not sql.startswith(("BEGIN", "EXPLAIN"))}
    assert len(statements) > 80
    found = {sql: bad for sql, parameters in list(statements.items()) if (bad := scans(tx, sql, parameters))}
    assert found == {}


def test_the_export_reads_the_attempts_once_and_the_rest_by_index(traced: tuple[Tx, dict[str, Any]]) -> None:
    tx, _ = traced
    assert scans(tx, _ROWS, ()) == ["SCAN a"]


def test_a_statement_without_an_index_would_be_noticed(traced: tuple[Tx, dict[str, Any]]) -> None:
    tx, _ = traced
    assert scans(tx, "SELECT * FROM attempts WHERE item = ?", ("x",)) == ["SCAN attempts"]


def test_a_change_of_phase_leaves_the_index_of_slots_alone(traced: tuple[Tx, dict[str, Any]]) -> None:
    tx, _ = traced
    opened = tx._sql.all("EXPLAIN UPDATE sessions SET phase = 'open' WHERE id = ?", ("many",))
    closed = tx._sql.all("EXPLAIN UPDATE sessions SET phase = 'closed', open = 0 WHERE id = ?", ("many",))
    touched = [{row[1] for row in program if row[1] in ("IdxDelete", "IdxInsert")} for program in (opened, closed)]
    assert touched[0] == set()
    assert touched[1] != set()


def test_parameters_have_no_numbers_which_python_3_12_warns_of(traced: tuple[Tx, dict[str, Any]]) -> None:
    tx, seen = traced
    for call in calls(tx).values():
        call()
    assert seen
    assert [statement for statement in seen if re.search(r"\?\d", statement)] == []
