CREATE TABLE sessions (
  id       TEXT PRIMARY KEY,
  size     INTEGER NOT NULL, -- of the event file when it was read
  modified INTEGER NOT NULL, -- its mtime, ns
  title    TEXT NOT NULL DEFAULT '',
  device   TEXT NOT NULL DEFAULT '',
  platform TEXT NOT NULL DEFAULT '',
  started  INTEGER NOT NULL DEFAULT 0, -- unix ns
  outcome  TEXT NOT NULL DEFAULT '',   -- '' while it runs
  message  TEXT NOT NULL DEFAULT '',   -- of its failure
  duration INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sessions_started ON sessions(started);

CREATE TABLE trails (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  n        INTEGER NOT NULL, -- which trail of the session, from 0
  path     TEXT NOT NULL,
  file     TEXT NOT NULL, -- the path in full
  trail_id TEXT NOT NULL,
  title    TEXT NOT NULL,
  hash     TEXT NOT NULL,
  attempt  INTEGER NOT NULL,
  started  INTEGER NOT NULL,
  outcome  TEXT NOT NULL DEFAULT '',
  message  TEXT NOT NULL DEFAULT '',
  duration INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (session, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX trails_path ON trails(path, started);
CREATE INDEX trails_file ON trails(file, started);
CREATE INDEX trails_id ON trails(trail_id, started);

CREATE TABLE steps (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  trail    INTEGER NOT NULL,
  step     INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  text     TEXT NOT NULL,
  outcome  TEXT NOT NULL,
  message  TEXT NOT NULL,
  started  INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  PRIMARY KEY (session, trail, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE screens (
  session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  seq     INTEGER NOT NULL,
  trail   INTEGER NOT NULL, -- -1 outside trails
  step    INTEGER NOT NULL,
  type    TEXT NOT NULL,    -- snapshot, screenshot
  why     TEXT NOT NULL,
  blob    TEXT NOT NULL,
  PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE calls (
  session  TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  id       TEXT NOT NULL,
  parent   TEXT NOT NULL,
  name     TEXT NOT NULL,
  caller   TEXT NOT NULL,
  role     TEXT NOT NULL,
  trail    INTEGER NOT NULL,
  step     INTEGER NOT NULL,
  failed   INTEGER NOT NULL,
  message  TEXT NOT NULL,
  started  INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_name ON calls(name, started);

CREATE VIRTUAL TABLE texts USING fts5(session UNINDEXED, seq UNINDEXED, what UNINDEXED, text);
