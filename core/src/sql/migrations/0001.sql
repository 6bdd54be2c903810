CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    harness TEXT NOT NULL,
    agent TEXT NOT NULL,
    key TEXT NOT NULL,
    project_hash TEXT,
    last_activity TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_recent ON sessions (last_activity, id);
CREATE INDEX sessions_by_key ON sessions (key, last_activity, id);
CREATE INDEX sessions_by_project ON sessions (project_hash, last_activity, id) WHERE project_hash IS NOT NULL;

CREATE TABLE messages (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    live INTEGER NOT NULL,
    sidechain INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, id)
) STRICT;
CREATE UNIQUE INDEX messages_place ON messages (session, created_at, id);
CREATE UNIQUE INDEX messages_main ON messages (session, created_at, id) WHERE live = 1 AND sidechain = 0;

CREATE TABLE parts (
    session TEXT NOT NULL,
    message TEXT NOT NULL,
    idx INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, message, idx),
    FOREIGN KEY (session, message) REFERENCES messages (session, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE boundaries (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    anchor TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, seq),
    UNIQUE (session, id)
) STRICT;

CREATE TABLE checkpoints (
    id TEXT NOT NULL PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session, seq)
) STRICT;
CREATE INDEX checkpoints_recent ON checkpoints (created_at, id);

CREATE TABLE batches (
    id TEXT NOT NULL PRIMARY KEY,
    committed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX batches_by_age ON batches (committed_at) WHERE committed_at IS NOT NULL;
