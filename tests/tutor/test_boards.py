"""Boards say what a recount of the facts would say, whatever has happened, and who is on them has a fair rank."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.quiz import (
    LEARN,
    Answer,
    Join,
    Leave,
    Next,
    Opened,
    Pace,
    Policy,
    Response,
    Reveal,
    Skip,
    Step,
    Stop,
    daily,
    group,
)
from bot.store import Place, Tally, Tx
from bot.tutor import (
    Board,
    Period,
    act,
    begin,
    board,
    everybody,
    hide,
    rank,
    set_least_answers,
    set_ties_by_time,
    solo_slot,
    unlink,
)
from tests.tutor.desk import NOON, at, bank_of, multiple, single
from tests.tutor.ledger import kept, ledger, recounted, undone

CASE = Path(__file__).parent / "cases" / "71-leaderboard-ties.json"
BANK = bank_of(single("one"), multiple("two"), single("three"))
ITEMS = ("one", "two", "three")
RESPONSES = {"one": ("a", "b"), "two": ("a", "ac", "ab"), "three": ("a", "b")}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tx]:
    with ledger(tmp_path_factory.mktemp("boards") / "kontrolka.db") as tx:
        yield tx


@pytest.fixture
def tx(book: Tx) -> Iterator[Tx]:
    with undone(book):
        yield book


def play(
    tx: Tx,
    place: Place,
    answers: dict[int, str],
    *,
    session: str = "s",
    when: datetime = NOON,
    policy: Policy | None = None,
    slot: str = "group",
    over: bool = True,
    after_s: dict[int, float] | None = None,
) -> None:
    """A group session of the first item: who answers what, and how many seconds after the question was sent."""
    host = next(iter(answers))
    policy = policy or group()
    moment = lambda learner: when + timedelta(seconds=(after_s or {}).get(learner, 1))  # noqa: E731
    begun = begin(
        tx, BANK, session=session, place=place.id, slot=slot, host=host, quiz=("one", "three"), policy=policy,
        locales=("en",), at=when,
    )  # fmt: skip
    assert isinstance(begun, Step)
    act(tx, BANK, session, Opened(by=None, position=0, at=when))
    for learner, option in answers.items():
        answer = Answer(by=learner, position=0, at=moment(learner), response=Response((option,)))
        step = act(tx, BANK, session, answer)
        assert step is not None
        assert step.attempt is not None
    if over:
        act(tx, BANK, session, Stop(by=host, at=when + timedelta(minutes=1)))


def people(tx: Tx, *names: str, place: Place | None = None) -> list[int]:
    found = [tx.learner_of("telegram", name, NOON) for name in names]
    if place is not None:
        for learner, name in zip(found, names, strict=True):
            tx.set_name(place.id, learner, name)
    return found


def room(tx: Tx, zone: str | None = None, thread: str = "", chat: str = "-1") -> Place:
    place = tx.place_of("telegram", chat, thread, at=NOON)
    tx.set_place(replace(place, zone=zone))
    return replace(place, zone=zone)


def asked(tx: Tx, place: Place, asker: int = 0, period: Period = Period.ALL, when: datetime = NOON) -> Board:
    return board(tx, place, asker, period, when, 0)


def lines(board: Board) -> list[tuple[int, str, Fraction]]:
    return [(standing.rank, standing.name, standing.score) for standing in board.top]


# --- ranking: case 71


def case() -> list[Tally]:
    return [
        Tally(number, Fraction(entry["points"]), entry.get("answered", 1), timedelta(seconds=entry["time_s"]))
        for number, entry in enumerate(json.loads(CASE.read_text())["scores"], 1)
        if entry.get("answered", 1)
    ]


def test_equal_scores_share_a_rank_and_the_next_one_is_left_out() -> None:
    found = [(f"u{s.learner}", s.rank) for s in rank(case(), by_time=False)]
    assert found == [("u2", 1), ("u3", 2), ("u1", 2), ("u5", 2), ("u4", 5)]


def test_time_breaks_ties_only_if_the_place_chose_so() -> None:
    found = [(f"u{s.learner}", s.rank) for s in rank(case(), by_time=True)]
    assert found == [("u2", 1), ("u3", 2), ("u1", 3), ("u5", 3), ("u4", 5)]


@given(st.lists(st.tuples(st.fractions(0, 9, max_denominator=12), st.integers(1, 3), st.integers(0, 3)), max_size=15))
def test_a_rank_is_one_more_than_how_many_are_ahead(drawn: list[tuple[Fraction, int, int]]) -> None:
    tallies = [Tally(i, score, answers, timedelta(seconds=took)) for i, (score, answers, took) in enumerate(drawn)]
    for by_time in (False, True):
        for standing in rank(tallies, by_time=by_time, least=2):
            ahead = [
                t
                for t in tallies
                if t.answers >= 2
                and (t.score > standing.score or (by_time and t.score == standing.score and t.took < standing.took))
            ]
            assert standing.rank == len(ahead) + 1
    assert rank(reversed(tallies), by_time=False) == rank(tallies, by_time=False)


def test_a_cut_shows_the_whole_tie_and_the_asker_below_it(tx: Tx) -> None:
    place = room(tx)
    learners = people(tx, *(f"P{i}" for i in range(14)), place=place)
    play(tx, place, {learner: "a" if i < 12 else "b" for i, learner in enumerate(learners)})
    found = asked(tx, place, learners[13])
    assert [standing.rank for standing in found.top] == [1] * 12
    assert found.people == 14
    assert found.own is not None
    assert (found.own.rank, found.own.name, found.own.score) == (13, "P13", 0)


# --- what a board covers


def test_what_was_answered_counts_when_it_was_revealed_and_not_before(tx: Tx) -> None:
    place = room(tx)
    a, b = people(tx, "A", "B", place=place)
    play(tx, place, {a: "a", b: "b"}, over=False)
    assert lines(asked(tx, place)) == []
    act(tx, BANK, "s", Reveal(by=a, position=0, at=at(9)))
    assert lines(asked(tx, place)) == [(1, "A", 1), (2, "B", 0)]


def test_the_answer_that_ends_the_question_counts_with_the_others(tx: Tx) -> None:
    place = room(tx)
    a, b = people(tx, "A", "B", place=place)
    begin(
        tx, BANK, session="s", place=place.id, slot="group", host=a, quiz=("one",),
        policy=group(pace=Pace.ALL_ANSWERED), locales=("en",), at=NOON,
    )  # fmt: skip
    act(tx, BANK, "s", Join(by=b, at=NOON))
    for learner in (a, b):
        act(tx, BANK, "s", Answer(by=learner, position=0, at=at(2), response=Response(("a",))))
    assert lines(asked(tx, place)) == [(1, "A", 1), (1, "B", 1)]


def test_whoever_plays_alone_in_a_place_is_on_no_board(tx: Tx) -> None:
    place = room(tx)
    (a,) = people(tx, "A", place=place)
    play(tx, place, {a: "a"}, policy=LEARN, slot=solo_slot(a))
    assert lines(asked(tx, place)) == []


def test_a_daily_question_counts(tx: Tx) -> None:
    place = room(tx)
    a, b = people(tx, "A", "B", place=place)
    play(tx, place, {a: "a", b: "b"}, policy=daily(60), slot="daily:1:2026-11-30")
    assert lines(asked(tx, place)) == [(1, "A", 1), (2, "B", 0)]


def test_weeks_and_months_go_by_the_local_dates_of_the_place(tx: Tx) -> None:
    place = room(tx, "Asia/Almaty")
    a, b, c = people(tx, "A", "B", "C", place=place)
    sunday = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)  # 23:00 in Almaty
    monday = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)  # 01:00 on Monday there
    tuesday = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)  # 1 December there
    for session, learner, when in (("s1", a, sunday), ("s2", b, monday), ("s3", c, tuesday)):
        play(tx, place, {learner: "a"}, session=session, when=when)
    week, month = asked(tx, place, period=Period.WEEK, when=tuesday), asked(tx, place, period=Period.MONTH, when=monday)
    assert (week.since, [name for _, name, _ in lines(week)]) == (date(2026, 11, 30), ["B", "C"])
    assert (month.since, [name for _, name, _ in lines(month)]) == (date(2026, 11, 1), ["A", "B"])
    assert [name for _, name, _ in lines(asked(tx, place))] == ["A", "B", "C"]
    from_sunday = board(tx, place, a, Period.WEEK, monday, 6)
    assert (from_sunday.since, [name for _, name, _ in lines(from_sunday)]) == (date(2026, 11, 29), ["A", "B", "C"])


def test_a_chat_has_its_threads_on_its_board_and_a_thread_only_itself(tx: Tx) -> None:
    chat, thread, other = room(tx), room(tx, thread="7"), room(tx, chat="-2")
    a, b, c = people(tx, "A", "B", "C")
    for i, (place, learner, name) in enumerate(((chat, a, "A"), (thread, b, "B"), (other, c, "C"))):
        tx.set_name(place.id, learner, name)
        play(tx, place, {learner: "a"}, session=f"s{i}")
    assert [name for _, name, _ in lines(asked(tx, chat))] == ["A", "B"]
    assert [name for _, name, _ in lines(asked(tx, thread))] == ["B"]
    assert [name for _, name, _ in lines(asked(tx, other))] == ["C"]


# --- what a place and a person choose


def test_a_place_may_ask_for_more_answers_and_for_time(tx: Tx) -> None:
    place = room(tx)
    a, b, c = people(tx, "A", "B", "C", place=place)
    play(tx, place, {a: "a", b: "a"}, session="s1", after_s={a: 9, b: 2})
    play(tx, place, {a: "b", b: "b", c: "a"}, session="s2")
    assert [rank for rank, _, _ in lines(asked(tx, place))] == [1, 1, 1]
    set_ties_by_time(tx, place, True)
    assert [(rank, name) for rank, name, _ in lines(asked(tx, place))] == [(1, "C"), (2, "B"), (3, "A")]
    set_least_answers(tx, place, 2)
    found = asked(tx, place, c)
    assert [(rank, name) for rank, name, _ in lines(found)] == [(1, "B"), (2, "A")]
    assert found.own is None
    set_least_answers(tx, place, 1)
    set_ties_by_time(tx, place, False)
    assert tx.chat_of(place).settings == {}


def test_whoever_hides_is_gone_everywhere_at_once_and_can_come_back(tx: Tx) -> None:
    place, other = room(tx), room(tx, chat="-2")
    a, b = people(tx, "A", "B", place=place)
    for name, where in (("s1", place), ("s2", other)):
        play(tx, where, {a: "a", b: "b"}, session=name)
    hide(tx, a, True)
    for where in (place, other):
        found = asked(tx, where, a)
        assert [(s.rank, s.learner) for s in found.top] == [(1, b)]
        assert (found.own, found.hidden, found.people) == (None, True, 1)
    assert tx.names_of(place.id, [a, b]) == {b: "B"}
    assert [s.learner for s in everybody(tx, place, Period.ALL, NOON, 0)] == [b]
    hide(tx, a, False)
    assert lines(asked(tx, place)) == [(1, "A", 1), (2, "B", 0)]


def test_a_hidden_person_is_not_on_the_final_board_of_a_session(tx: Tx) -> None:
    place = room(tx)
    a, b = people(tx, "A", "B", place=place)
    hide(tx, a, True)
    play(tx, place, {b: "b", a: "a"}, over=False)
    step = act(tx, BANK, "s", Stop(by=b, at=at(60)))
    assert step is not None
    assert [dict(effect.scores) for effect in step.effects if hasattr(effect, "scores")] == [{b: 0}]


def test_a_person_who_is_being_forgotten_is_gone_after_the_first_slice(tx: Tx) -> None:
    place = room(tx)
    a, b = people(tx, "A", "B", place=place)
    for number in range(3):
        play(tx, place, {a: "a", b: "b"}, session=f"s{number}")
    assert tx.forget_some(a, limit=1)
    assert tx.learner(a) is not None
    assert [s.learner for s in asked(tx, place).top] == [b]
    while tx.forget_some(a, limit=1):
        pass
    assert [s.learner for s in asked(tx, place).top] == [b]
    assert kept(tx) == recounted(tx)


def test_a_renamed_person_has_the_new_name_and_one_without_a_name_none(tx: Tx) -> None:
    place = room(tx)
    a, b = people(tx, "A", "B")
    tx.set_name(place.id, a, "A")
    play(tx, place, {a: "a", b: "b"})
    tx.set_name(place.id, a, "Б")
    assert lines(asked(tx, place)) == [(1, "Б", 1), (2, "", 0)]


def test_what_was_answered_in_a_session_that_a_move_closes_counts(tx: Tx) -> None:
    group_chat, supergroup = room(tx), room(tx, chat="-2")
    a, b = people(tx, "A", "B", place=group_chat)
    play(tx, group_chat, {a: "a"}, session="kept", over=False)
    play(tx, supergroup, {b: "a"}, session="closed", over=False)
    tx.move_place(group_chat.id, "-2")
    assert [s.learner for s in asked(tx, replace(group_chat, chat="-2")).top] == [b]
    assert kept(tx) == recounted(tx)


# --- boards against a recount


KINDS = ("host", "joined", "all", "daily", "alone")
OTHERS = ("void", "void", "good", "undo", "drop", "forget", "merge", "merge", "split", "move", "wait")
COMMANDS = ("join", "leave", "reveal", "next", "skip", "stop", "open")


def drawn(dice: Any) -> tuple[Any, ...]:
    """Something that may happen; most of the time somebody plays."""
    who, place, number, item = dice.randrange(5), dice.randrange(4), dice.randrange(10), dice.randrange(3)
    answers = [(dice.randrange(5), dice.randrange(3)) for _ in range(dice.randrange(1, 7))]
    match dice.choice(("round", "round", "answers", "steer", "command", "other")):
        case "round":
            return ("round", place, who, dice.choice(KINDS), answers, dice.choice(("stop", "reveal", "")))
        case "answers":
            return ("answers", number, answers)
        case "steer":
            return ("steer", number, dice.choice(("reveal", "next", "stop")))
        case "command":
            return (dice.choice(COMMANDS), number, who)
    match dice.choice(OTHERS):
        case "void":
            return ("void", item, dice.choice((0, 0, 30, 3000)))
        case "good" | "undo" as what:
            return (what, item)
        case "drop":
            return ("drop", number, item)
        case "forget" | "split" as what:
            return (what, who)
        case "merge":
            return ("merge", who, dice.randrange(5))
        case "move":
            return ("move", place, dice.randrange(4))
    return ("wait", dice.randrange(1, 40))


def hidden(tx: Tx) -> set[int]:
    return {row[0] for row in tx._sql.all("SELECT id FROM learners WHERE hidden = 1")}


class World:
    """Four places, five accounts, and what may happen to them."""

    def __init__(self, tx: Tx) -> None:
        self.tx, self.now, self.sessions, self.answered = tx, NOON, [], set[tuple[int, int]]()
        self.places = [room(tx, chat=str(-number)).id for number in range(4)]

    def learner(self, number: int) -> int:
        return self.tx.learner_of("telegram", f"P{number}", self.now)

    def begin(self, place: int, host: int, kind: str) -> None:
        host = self.learner(host)
        policy, slot = {
            "host": (group(), "group"),
            "joined": (group(open_to_all=False), "group"),
            "all": (group(pace=Pace.ALL_ANSWERED), "group"),
            "daily": (daily(3600), f"daily:1:{len(self.sessions)}"),
            "alone": (LEARN, solo_slot(host)),
        }[kind]
        name = f"s{len(self.sessions)}"
        begun = begin(
            self.tx, BANK, session=name, place=self.places[place], slot=slot, host=host,
            quiz=("one",) if kind == "daily" else ITEMS, policy=policy, locales=("en",), at=self.now,
        )  # fmt: skip
        if isinstance(begun, Step):
            self.sessions.append(name)

    def command(self, what: str, number: int, who: int, choice: int = 0) -> None:
        session = self.tx.session(self.sessions[number % len(self.sessions)]) if self.sessions else None
        if session is None:
            return
        by, position, moment = self.learner(who), session.position, self.now
        options = RESPONSES[session.item]
        made = {
            "answer": lambda: Answer(
                by=by, position=position, at=moment, response=Response(tuple(options[choice % len(options)]))
            ),
            "join": lambda: Join(by=by, at=moment),
            "leave": lambda: Leave(by=by, at=moment),
            "reveal": lambda: Reveal(by=by, position=position, at=moment),
            "next": lambda: Next(by=by, position=position, at=moment),
            "skip": lambda: Skip(by=by, position=position, at=moment),
            "stop": lambda: Stop(by=by, at=moment),
            "open": lambda: Opened(by=None, position=position, at=moment),
        }[what]()
        step = act(self.tx, BANK, session.id, made)
        if step is not None and step.attempt is not None and not session.policy.solo:
            self.answered.add((session.place, step.attempt.learner))

    def round(self, place: int, host: int, kind: str, answers: list[tuple[int, int]], end: str) -> None:
        """Begin something, have it answered, and perhaps end it; a session that is in the way is answered instead."""
        self.begin(place, host, kind)
        self.answers(-1, answers)
        if end:
            self.steer(-1, end)

    def answers(self, number: int, answers: list[tuple[int, int]]) -> None:
        for who, choice in answers:
            self.command("answer", number, who, choice)

    def steer(self, number: int, what: str) -> None:
        """Reveal, go on or stop in the name of the host, so that sessions get somewhere."""
        session = self.tx.session(self.sessions[number % len(self.sessions)]) if self.sessions else None
        if session is not None:
            by, position, moment = session.host, session.position, self.now
            commands = {
                "reveal": Reveal(by=by, position=position, at=moment),
                "next": Next(by=by, position=position, at=moment),
                "stop": Stop(by=by, at=moment),
            }
            act(self.tx, BANK, session.id, commands[what])

    def do(self, what: str, *more: Any) -> None:
        self.now += timedelta(seconds=5)
        match what, more:
            case "round", _:
                self.round(*more)
            case "answers", _ if self.sessions:
                self.answers(*more)
            case "steer", (number, choice):
                self.steer(number, choice)
            case "void", (item, hours):
                self.tx.add_void(ITEMS[item], self.now - timedelta(hours=hours, minutes=1))
            case "undo", (item,):
                self.tx.undo_void(ITEMS[item])
            case "good", (item,):
                self.tx.close_void(ITEMS[item], self.now)
            case "drop", (number, position) if self.sessions:
                session = self.tx.session(self.sessions[number % len(self.sessions)])
                if session is not None and position < len(session.plan):
                    self.tx.save_session(session, replace(session, dropped=session.dropped | {position}))
            case "forget", (who,):
                learner = self.learner(who)
                while self.tx.forget_some(learner, 2):
                    assert [where for where, _, whom in kept(self.tx) if whom == learner] == [] or learner in hidden(
                        self.tx
                    )
                assert self.tx.learner(learner) is None
            case "merge", (one, other) if self.learner(one) != self.learner(other):
                source, target = self.learner(one), self.learner(other)
                self.tx.links.merge(source, target, self.now)
                self.answered = {(place, target if who == source else who) for place, who in self.answered}
            case "split", (who,):
                unlink(self.tx, self.learner(who), "telegram", f"P{who}", self.now)
            case "move", (one, other) if self.places[one] != self.places[other]:
                target, source = self.places[one], self.places[other]
                found = self.tx.place(source)
                assert found is not None
                self.tx.move_place(target, found.chat)
                self.places = [target if place == source else place for place in self.places]
                self.answered = {(target if place == source else place, who) for place, who in self.answered}
            case "wait", (hours,):
                self.now += timedelta(hours=hours)
            case _ if what in ("join", "leave", "reveal", "next", "skip", "stop", "open"):
                self.command(what, *more)


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=True))
def test_boards_say_what_a_recount_says_and_score_nobody_twice_and_no_outsider(book: Tx, dice: Any) -> None:
    with undone(book):
        world = World(book)
        for _ in range(60):
            world.do(*drawn(dice))
            wanted = recounted(book)
            assert kept(book) == wanted
            for number in set(world.places):
                place = book.place(number)
                assert place is not None
                standings = everybody(book, place, Period.ALL, world.now, 0)
                learners = [standing.learner for standing in standings]
                assert len(set(learners)) == len(learners)
                assert {(number, learner) for learner in learners} <= world.answered
                assert {s.learner: (s.score, s.answers) for s in standings} == {
                    learner: found
                    for (where, period, learner), found in wanted.items()
                    if (where, period) == (number, "")
                }
