BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'kontrolka','m0001_sessions','2026-11-30 09:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'kontrolka','m0002_time_and_messages','2026-11-30 09:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'kontrolka','m0003_handled_updates','2026-11-30 09:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'kontrolka','m0004_dailies','2026-11-30 09:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'kontrolka','m0005_boards_and_links','2026-11-30 09:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(6,'kontrolka','m0006_crowds','2026-11-30 09:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'kontrolka','m0007_endings','2026-11-30 09:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'kontrolka','m0008_removed_dailies','2026-11-30 09:00:00+00:00');
CREATE TABLE accounts (
            platform TEXT NOT NULL,
            account TEXT NOT NULL,
            learner INTEGER NOT NULL REFERENCES learners (id), linked_at INTEGER,
            PRIMARY KEY (platform, account)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "accounts" VALUES('discord','42',2,NULL);
INSERT INTO "accounts" VALUES('discord','43',3,1796029200123456);
INSERT INTO "accounts" VALUES('telegram','А',1,NULL);
INSERT INTO "accounts" VALUES('telegram','В',3,NULL);
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
INSERT INTO "attempts" VALUES(1,'solo',0,'optimizer-state-missing',1,0,'{"chosen":["a"]}',1,1,1796029200123456,'2026-11-30');
INSERT INTO "attempts" VALUES(2,'solo',1,'shards-of-seven-billion',1,0,'{"chosen":["a"]}',0,1,1796029200123456,'2026-11-30');
INSERT INTO "attempts" VALUES(3,'solo',2,'rank-zero-writes',1,0,'{"chosen":["a"]}',1,2,1796029200123456,'2026-11-30');
INSERT INTO "attempts" VALUES(4,'many',0,'optimizer-state-missing',1,0,'{"chosen":["a"]}',0,1,1796029200123456,'2026-11-30');
INSERT INTO "attempts" VALUES(5,'many',0,'optimizer-state-missing',2,0,'{"chosen":["a"]}',0,1,1796029200123456,'2026-11-30');
INSERT INTO "attempts" VALUES(6,'many',0,'optimizer-state-missing',1,1,'{"chosen":[],"text":"«ё»"}',1,1,1796029202123456,'2026-11-30');
INSERT INTO "attempts" VALUES(7,'done',0,'optimizer-state-missing',1,0,'{"chosen":[]}',0,1,1796029200123456,'2026-11-30');
INSERT INTO "attempts" VALUES(8,'over',0,'optimizer-state-missing',1,0,'{"chosen":["a"]}',0,1,1796029205123456,'2026-11-30');
INSERT INTO "attempts" VALUES(9,'over',0,'optimizer-state-missing',2,0,'{"chosen":["a"]}',1,3,1796029207123456,'2026-11-30');
CREATE TABLE codes (
            digest TEXT PRIMARY KEY,
            learner INTEGER NOT NULL UNIQUE REFERENCES learners (id),
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO "codes" VALUES('0123',1,1796029800123456);
CREATE TABLE crowds (
            session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            joined INTEGER NOT NULL,
            answered INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO "crowds" VALUES('many',0,2,1);
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
        , removed INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "dailies" VALUES(1,2,1,'09:00','Asia/Almaty','[0, 4]','seed','["ru", "en"]',36000,0,0,0,1,'["22:00", "08:00"]',0,'','','2026-12-01',0);
INSERT INTO "dailies" VALUES(2,2,1,'09:00','Asia/Almaty','[0, 4]','seed','["ru", "en"]',36000,0,0,0,1,'["22:00", "08:00"]',0,'','','2026-12-01',1);
CREATE TABLE drafts (
            session TEXT NOT NULL REFERENCES sessions (id),
            position INTEGER NOT NULL,
            learner INTEGER NOT NULL REFERENCES learners (id),
            chosen TEXT NOT NULL, -- json
            PRIMARY KEY (session, position, learner)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "drafts" VALUES('solo',3,1,'["c","a"]');
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
INSERT INTO "due" VALUES(1,'expire','many',1796029262123456,1796029322123456,1,'{}');
INSERT INTO "due" VALUES(2,'daily','place:2',1796115600123456,NULL,0,'{"quiz": "seed"}');
CREATE TABLE handled (
            platform TEXT NOT NULL,
            update_id INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            PRIMARY KEY (platform, update_id)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "handled" VALUES('telegram',902,1796029200123456);
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
INSERT INTO "inbox" VALUES(1,'telegram',900,'А','{"text": "ё"}',1796029200123456,'waiting',NULL);
INSERT INTO "inbox" VALUES(2,'telegram',901,'А','{"text": "ё"}',1796029200123456,'quarantined','it has no chat');
CREATE TABLE items (
            id TEXT PRIMARY KEY,
            fingerprint TEXT NOT NULL,
            first_seen INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO "items" VALUES('async-save','0123456789abcdef',1796029200123456);
CREATE TABLE learners (
            id INTEGER PRIMARY KEY,
            locale TEXT,
            zone TEXT,
            created_at INTEGER NOT NULL
        , hidden INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "learners" VALUES(1,'ru',NULL,1796029200123456,0);
INSERT INTO "learners" VALUES(2,NULL,'Europe/Berlin',1796029200123456,0);
INSERT INTO "learners" VALUES(3,NULL,NULL,1796029200123456,1);
CREATE TABLE names (
            place INTEGER NOT NULL REFERENCES places (id),
            learner INTEGER NOT NULL REFERENCES learners (id),
            name TEXT NOT NULL,
            PRIMARY KEY (place, learner)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "names" VALUES(2,1,'А');
CREATE TABLE participants (
            session TEXT NOT NULL REFERENCES sessions (id),
            learner INTEGER NOT NULL REFERENCES learners (id),
            joined_at INTEGER NOT NULL,
            left_at INTEGER,
            PRIMARY KEY (session, learner)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "participants" VALUES('many',1,1796029200123456,NULL);
INSERT INTO "participants" VALUES('many',2,1796029200123456,1796029203123456);
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
INSERT INTO "places" VALUES(1,'telegram','А','',1,NULL,NULL,'{}',NULL,1796029200123456);
INSERT INTO "places" VALUES(2,'telegram','-100','5',NULL,'ru','Asia/Almaty','{"daily": ["09:00"]}',1796029200123456,1796029200123456);
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
INSERT INTO "posts" VALUES(1,2,'question','many',0,'pending',NULL,NULL,'n0','{}',1796029200123456,NULL);
INSERT INTO "posts" VALUES(2,2,'question','many',1,'sending',NULL,NULL,'n1','{}',1796029200123456,NULL);
INSERT INTO "posts" VALUES(3,2,'question','many',2,'sent','77','p1','n2','{}',1796029200123456,1796029200123456);
INSERT INTO "posts" VALUES(4,2,'question','many',3,'failed',NULL,NULL,'n3','{}',1796029200123456,NULL);
INSERT INTO "posts" VALUES(5,2,'question','many',4,'uncertain',NULL,NULL,'n4','{}',1796029200123456,NULL);
CREATE TABLE reports (
            id INTEGER PRIMARY KEY,
            item TEXT NOT NULL,
            locale TEXT NOT NULL,
            learner INTEGER NOT NULL REFERENCES learners (id),
            text TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
INSERT INTO "reports" VALUES(1,'async-save','ru',1,'опечатка',1796029200123456);
CREATE TABLE runs (
            daily INTEGER NOT NULL REFERENCES dailies (id),
            on_date TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('begun', 'missed', 'skipped', 'empty')),
            session TEXT REFERENCES sessions (id),
            item TEXT,
            at INTEGER NOT NULL,
            PRIMARY KEY (daily, on_date)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "runs" VALUES(1,'2026-11-27','missed',NULL,NULL,1796029200123456);
INSERT INTO "runs" VALUES(1,'2026-11-30','begun','many','async-save',1796029200123456);
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
            plan TEXT NOT NULL, ending TEXT CHECK (ending IN ('finished', 'stopped', 'time_up')), -- json
            CHECK (open = (phase <> 'closed'))
        ) STRICT;
INSERT INTO "sessions" VALUES('solo',1,'solo:1',1,'seed',NULL,1796029200123456,1,3,'asked',NULL,NULL,NULL,NULL,'[]','{"answerers":"host","feedback":"at_once","change":"never","pace":"host","item_limit_s":null,"session_limit_s":null}','["ru"]','[["optimizer-state-missing","c","a","d","b"],["shards-of-seven-billion","c","a","d","b"],["rank-zero-writes","c","a","d","b"],["async-save","c","a","d","b"]]',NULL);
INSERT INTO "sessions" VALUES('many',2,'group',2,'seed','telegram:900',1796029200123456,1,0,'open',1796029200123456,1796029260123456,1796032800123456,1796029209123456,'[1,3]','{"answerers":"everyone","feedback":"on_reveal","change":"until_reveal","pace":"host","item_limit_s":60,"session_limit_s":null}','["ru","en"]','[["optimizer-state-missing","c","a","d","b"],["shards-of-seven-billion","c","a","d","b"],["rank-zero-writes","c","a","d","b"],["async-save","c","a","d","b"]]',NULL);
INSERT INTO "sessions" VALUES('done',1,'solo:1',1,'seed',NULL,1796029200123456,0,0,'closed',NULL,NULL,NULL,NULL,'[]','{"answerers":"host","feedback":"at_end","change":"until_reveal","pace":"host","item_limit_s":null,"session_limit_s":600}','["ru"]','[["optimizer-state-missing","c","a","d","b"],["shards-of-seven-billion","c","a","d","b"],["rank-zero-writes","c","a","d","b"],["async-save","c","a","d","b"]]','stopped');
INSERT INTO "sessions" VALUES('over',2,'past',2,'seed',NULL,1796029200123456,0,0,'closed',1796029200123456,NULL,NULL,NULL,'[]','{"answerers":"everyone","feedback":"on_reveal","change":"until_reveal","pace":"host","item_limit_s":null,"session_limit_s":null}','["ru"]','[["optimizer-state-missing","c","a","d","b"],["shards-of-seven-billion","c","a","d","b"],["rank-zero-writes","c","a","d","b"],["async-save","c","a","d","b"]]','finished');
CREATE TABLE settled ( -- positions of sessions for many that are over and not dropped
            session TEXT NOT NULL REFERENCES sessions (id),
            position INTEGER NOT NULL,
            item TEXT NOT NULL,
            opened_at INTEGER, -- when its question was sent
            PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "settled" VALUES('over',0,'optimizer-state-missing',1796029200123456);
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
INSERT INTO "tallies" VALUES(2,'',1,1,0,1,5000000);
INSERT INTO "tallies" VALUES(2,'',2,3,1,1,7000000);
INSERT INTO "tallies" VALUES(2,'2026-11',1,1,0,1,5000000);
INSERT INTO "tallies" VALUES(2,'2026-11',2,3,1,1,7000000);
INSERT INTO "tallies" VALUES(2,'2026-11-30',1,1,0,1,5000000);
INSERT INTO "tallies" VALUES(2,'2026-11-30',2,3,1,1,7000000);
CREATE TABLE tries (
            id INTEGER PRIMARY KEY,
            learner INTEGER NOT NULL REFERENCES learners (id),
            at INTEGER NOT NULL
        ) STRICT;
INSERT INTO "tries" VALUES(1,1,1796029200123456);
CREATE TABLE voids (
            item TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER CHECK (until > since),
            PRIMARY KEY (item, since)
        ) STRICT, WITHOUT ROWID;
INSERT INTO "voids" VALUES('async-save',1796029200123456,1796032800123456);
INSERT INTO "voids" VALUES('rank-zero-writes',1796029200123456,NULL);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX accounts_learner ON accounts (learner);
CREATE INDEX places_private_to ON places (private_to) WHERE private_to IS NOT NULL;
CREATE UNIQUE INDEX sessions_slot ON sessions (place, slot) WHERE open = 1;
CREATE UNIQUE INDEX sessions_origin ON sessions (origin) WHERE origin IS NOT NULL;
CREATE INDEX sessions_place ON sessions (place);
CREATE INDEX sessions_host ON sessions (host);
CREATE INDEX participants_learner ON participants (learner);
CREATE INDEX attempts_learner ON attempts (learner);
CREATE INDEX drafts_learner ON drafts (learner);
CREATE INDEX due_ready ON due (coalesce(claimed_until, at));
CREATE INDEX due_subject ON due (subject);
CREATE INDEX posts_message ON posts (place, message);
CREATE INDEX posts_poll ON posts (poll) WHERE poll IS NOT NULL;
CREATE INDEX posts_session ON posts (session);
CREATE INDEX posts_state ON posts (state, created_at);
CREATE INDEX inbox_state ON inbox (state, platform);
CREATE INDEX inbox_key ON inbox (platform, key);
CREATE INDEX reports_learner ON reports (learner);
CREATE INDEX handled_received ON handled (received_at);
CREATE INDEX dailies_place ON dailies (place);
CREATE INDEX dailies_owner ON dailies (owner);
CREATE UNIQUE INDEX runs_session ON runs (session) WHERE session IS NOT NULL;
CREATE INDEX names_learner ON names (learner);
CREATE INDEX settled_item ON settled (item);
CREATE INDEX tallies_learner ON tallies (learner);
CREATE INDEX codes_until ON codes (until);
CREATE INDEX tries_learner ON tries (learner);
CREATE INDEX tries_at ON tries (at);
COMMIT;
