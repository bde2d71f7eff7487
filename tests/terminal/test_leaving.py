"""Leaving at any moment, in any way: the next run goes on at the right question, nothing is lost or doubled."""

from __future__ import annotations

import fcntl
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pexpect
import pytest

from bot.quiz import Phase
from bot.store import Tx, info
from bot.tutor import EXPIRE
from tests.program import ROOT, WAIT_S, environment, kontrolka, now, solo, stored

BANK = {"KONTROLKA_CONTENT": str(Path(__file__).parent / "bank")}
RIGHT = "dbcabcad"
PAGE = 4096
"""Bytes of a pipe that holds one page: Linux's smallest."""


class Process:
    """The program with both its ends in our hands, to be killed where we want."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.data = home / "kontrolka.db"
        self._out, self._in = os.pipe()
        fcntl.fcntl(self._in, fcntl.F_SETPIPE_SZ, PAGE)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot", "play", "--lang", "en", *arguments],
            stdin=subprocess.PIPE,
            stdout=self._in,
            env=environment(home),
            cwd=ROOT,
        )
        self.seen = b""

    def until(self, words: str) -> str:
        """Read what is printed until these words; gives all that was read."""
        while words.encode() not in self.seen:
            assert select.select([self._out], [], [], WAIT_S)[0], self.seen
            self.seen += os.read(self._out, PAGE)
        text, self.seen = self.seen.decode(), b""
        return text

    def type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def deafen(self, echoed: str) -> None:
        """Let nothing but this line be printed further: the pipe is empty now, and has just that room afterwards."""
        os.write(self._in, b"." * (PAGE - len(f"{echoed}\n".encode())))

    def until_attempts(self, wanted: int) -> None:
        """Look into the file from outside until so many attempts are in it."""
        patience = time.monotonic() + WAIT_S
        while (found := info(self.data).rows["attempts"]) != wanted:
            assert found < wanted
            assert time.monotonic() < patience

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(WAIT_S)
        assert self._process.stdin is not None
        self._process.stdin.close()
        os.close(self._in)
        os.close(self._out)


@contextmanager
def running(home: Path, *arguments: str) -> Iterator[Process]:
    process = Process(home, *arguments)
    try:
        yield process
    finally:
        process.kill()


def test_kill_9_at_every_question_before_and_after_the_feedback_loses_and_doubles_nothing(tmp_path: Path) -> None:
    for position, letter in enumerate(RIGHT):
        with running(tmp_path) as process:  # killed between the commit and the feedback, which nobody reads
            asked = process.until("Your answer (A–D): ")
            assert f"Question {position + 1} of 8" in asked
            assert ("Continuing with" in asked) == (position > 0)
            process.deafen(letter)
            process.type(letter)
            process.until_attempts(position + 1)
        with running(tmp_path) as process:  # shown again with its question, and killed after the feedback was read
            told = process.until("continue, q")
            assert f"question {position + 1} of 8" in " ".join(told.split())
            assert "Right." in told
            assert "← your answer, right" in told
            if position + 1 < len(RIGHT):
                process.type("")
                process.until("Your answer (A–D): ")
    ran = kontrolka(tmp_path, "play", "--lang", "en", typed=["", ""])
    assert "Result: 8 points out of 8 (100%)." in ran.words
    assert info(tmp_path / "kontrolka.db").rows["attempts"] == 8
    assert info(tmp_path / "kontrolka.db").open_sessions == 0


@pytest.mark.parametrize("phase", ["asked", "answered"])
def test_q_and_the_end_of_input_keep_the_place(phase: str, tmp_path: Path) -> None:
    typed = ["d", "", "b"] if phase == "answered" else ["d", ""]
    left = kontrolka(tmp_path, "play", "--lang", "en", typed=typed)
    assert (left.code, left.err) == (0, "")
    assert "Your place is saved" in left.out
    came_back = kontrolka(tmp_path, "play", "--lang", "en", typed=["q"])
    assert "question 2 of 8. To start over: --fresh" in came_back.words
    assert came_back.out.count("Question 2 of 8") == 1
    assert ("Right." in came_back.words) == (phase == "answered")
    _, attempts = stored(tmp_path / "kontrolka.db", solo)
    assert [a.response.chosen for a in attempts] == ([("d",), ("b",)] if phase == "answered" else [("d",)])


@pytest.mark.parametrize("leave", ["Ctrl-C", "Ctrl-C twice", "Ctrl-D", "q", "й"])
def test_leaving_at_a_terminal_keeps_the_place_and_complains_about_nothing(leave: str, tmp_path: Path) -> None:
    program = pexpect.spawn(
        sys.executable,
        ["-m", "bot", "play", "--lang", "en"],
        env=environment(tmp_path),
        cwd=str(ROOT),
        encoding="utf-8",
        dimensions=(40, 72),
        timeout=WAIT_S,
    )
    program.expect(r"Your answer \(A–D\): ")
    program.sendline("a")
    program.expect("Enter — continue, q — quit: ")
    match leave:
        case "Ctrl-C":
            program.sendintr()
        case "Ctrl-C twice":
            program.sendintr()
            program.sendintr()
        case "Ctrl-D":
            program.sendeof()
        case _:
            program.sendline(leave)
    program.expect(pexpect.EOF)
    program.close()
    assert program.signalstatus is None
    assert program.exitstatus in ((0, 130) if leave == "Ctrl-C twice" else (0,))
    said = " ".join(program.before.replace("^C", " ").removeprefix(leave).split())
    assert said == "Your place is saved: next time you will continue from here."
    session, attempts = stored(tmp_path / "kontrolka.db", solo)
    assert session is not None
    assert (session.position, session.phase, len(attempts)) == (0, Phase.REVEALED, 1)


def test_sigterm_keeps_what_was_answered(tmp_path: Path) -> None:
    with running(tmp_path) as process:
        process.until("Your answer (A–D): ")
        process.type("a")
        process.until("continue, q")
        process._process.send_signal(signal.SIGTERM)
        process._process.wait(WAIT_S)
    _, attempts = stored(tmp_path / "kontrolka.db", solo)
    assert [a.response.chosen for a in attempts] == [("a",)]


def test_fresh_stops_the_old_session_and_begins_anew(tmp_path: Path) -> None:
    kontrolka(tmp_path, "play", "--lang", "en", typed=["d", ""])
    ran = kontrolka(tmp_path, "play", "--lang", "en", "--fresh", typed=["b", "q"])
    assert "Question 1 of 8" in ran.words
    assert "Continuing with" not in ran.words
    session, attempts = stored(tmp_path / "kontrolka.db", solo)
    assert session is not None
    assert [a.response.chosen for a in attempts] == [("b",)]
    assert info(tmp_path / "kontrolka.db").rows["attempts"] == 2


ASKED_FOR = "What you asked for was not begun: “Four kinds of items” is open, at question 2 of 4. To stop it and begin"


@pytest.mark.parametrize(
    "arguments",
    [
        ["english"],
        ["wide"],
        ["kind-single"],
        ["kinds", "--mode", "exam"],
        ["--mode", "exam"],
        ["--minutes", "9"],
        ["--mistakes"],
    ],
)
def test_whoever_asks_for_something_else_is_told_that_it_was_not_begun(arguments: list[str], tmp_path: Path) -> None:
    """Another quiz simply went on, and `--fresh` was said to start it over."""
    more = {**BANK, "KONTROLKA_LANG": "en"}
    kontrolka(tmp_path, "play", "kinds", typed=["b", "", "q"], more=more)
    ran = kontrolka(tmp_path, "play", *arguments, typed=["q"], more=more)
    assert ran.words.startswith(ASKED_FOR)
    assert "Question 2 of 4" in ran.words
    begun = kontrolka(tmp_path, "play", *arguments, "--fresh", typed=["q"], more=more)
    assert "Question 2 of 4" not in begun.words
    session, _ = stored(tmp_path / "kontrolka.db", solo)
    assert session is not None
    assert session.position == 0


@pytest.mark.parametrize("arguments", [["kinds"], ["kinds", "--mode", "learn"], [], ["--mode", "learn"]])
def test_whoever_asks_for_what_is_open_goes_on_with_it(arguments: list[str], tmp_path: Path) -> None:
    more = {**BANK, "KONTROLKA_LANG": "en"}
    kontrolka(tmp_path, "play", "kinds", typed=["b", "", "q"], more=more)
    ran = kontrolka(tmp_path, "play", *arguments, typed=["q"], more=more)
    assert ran.words.startswith("Continuing with “Four kinds of items”, question 2 of 4. To start over: --fresh")


def test_whoever_asks_for_nothing_is_told_what_would_begin_instead(tmp_path: Path) -> None:
    """`--fresh` was said to start over what was open, and began the first quiz of the bank."""
    more = {**BANK, "KONTROLKA_LANG": "en"}
    kontrolka(tmp_path, "play", "english", typed=["q"], more=more)
    ran = kontrolka(tmp_path, "play", typed=["q"], more=more)
    assert ran.words.startswith(
        "Continuing with “A quiz without Russian”, question 1 of 1. To stop it and begin “Four kinds of items”: --fresh"
    )
    kontrolka(tmp_path, "play", "kind-single", "--fresh", typed=["q"], more=more)
    single = kontrolka(tmp_path, "play", typed=["q"], more=more)
    assert single.words.startswith(
        "Continuing with question 1 of 1. To stop here and begin “Four kinds of items”: --fresh"
    )
    asked = kontrolka(tmp_path, "play", "kinds", typed=["q"], more=more)
    assert asked.words.startswith("What you asked for was not begun: another quiz is open, at question 1 of 1.")
    kontrolka(tmp_path, "play", "wide", "--fresh", typed=["q"], more=more)
    module = kontrolka(tmp_path, "play", "wide", typed=["q"], more=more)
    assert module.words.startswith("Continuing with “Wide and combining characters”, question 1 of 1.")


def test_practising_mistakes_goes_on_though_some_are_right_now(tmp_path: Path) -> None:
    more = {**BANK, "KONTROLKA_LANG": "en"}
    kontrolka(tmp_path, "play", "kinds", typed=["b", "", "x", "", "1", "", "b", "", ""], more=more)
    kontrolka(tmp_path, "play", "--mistakes", typed=["a c", "", "q"], more=more)
    ran = kontrolka(tmp_path, "play", "--mistakes", typed=["q"], more=more)
    assert ran.words.startswith("Continuing with “Practising mistakes”, question 2 of 3. To start over: --fresh")


def test_fresh_with_nothing_to_ask_leaves_the_open_session_open(tmp_path: Path) -> None:
    kontrolka(tmp_path, "play", "kinds", "--lang", "ru", typed=["ac", ""], more=BANK)
    ran = kontrolka(tmp_path, "play", "english", "--lang", "ru", "--fresh", more=BANK)
    assert ran.code == 1
    session, attempts = stored(tmp_path / "kontrolka.db", solo)
    assert session is not None
    assert (session.position, len(attempts)) == (1, 1)


def test_another_language_in_the_next_run_goes_on_in_that_language(tmp_path: Path) -> None:
    kontrolka(tmp_path, "play", "--lang", "ru", typed=["d"])
    ran = kontrolka(tmp_path, "play", "--lang", "en", typed=["", "q"])
    assert "Continuing with “Sharded checkpoints and resumable training: eight questions”" in ran.words
    assert "Right." in ran.words
    assert "Which extra state" in ran.words
    assert not any("а" <= letter <= "я" for letter in ran.out.casefold())


def test_a_session_continues_in_the_only_language_its_items_have(tmp_path: Path) -> None:
    kontrolka(tmp_path, "play", "english", "--lang", "en", typed=["q"], more=BANK)
    ran = kontrolka(tmp_path, "play", "--lang", "ru", typed=["a", ""], more=BANK)
    assert "Продолжаем «A quiz without Russian»" in ran.words
    assert "Is this in English only?" in ran.words
    assert "Верно." in ran.words


# --- the clock


def _out_of_time(tx: Tx) -> None:
    session, _ = solo(tx)
    assert session is not None
    past = now() - timedelta(hours=1)
    tx.save_session(session, replace(session, ends_at=past))
    tx.due.schedule(EXPIRE, session.id, past)


def test_exam_whose_time_ran_out_meanwhile_is_closed_with_the_score_so_far(tmp_path: Path) -> None:
    exam = ("play", "--lang", "en", "--mode", "exam", "--minutes", "30")
    kontrolka(tmp_path, *exam, typed=["d", "", "b", "", "a"])
    stored(tmp_path / "kontrolka.db", _out_of_time)
    ran = kontrolka(tmp_path, *exam, typed=["r", ""])
    opening = "Time is up. Quiz finished. Result: 2 points out of 8 (25%). 6 mistakes:"
    assert ran.words.startswith(opening)
    assert "3. What is the main benefit of resumable training for a long job? Your answer: A. It removes" in ran.words
    assert "8. A sharded checkpoint loader supports a new rank layout." in ran.words
    assert ran.code == 0
    assert "What you asked for" not in ran.words
    afterwards = kontrolka(tmp_path, *exam, typed=["q"])
    assert "Question 1 of 8" in afterwards.out
    assert "Time is up" not in afterwards.out


def test_what_was_asked_for_when_the_time_of_something_else_ran_out_is_said_not_to_have_begun(tmp_path: Path) -> None:
    kontrolka(tmp_path, "play", "--lang", "en", "--mode", "exam", "--minutes", "30", typed=["d", "q"])
    stored(tmp_path / "kontrolka.db", _out_of_time)
    ran = kontrolka(tmp_path, "play", "why", "--lang", "en", typed=[""])
    assert "Time is up." in ran.words
    assert "What you asked for has not begun yet: run the same command again." in ran.words


def test_time_left_goes_on_running_in_the_next_run(tmp_path: Path) -> None:
    kontrolka(tmp_path, "play", "--lang", "en", "--mode", "exam", "--minutes", "30", typed=["d", "", "q"])
    before, _ = stored(tmp_path / "kontrolka.db", solo)
    kontrolka(tmp_path, "play", "--lang", "en", typed=["b", "", "q"])
    after, _ = stored(tmp_path / "kontrolka.db", solo)
    assert before is not None
    assert after is not None
    assert before.ends_at == after.ends_at
    assert before.ends_at is not None
    assert after.position == 2


# --- several programs


def test_second_program_on_the_same_file_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        first.until("Your answer (A–D): ")
        second = kontrolka(tmp_path, "play", "--lang", "en")
        assert second.code == 2
        assert f"The data file {tmp_path / 'kontrolka.db'} is in use by another Kontrolka." in second.words + second.err
        first.type("d")
        assert "Right." in first.until("continue, q")


def test_item_gone_from_the_bank_is_passed_over_and_said_once(tmp_path: Path) -> None:
    bank = Path(shutil.copytree(BANK["KONTROLKA_CONTENT"], tmp_path / "bank"))
    more = {"KONTROLKA_CONTENT": str(bank), "KONTROLKA_LANG": "en"}
    kontrolka(tmp_path, "play", "kinds", typed=["ac", "", "q"], more=more)
    deck = bank / "mixed" / "1-kinds.toml"
    head, *items = deck.read_text().split("[[item]]")
    kept = [item for item in items if 'id = "kind-text"' not in item]
    assert len(kept) == 3
    deck.write_text("[[item]]".join([head, *kept]))
    ran = kontrolka(tmp_path, "play", typed=["2.5", "", "b", ""], more=more)
    assert ran.out.count("1 question was withdrawn in the meantime and does not count.") == 1
    assert "Result: 3 points out of 3 (100%)." in ran.words


def test_changed_key_under_an_old_id_stops_the_start(tmp_path: Path) -> None:
    bank = Path(shutil.copytree(BANK["KONTROLKA_CONTENT"], tmp_path / "bank"))
    more = {"KONTROLKA_CONTENT": str(bank), "KONTROLKA_LANG": "en"}
    kontrolka(tmp_path, "play", "kinds", typed=["q"], more=more)
    deck = bank / "mixed" / "1-kinds.toml"
    deck.write_text(deck.read_text().replace('key = ["b"]', 'key = ["a"]'))
    ran = kontrolka(tmp_path, "play", typed=["q"], more=more)
    assert ran.code == 2
    assert "The key or the options of known items changed: kind-single." in ran.err
    assert "Give the changed items new ids" in ran.err
