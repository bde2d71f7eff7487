"""No local date is asked twice or passed over, whatever a moderator and the clock do, in whatever order."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from bot.quiz import Phase, Step
from bot.store import Daily, Due, PostState, Run, Tx
from bot.store.connection import Sql, connect
from bot.tutor import adopt, claim, fire
from bot.tutor.daily import (
    MISSED,
    NOTICE,
    break_place,
    keep,
    next_runs,
    post_now,
    remove,
    schedule_of,
)
from tests.store.world import use
from tests.tutor.desk import bank_of, single

BANK = bank_of(single("one-a"), single("two-b"), single("three-c"))

BEGINNINGS = [  # an ordinary evening, and those before clocks change in Berlin and in Santiago
    datetime(2026, 11, 29, 18, 0, tzinfo=UTC),
    datetime(2026, 10, 24, 18, 0, tzinfo=UTC),
    datetime(2027, 3, 27, 18, 0, tzinfo=UTC),
    datetime(2026, 9, 5, 18, 0, tzinfo=UTC),
]
ZONES = ["UTC", "Europe/Berlin", "America/Santiago", "Pacific/Kiritimati", "Pacific/Honolulu"]
TIMES = [time(0, 30), time(2, 30), time(6, 30), time(7, 0), time(9, 0), time(23, 30)]
QUIET = [None, (time(22), time(8)), (time(23), time(7)), (time(20), time(9))]

SCHEDULE = st.one_of(
    st.fixed_dictionaries({"at": st.sampled_from(TIMES)}),
    st.fixed_dictionaries({"zone": st.sampled_from(ZONES)}),
    st.fixed_dictionaries({"weekdays": st.frozensets(st.integers(0, 6), min_size=1)}),
)
OTHER = st.one_of(
    st.fixed_dictionaries({"quiet": st.sampled_from(QUIET)}),
    st.fixed_dictionaries({"pin": st.booleans()}),
    st.fixed_dictionaries({"open_s": st.sampled_from([600, 36000, 3 * 86400])}),
)
MINUTES = st.one_of(st.integers(1, 150), st.sampled_from([24 * 60, 3 * 24 * 60]), st.integers(150, 30 * 60))


class Dates(RuleBasedStateMachine):
    """A daily question, its moderator, the ticker, and a list of the dates that are owed to the place."""

    def __init__(self, fresh: Path) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = self.stack.enter_context(tempfile.TemporaryDirectory())
        db = self.stack.enter_context(closing(connect(Path(shutil.copy(fresh, folder)))))
        db.execute("BEGIN")
        self.tx = Tx(Sql(db))
        self.owed: set[date] = set()
        self.broken_away: set[date] = set()
        self.claimed: list[Due] = []
        self.sessions = 0

    def teardown(self) -> None:
        try:
            if hasattr(self, "number"):
                self.now = max(self.now, self.latest) + timedelta(hours=3)
                self.tick()
                assert self.owed <= self.recorded.keys()
        finally:
            self.stack.close()

    # --- what is the case

    @property
    def daily(self) -> Daily:
        daily = self.tx.dailies.get(self.number)
        assert daily is not None
        return daily

    @property
    def running(self) -> bool:
        return not self.daily.paused and not self.daily.broken

    @property
    def recorded(self) -> dict[date, Run]:
        return {run.on: run for run in self.tx.dailies.runs(self.number, 999)}

    @property
    def due(self) -> tuple[date, datetime] | None:
        row = self.tx.due.of("daily", f"place:{self.place}:daily:{self.number}")
        if row is None:
            return None
        return date.fromisoformat(row.payload["on"]), datetime.fromisoformat(row.payload["due"])

    # --- what happens

    @initialize(now=st.sampled_from(BEGINNINGS), at=st.sampled_from(TIMES), zone=st.sampled_from(ZONES))
    def set_up(self, now: datetime, at: time, zone: str) -> None:
        adopt(self.tx, BANK, now)
        self.place = self.tx.place_of("telegram", "-100", at=now).id
        moderator = self.tx.learner_of("telegram", "7", now)
        self.tx.place_of("telegram", "7", at=now, private_to=moderator)
        self.now = self.latest = now
        wish = Daily(0, self.place, moderator, at, zone, frozenset(range(7)), "all", ("en",), 600)
        self.number = keep(self.tx, wish, now).id

    @rule(minutes=MINUTES)
    def time_passes(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)
        if self.due is not None:
            runs = chain([self.due], schedule_of(self.daily).runs(self.due[1]))
            self.owed |= {on for on, _ in takewhile(lambda run: run[1] <= self.now, runs)} - self.recorded.keys()
        self.latest = max(self.latest, self.now)

    @rule()
    def the_next_run_comes(self) -> None:
        if (runs := next_runs(self.tx, self.daily, self.now, 1)) and runs[0][1] > self.now:
            self.time_passes(-(-(runs[0][1] - self.now) // timedelta(minutes=1)))

    @rule(minutes=st.integers(1, 120))
    def the_clock_is_set_back(self, minutes: int) -> None:
        self.now -= timedelta(minutes=minutes)
        self.owed.clear()
        self.time_passes(0)

    @rule()
    def tick(self) -> None:
        for _ in range(9):
            self.rows_are_claimed()
            if not self.claimed:
                return
            self.rows_are_carried_out()
        raise AssertionError("the ticker never comes to rest")

    @rule()
    def rows_are_claimed(self) -> None:
        self.claimed += [row for row in claim(self.tx, self.now) if row.kind == "daily"]

    @rule()
    def rows_are_carried_out(self) -> None:
        for row in self.claimed:
            self.sessions += 1
            step = fire(self.tx, BANK, row, self.now, f"s{self.sessions}")
            if isinstance(step, Step):
                assert step.session.phase is Phase.ASKED
        self.claimed = []

    @rule(change=OTHER)
    def a_setting_is_changed(self, change: dict[str, Any]) -> None:
        keep(self.tx, replace(self.daily, **change), self.now)

    @rule(change=SCHEDULE)
    def the_schedule_is_changed(self, change: dict[str, Any]) -> None:
        keep(self.tx, replace(self.daily, **change), self.now)
        if self.due is not None:
            on, moment = self.due
            hour = schedule_of(self.daily).moment(on)
            assert moment == hour or max(moment, hour) <= self.now
            if moment > self.now:
                self.owed.discard(on)  # moved to a later hour

    @rule()
    def it_is_paused(self) -> None:
        keep(self.tx, replace(self.daily, paused=True), self.now)

    @rule()
    def the_place_breaks(self) -> None:
        before = self.recorded
        told = bool(break_place(self.tx, self.place, "kicked", self.now))
        self.broken_away |= self.owed & (self.recorded.keys() - before.keys())
        assert told or self.recorded == before

    @rule()
    def it_is_started(self) -> None:
        keep(self.tx, replace(self.daily, paused=False, broken=""), self.now)

    @rule()
    def the_next_is_skipped_or_not(self) -> None:
        daily = self.daily
        runs = next_runs(self.tx, daily, self.now, 1)
        keep(self.tx, replace(daily, skip=None if daily.skip else runs[0][0]), self.now)

    @rule()
    def it_is_posted_now(self) -> None:
        self.sessions += 1
        post_now(self.tx, BANK, self.daily, self.now, f"s{self.sessions}")

    @rule()
    def it_is_removed_and_set_up_anew(self) -> None:
        self.check_what_was_asked()
        old = self.daily
        remove(self.tx, old)
        self.number = keep(self.tx, replace(old, id=0, paused=False, broken="", skip=None), self.now).id
        assert self.number > old.id
        self.owed.clear()

    # --- what holds

    @invariant()
    def check_what_was_asked(self) -> None:
        """Every session has its date, and every date that was begun its session."""
        begun = {run.session for run in self.recorded.values() if run.state == "begun"}
        asked = [self.tx.session(f"s{n}") for n in range(self.sessions + 1)]
        slots = [session.slot for session in asked if session is not None]
        assert len(slots) == len(set(slots))
        assert begun == {s.id for s in asked if s is not None and s.slot.startswith(f"daily:{self.number}:")}

    @invariant()
    def no_date_is_passed_over(self) -> None:
        """What should have happened is recorded, or the ticker will come to it."""
        lost = self.owed - self.recorded.keys()
        if lost:
            assert self.due is not None
            assert self.due[0] <= min(lost)

    @invariant()
    def the_next_date_is_due(self) -> None:
        """While it runs, the first date that has no run yet is due; otherwise nothing is."""
        if not self.running:
            assert self.due is None
        elif self.now == self.latest and not self.owed - self.recorded.keys():
            runs = schedule_of(self.daily).runs(self.now)
            assert self.due == next(run for run in runs if run[0] not in self.recorded)

    @invariant()
    def what_was_missed_is_told(self) -> None:
        told = [post.payload for post in self.tx.posts.in_state(PostState.PENDING) if post.kind == NOTICE]
        spans = [(note["on"], note["until"]) for note in told if note["news"] == MISSED]
        for on, run in self.recorded.items():
            if run.state == "missed" and on not in self.broken_away:
                assert any(first <= on.isoformat() <= last for first, last in spans)


def test_no_date_is_asked_twice_or_passed_over(tmp_path: Path) -> None:
    fresh = tmp_path / "fresh.db"
    use(fresh)
    run_state_machine_as_test(lambda: Dates(fresh), settings=settings(stateful_step_count=30))
