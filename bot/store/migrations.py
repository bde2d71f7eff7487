"""The schema, step by step. A migration that has been released is never changed; the next one is added below it.

Tables are STRICT and are made nowhere else. Moments are INTEGER microseconds since 1970 UTC, dates ISO text, `json`
in a comment means text that SQLite's JSON functions can read.
"""

from __future__ import annotations

from pathlib import Path

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from bot.store.connection import Corrupt

migrations = Migrations("kontrolka")


class TooNew(Exception):  # noqa: N818 it reads as what is the case
    """The file was written by a newer program; nothing was changed in it."""

    def __init__(self, path: Path, unknown: list[str]) -> None:
        self.path = path
        super().__init__(
            f"{path}: the file was written by a newer kontrolka (it has {', '.join(unknown)}): "
            "install that version again, or restore the backup made before the upgrade"
        )


@migrations()
def m0001_sessions(db: Database) -> None:
    """Learners, places, sessions, attempts, and what is known of items."""
    db.executescript("""
        CREATE TABLE learners (
            id INTEGER PRIMARY KEY,
            locale TEXT,
            zone TEXT,
            created_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE accounts (
            platform TEXT NOT NULL,
            account TEXT NOT NULL,
            learner INTEGER NOT NULL REFERENCES learners (id),
            PRIMARY KEY (platform, account)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX accounts_learner ON accounts (learner);

        CREATE TABLE places (
            id INTEGER PRIMARY KEY,
            platform TEXT NOT NULL,
            chat TEXT NOT NULL,
            thread TEXT NOT NULL, -- empty: none
            private_to INTEGER REFERENCES learners (id), -- the only person who reads here
            locale TEXT,
            zone TEXT,
            settings TEXT NOT NULL, -- json
            unreachable_at INTEGER,
            created_at INTEGER NOT NULL,
            UNIQUE (platform, chat, thread)
        ) STRICT;
        CREATE INDEX places_private_to ON places (private_to) WHERE private_to IS NOT NULL;

        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            place INTEGER NOT NULL REFERENCES places (id),
            slot TEXT NOT NULL,
            host INTEGER NOT NULL REFERENCES learners (id),
            quiz TEXT NOT NULL,
            origin TEXT, -- what started it
            created_at INTEGER NOT NULL,
            open INTEGER NOT NULL, -- beside phase, so that a change of phase leaves the index of slots alone
            position INTEGER NOT NULL,
            phase TEXT NOT NULL,
            opened_at INTEGER,
            deadline INTEGER,
            ends_at INTEGER,
            paused_at INTEGER,
            dropped TEXT NOT NULL, -- json
            policy TEXT NOT NULL, -- json
            locales TEXT NOT NULL, -- json
            plan TEXT NOT NULL, -- json
            CHECK (open = (phase <> 'closed'))
        ) STRICT;
        CREATE UNIQUE INDEX sessions_slot ON sessions (place, slot) WHERE open = 1;
        CREATE UNIQUE INDEX sessions_origin ON sessions (origin) WHERE origin IS NOT NULL;
        CREATE INDEX sessions_place ON sessions (place);
        CREATE INDEX sessions_host ON sessions (host);

        CREATE TABLE participants (
            session TEXT NOT NULL REFERENCES sessions (id),
            learner INTEGER NOT NULL REFERENCES learners (id),
            joined_at INTEGER NOT NULL,
            left_at INTEGER,
            PRIMARY KEY (session, learner)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX participants_learner ON participants (learner);

        CREATE TABLE attempts ( -- append-only
            id INTEGER PRIMARY KEY,
            session TEXT NOT NULL REFERENCES sessions (id),
            position INTEGER NOT NULL,
            item TEXT NOT NULL,
            learner INTEGER NOT NULL REFERENCES learners (id),
            revision INTEGER NOT NULL,
            response TEXT NOT NULL, -- json
            grade_n INTEGER NOT NULL,
            grade_d INTEGER NOT NULL CHECK (grade_n BETWEEN 0 AND grade_d AND grade_d > 0),
            at INTEGER NOT NULL,
            on_date TEXT NOT NULL,
            UNIQUE (session, position, learner, revision)
        ) STRICT;
        CREATE INDEX attempts_learner ON attempts (learner);

        CREATE TABLE drafts (
            session TEXT NOT NULL REFERENCES sessions (id),
            position INTEGER NOT NULL,
            learner INTEGER NOT NULL REFERENCES learners (id),
            chosen TEXT NOT NULL, -- json
            PRIMARY KEY (session, position, learner)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX drafts_learner ON drafts (learner);

        CREATE TABLE voids (
            item TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER CHECK (until > since),
            PRIMARY KEY (item, since)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE items (
            id TEXT PRIMARY KEY,
            fingerprint TEXT NOT NULL,
            first_seen INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
    """)


@migrations()
def m0002_time_and_messages(db: Database) -> None:
    """What is due, posts, the inbox, reports."""
    db.executescript("""
        CREATE TABLE due (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            at INTEGER NOT NULL,
            claimed_until INTEGER,
            attempts INTEGER NOT NULL, -- how often it was claimed
            payload TEXT NOT NULL, -- json
            UNIQUE (kind, subject)
        ) STRICT;
        CREATE INDEX due_ready ON due (coalesce(claimed_until, at));
        CREATE INDEX due_subject ON due (subject);

        CREATE TABLE posts (
            id INTEGER PRIMARY KEY,
            place INTEGER NOT NULL REFERENCES places (id),
            kind TEXT NOT NULL,
            session TEXT REFERENCES sessions (id),
            position INTEGER,
            state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'sent', 'failed', 'uncertain')),
            message TEXT,
            poll TEXT,
            nonce TEXT,
            payload TEXT NOT NULL, -- json
            created_at INTEGER NOT NULL,
            sent_at INTEGER
        ) STRICT;
        CREATE INDEX posts_message ON posts (place, message);
        CREATE INDEX posts_poll ON posts (poll) WHERE poll IS NOT NULL;
        CREATE INDEX posts_session ON posts (session);
        CREATE INDEX posts_state ON posts (state, created_at);

        CREATE TABLE inbox (
            id INTEGER PRIMARY KEY,
            platform TEXT NOT NULL,
            update_id INTEGER NOT NULL,
            key TEXT NOT NULL,
            body TEXT NOT NULL,
            received_at INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'quarantined')),
            problem TEXT,
            UNIQUE (platform, update_id)
        ) STRICT;
        CREATE INDEX inbox_state ON inbox (state, platform);
        CREATE INDEX inbox_key ON inbox (platform, key);

        CREATE TABLE reports (
            id INTEGER PRIMARY KEY,
            item TEXT NOT NULL,
            locale TEXT NOT NULL,
            learner INTEGER NOT NULL REFERENCES learners (id),
            text TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX reports_learner ON reports (learner);
    """)


@migrations()
def m0003_handled_updates(db: Database) -> None:
    """Which updates have had their effect: a platform may deliver one again, however long ago that was."""
    db.executescript("""
        CREATE TABLE handled (
            platform TEXT NOT NULL,
            update_id INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            PRIMARY KEY (platform, update_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX handled_received ON handled (received_at);
    """)


@migrations()
def m0004_dailies(db: Database) -> None:
    """Daily questions, what happened on each date, and the names people have in a place."""
    db.executescript("""
        CREATE TABLE dailies (
            id INTEGER PRIMARY KEY,
            place INTEGER NOT NULL REFERENCES places (id),
            owner INTEGER NOT NULL REFERENCES learners (id),
            at TEXT NOT NULL,
            zone TEXT NOT NULL,
            weekdays TEXT NOT NULL, -- json
            quiz TEXT NOT NULL,
            locales TEXT NOT NULL, -- json
            open_s INTEGER NOT NULL,
            reply INTEGER NOT NULL,
            silent INTEGER NOT NULL,
            pin INTEGER NOT NULL,
            names INTEGER NOT NULL,
            quiet TEXT, -- json
            paused INTEGER NOT NULL,
            broken TEXT NOT NULL,
            next_item TEXT NOT NULL,
            skip TEXT
        ) STRICT;
        CREATE INDEX dailies_place ON dailies (place);
        CREATE INDEX dailies_owner ON dailies (owner);

        CREATE TABLE runs (
            daily INTEGER NOT NULL REFERENCES dailies (id),
            on_date TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('begun', 'missed', 'skipped', 'empty')),
            session TEXT REFERENCES sessions (id),
            item TEXT,
            at INTEGER NOT NULL,
            PRIMARY KEY (daily, on_date)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX runs_session ON runs (session) WHERE session IS NOT NULL;

        CREATE TABLE names (
            place INTEGER NOT NULL REFERENCES places (id),
            learner INTEGER NOT NULL REFERENCES learners (id),
            name TEXT NOT NULL,
            PRIMARY KEY (place, learner)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX names_learner ON names (learner);
    """)


@migrations()
def m0005_boards_and_links(db: Database) -> None:
    """What people earned in a place, who is not to be shown, and accounts that belong to one person."""
    db.executescript("""
        ALTER TABLE learners ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0; -- on boards and where names are listed
        ALTER TABLE accounts ADD COLUMN linked_at INTEGER; -- null: the first one of the learner

        CREATE TABLE settled ( -- positions of sessions for many that are over and not dropped
            session TEXT NOT NULL REFERENCES sessions (id),
            position INTEGER NOT NULL,
            item TEXT NOT NULL,
            opened_at INTEGER, -- when its question was sent
            PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX settled_item ON settled (item);

        CREATE TABLE tallies ( -- what the attempts at settled positions add up to
            place INTEGER NOT NULL REFERENCES places (id),
            period TEXT NOT NULL, -- a local date, a month, or empty: all time
            learner INTEGER NOT NULL REFERENCES learners (id),
            grade_d INTEGER NOT NULL,
            grade_n INTEGER NOT NULL,
            answers INTEGER NOT NULL,
            took INTEGER NOT NULL, -- microseconds from the question to the answer
            PRIMARY KEY (place, period, learner, grade_d)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tallies_learner ON tallies (learner);

        CREATE TABLE codes (
            digest TEXT PRIMARY KEY,
            learner INTEGER NOT NULL UNIQUE REFERENCES learners (id),
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX codes_until ON codes (until);

        CREATE TABLE tries (
            id INTEGER PRIMARY KEY,
            learner INTEGER NOT NULL REFERENCES learners (id),
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX tries_learner ON tries (learner);
        CREATE INDEX tries_at ON tries (at);

        INSERT INTO settled (session, position, item, opened_at)
        SELECT s.id, planned.key, json_extract(planned.value, '$[0]'), NULL
        FROM sessions AS s JOIN json_each(s.plan) AS planned
        WHERE json_extract(s.policy, '$.answerers') <> 'host'
            AND planned.key < s.position + (s.phase IN ('revealed', 'closed'))
            AND planned.key NOT IN (SELECT value FROM json_each(s.dropped));

        INSERT INTO tallies (place, period, learner, grade_d, grade_n, answers, took)
        SELECT s.place, substr(a.on_date, 1, span.value), a.learner, a.grade_d, sum(a.grade_n), count(*), 0
        FROM settled AS x
            JOIN attempts AS a ON a.session = x.session AND a.position = x.position
            JOIN sessions AS s ON s.id = x.session
            JOIN json_each('[10, 7, 0]') AS span
        WHERE NOT EXISTS (
                SELECT 1 FROM attempts AS later
                WHERE later.session = a.session AND later.position = a.position AND later.learner = a.learner
                    AND later.revision > a.revision
            )
            AND NOT EXISTS (
                SELECT 1 FROM voids AS v
                WHERE v.item = a.item AND v.since <= a.at AND (v.until IS NULL OR a.at < v.until)
            )
        GROUP BY 1, 2, 3, 4;
    """)


@migrations()
def m0006_crowds(db: Database) -> None:
    """How many take part in a session and have answered its present question, counted on; a missing row is counted."""
    db.executescript("""
        CREATE TABLE crowds (
            session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            joined INTEGER NOT NULL,
            answered INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
    """)


@migrations()
def m0007_endings(db: Database) -> None:
    """How a session ended: it could not always be told from where it stood, and then a result lost its last item.

    Of a session of one person with a limit for the whole that was stopped by an earlier program, nobody knows that.
    """
    db.executescript("""
        ALTER TABLE sessions ADD COLUMN ending TEXT CHECK (ending IN ('finished', 'stopped', 'time_up')); -- null: open

        UPDATE sessions SET ending = CASE
            WHEN json_array_length(plan) - 1 IN (SELECT value FROM json_each(dropped)) THEN 'finished'
            WHEN json_extract(policy, '$.answerers') <> 'host'
                THEN iif(position = json_array_length(plan) - 1, 'finished', 'stopped')
            WHEN EXISTS (
                SELECT 1 FROM attempts AS a
                WHERE a.session = sessions.id AND a.position = json_array_length(sessions.plan) - 1
            ) THEN 'finished'
            WHEN ends_at IS NULL THEN 'stopped'
            ELSE 'time_up'
        END
        WHERE open = 0;
    """)


@migrations()
def m0008_removed_dailies(db: Database) -> None:
    """A daily question that is removed keeps its id. Before, the next one could get it, and with it the slot of a
    question that is still open: such a question gets a slot of its own.
    """
    db.executescript("""
        ALTER TABLE dailies ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;

        UPDATE sessions SET slot = 'daily:0:' || id
        WHERE open = 1 AND slot LIKE 'daily:%' AND id NOT IN (SELECT session FROM runs WHERE session IS NOT NULL);
    """)


def names() -> list[str]:
    """Every migration this program knows, oldest first; the version of a file is how many of them it has."""
    return [migration.name for migration in migrations._migrations]  # no public list in sqlite-utils 4.2


def version(path: Path, db: Database) -> int:
    """How many migrations a file has.

    Returns:
        0 for a new, empty file.

    Raises:
        TooNew: It has migrations this program does not know.
        Corrupt: It is an SQLite file of another program.
    """
    applied = [migration.name for migration in migrations.applied(db)]
    known = names()
    if unknown := [name for name in applied if name not in known]:
        raise TooNew(path, unknown)
    if not applied and set(db.table_names()) - {Migrations.migrations_table}:
        raise Corrupt(path, "this is a data file of another program")
    return len(applied)
