"""What was acknowledged is on disk, whenever the program dies."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import Store, Tx
from tests.store.world import NOW, answer, use

ROOT = Path(__file__).parents[2]


def start(path: Path, callers: int, answers: int, *wrapper: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*wrapper, sys.executable, "-m", "tests.store.writer", str(path), str(callers), str(answers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


async def test_the_writer_waits_for_the_disk_at_each_commit(store: Store) -> None:
    full = 2  # source: SQLite documentation, PRAGMA synchronous
    assert await store.run(lambda tx: tx._sql.one("PRAGMA synchronous")) == (full,)
    assert await store.run(lambda tx: tx._sql.one("PRAGMA journal_mode")) == ("wal",)
    assert await store.run(lambda tx: tx._sql.one("PRAGMA foreign_keys")) == (1,)


@pytest.mark.parametrize("acknowledged", [0, 1, 7, 64, 500, 2000])
def test_killed_at_any_moment_it_keeps_every_acknowledged_answer_once(path: Path, acknowledged: int) -> None:
    process = start(path, 16, 1000)
    assert process.stdout is not None
    known: set[tuple[str, int]] = set()
    for line in process.stdout:
        if line.startswith("ack"):
            _, name, position = line.split()
            known.add((name, int(position)))
        if len(known) >= acknowledged and line != "open\n":
            break
    process.kill()
    for line in process.stdout:  # what had left the program before it died
        if re.fullmatch(r"ack s\d+ \d+\n", line):
            _, name, position = line.split()
            known.add((name, int(position)))
    process.communicate()

    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        kept = Counter(db.execute("SELECT session, position FROM attempts").fetchall())
        stands = dict(db.execute("SELECT id, position FROM sessions").fetchall())
    assert known <= kept.keys()
    assert set(kept.values()) <= {1}
    # An answer and the step it caused are one commit: nobody stands beside an answer, none is passed over.
    assert {name: max((p for s, p in kept if s == name), default=-1) + 1 for name in stands} == stands

    def go_on(tx: Tx) -> dict[str, int]:
        return {name: answer(tx, name, tx.learner_of("telegram", name, NOW)) for name in stands}

    assert use(path, go_on) == [stands]


def test_the_disk_is_waited_for_before_each_acknowledgement(path: Path, tmp_path: Path) -> None:
    if not shutil.which("strace"):
        pytest.skip("strace is not installed: whether the disk is waited for cannot be seen")
    trace, answers = tmp_path / "trace", 25
    wrapper = ("strace", "-f", "-e", "trace=fdatasync,fsync,write", "-s", "40", "-o", str(trace))
    process = start(path, 1, answers, *wrapper)
    out, _ = process.communicate("")
    if "done" not in out:
        pytest.skip("strace may not watch a process here: whether the disk is waited for cannot be seen")
    events = re.findall(
        r'write\(1, "(asking|ack) s0 (\d+)\\n"|(f(?:data)?sync)(?:\(\d+\)| resumed>\)) += 0', trace.read_text()
    )
    told = [kind or sync for kind, _, sync in events]
    assert told.count("ack") == answers
    for position, kind in enumerate(told):
        if kind == "ack":
            assert told[position - 1].endswith("sync"), f"acknowledged without a sync: {told[:position]}"


def test_many_who_wait_at_once_share_their_syncs(path: Path, tmp_path: Path) -> None:
    if not shutil.which("strace"):
        pytest.skip("strace is not installed: how often the disk is waited for cannot be seen")
    trace, callers, answers = tmp_path / "trace", 64, 20
    process = start(path, callers, answers, "strace", "-f", "-e", "trace=fdatasync,fsync", "-o", str(trace))
    out, _ = process.communicate("")
    if "done" not in out:
        pytest.skip("strace may not watch a process here: how often the disk is waited for cannot be seen")
    assert out.count("ack") == callers * answers
    assert len(re.findall("sync", trace.read_text())) < callers * answers / 4


def test_on_a_disk_that_is_really_full_nothing_acknowledged_is_lost_and_the_store_recovers(tmp_path: Path) -> None:
    mount = 'mount -t tmpfs -o size=1m tmpfs "$1" && echo mounted && exec "$2" -m tests.store.full_disk "$1"'
    try:
        child = subprocess.run(
            ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh", str(tmp_path), sys.executable],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
    except FileNotFoundError:
        pytest.skip("unshare is not installed: there is no small disk to fill")
    if not child.stdout.startswith("mounted"):
        pytest.skip(f"no small disk can be mounted here: {child.stderr.strip()}")
    assert child.returncode == 0, child.stderr
    found = json.loads(child.stdout.splitlines()[-1])
    assert found.pop("kept") > 0
    assert set(found.pop("reasons")) <= {"full", "io"}  # the shared memory beside the file answers as the disk does
    assert found == {"lost": [], "unasked": [], "recovered": True, "sound": "ok"}
