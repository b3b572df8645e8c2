-- The findings database.  Times are seconds since 1970 UTC.  Status is a fold of events; rows of
-- observation and event are only ever appended.
PRAGMA application_id = 0x6f70636f;
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  tool_version TEXT NOT NULL,
  arguments TEXT NOT NULL,
  engine TEXT NOT NULL,
  seed INTEGER NOT NULL,
  jobs INTEGER NOT NULL,
  started INTEGER NOT NULL,
  ended INTEGER,
  end_reason TEXT,
  cases INTEGER NOT NULL DEFAULT 0,
  executions INTEGER NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0,
  seconds_fill REAL NOT NULL DEFAULT 0,
  seconds_reference REAL NOT NULL DEFAULT 0,
  seconds_kernel REAL NOT NULL DEFAULT 0,
  seconds_oracle REAL NOT NULL DEFAULT 0,
  restarts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE backend (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run(id),
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  build TEXT NOT NULL,
  core TEXT NOT NULL,
  path TEXT NOT NULL,
  threads INTEGER NOT NULL,
  UNIQUE (run, name)
) STRICT;
CREATE TABLE finding (
  id INTEGER PRIMARY KEY,
  signature TEXT NOT NULL UNIQUE,
  signature_version INTEGER NOT NULL,
  op TEXT NOT NULL,
  dtype TEXT NOT NULL,
  kind TEXT NOT NULL,
  backend TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'new' CHECK (state IN
    ('new', 'open', 'fixed', 'reopened', 'dup', 'expected', 'invalid', 'upstream')),
  tier TEXT NOT NULL,
  defect TEXT NOT NULL,
  pattern TEXT NOT NULL,
  detail TEXT NOT NULL,
  line TEXT NOT NULL,
  min_line TEXT,
  ratio REAL,
  ulps INTEGER,
  expected TEXT NOT NULL,
  got TEXT NOT NULL,
  bound TEXT NOT NULL,
  flaky INTEGER NOT NULL DEFAULT 0,
  first_run INTEGER NOT NULL REFERENCES run(id),
  last_run INTEGER NOT NULL REFERENCES run(id),
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  hits INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE raw_signature (
  raw TEXT PRIMARY KEY,
  finding INTEGER NOT NULL REFERENCES finding(id)
) STRICT;
CREATE TABLE observation (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run(id),
  finding INTEGER NOT NULL REFERENCES finding(id),
  backend TEXT NOT NULL,
  raw TEXT NOT NULL,
  line TEXT NOT NULL,
  ratio REAL,
  expected TEXT NOT NULL,
  got TEXT NOT NULL,
  seen INTEGER NOT NULL
) STRICT;
CREATE TABLE event (
  id INTEGER PRIMARY KEY,
  finding INTEGER NOT NULL REFERENCES finding(id),
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE artifact (
  id INTEGER PRIMARY KEY,
  finding INTEGER NOT NULL REFERENCES finding(id),
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  made INTEGER NOT NULL
) STRICT;
CREATE TABLE coverage (
  run INTEGER NOT NULL REFERENCES run(id),
  op TEXT NOT NULL,
  dtype TEXT NOT NULL,
  fill TEXT NOT NULL,
  backend TEXT NOT NULL,
  executions INTEGER NOT NULL,
  declined INTEGER NOT NULL,
  vacuous INTEGER NOT NULL,
  undecided INTEGER NOT NULL,
  worst_ratio REAL NOT NULL,
  PRIMARY KEY (run, op, dtype, fill, backend)
) STRICT;
CREATE TABLE ladder (
  run INTEGER NOT NULL REFERENCES run(id),
  op TEXT NOT NULL,
  backend TEXT NOT NULL,
  step INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (run, op, backend, step)
) STRICT;
CREATE INDEX observation_finding ON observation(finding);
CREATE INDEX finding_state ON finding(state);
CREATE VIEW v_open AS
  SELECT id, state, kind, op, dtype, backend, pattern, ratio, hits, coalesce(min_line, line) AS line
  FROM finding WHERE state IN ('new', 'open', 'reopened') ORDER BY id;
CREATE VIEW v_new AS
  SELECT * FROM v_open WHERE id IN
    (SELECT id FROM finding WHERE first_run = (SELECT max(id) FROM run));
CREATE VIEW v_regressed AS
  SELECT id, state, kind, op, dtype, backend, coalesce(min_line, line) AS line
  FROM finding WHERE state = 'reopened' ORDER BY id;
CREATE VIEW v_flaky AS
  SELECT id, state, kind, op, dtype, backend, hits, line FROM finding WHERE flaky ORDER BY id;
CREATE VIEW v_matrix AS
  SELECT c.op, c.backend, sum(c.executions) AS executions,
    (SELECT count(*) FROM v_open f WHERE f.op = c.op AND f.backend = c.backend) AS open_findings,
    max(c.worst_ratio) AS worst_ratio
  FROM coverage c GROUP BY c.op, c.backend ORDER BY c.op, c.backend;
CREATE VIEW v_health AS
  SELECT id AS run, datetime(started, 'unixepoch') AS started, engine, jobs,
    coalesce(end_reason, 'did not end') AS end_reason, cases, executions, restarts,
    round(cases / nullif(seconds, 0)) AS cases_per_second
  FROM run ORDER BY id;
PRAGMA user_version = 1;
