CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    harness TEXT NOT NULL,
    agent TEXT NOT NULL,
    key TEXT NOT NULL,
    project_hash TEXT,
    last_activity TEXT NOT NULL,
    version INTEGER NOT NULL,
    cleared_at TEXT,
    state_at TEXT,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_recent ON sessions (last_activity, id);
CREATE INDEX sessions_by_key ON sessions (key, last_activity, id);
CREATE INDEX sessions_by_project ON sessions (project_hash, last_activity, id) WHERE project_hash IS NOT NULL;
CREATE INDEX sessions_by_state ON sessions (state_at) WHERE state_at IS NOT NULL;

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
    kind TEXT NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session, seq)
) STRICT;
CREATE INDEX checkpoints_recent ON checkpoints (created_at, id);

CREATE TABLE pending_checkpoints (
    session TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    due_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX pending_checkpoints_due ON pending_checkpoints (due_at, session);
CREATE INDEX pending_checkpoints_by_age ON pending_checkpoints (created_at);

CREATE TABLE deliveries (
    receiver TEXT NOT NULL,
    checkpoint TEXT NOT NULL REFERENCES checkpoints (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    harness TEXT NOT NULL,
    agent TEXT NOT NULL,
    key TEXT NOT NULL,
    offered_at TEXT NOT NULL,
    delivered_at TEXT,
    PRIMARY KEY (receiver, checkpoint)
) STRICT;
CREATE INDEX deliveries_of_checkpoint ON deliveries (checkpoint);
CREATE INDEX deliveries_by_age ON deliveries (offered_at);

CREATE TABLE batches (
    id TEXT NOT NULL PRIMARY KEY,
    committed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX batches_by_age ON batches (committed_at) WHERE committed_at IS NOT NULL;
