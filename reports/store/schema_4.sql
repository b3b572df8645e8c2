-- Version 4: hits by run, so that merging twice counts once; events with an identity, folded into
-- the columns of a finding; known issues; what came of running a finding again; nights.
CREATE TABLE hit (
  finding INTEGER NOT NULL REFERENCES finding(id),
  run INTEGER NOT NULL REFERENCES run(id),
  hits INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  PRIMARY KEY (finding, run)
) STRICT;
CREATE INDEX hit_run ON hit(run);
INSERT INTO hit SELECT finding, run, count(*), min(seen), max(seen) FROM observation GROUP BY finding, run;
INSERT OR IGNORE INTO hit SELECT id, last_run, 0, last_seen, last_seen FROM finding;
UPDATE hit SET hits = hits + (SELECT f.hits FROM finding f WHERE f.id = finding) -
  (SELECT sum(h.hits) FROM hit h WHERE h.finding = hit.finding)
  WHERE run = (SELECT last_run FROM finding WHERE id = finding);

ALTER TABLE event ADD COLUMN uuid TEXT NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
UPDATE event SET uuid = lower(hex(randomblob(16))), sequence = id;
INSERT INTO event (finding, actor, kind, payload, at, uuid, sequence)
  SELECT id, 'opconform', 'state', json_object('state', state), last_seen, lower(hex(randomblob(16))), 1
  FROM finding WHERE state <> 'new';
CREATE UNIQUE INDEX event_uuid ON event(uuid);
CREATE INDEX event_finding ON event(finding);
-- Events that set a state and were not undone; the one at place 1 holds.
CREATE VIEW v_standing AS
  SELECT e.*, row_number() OVER (PARTITION BY finding ORDER BY at DESC, sequence DESC, uuid DESC) AS place
  FROM event e WHERE e.kind = 'state' AND NOT EXISTS (SELECT 1 FROM event u WHERE u.finding = e.finding AND
    u.kind = 'undo' AND json_extract(u.payload, '$.event') = e.uuid);

-- Where the bad elements of the first case lie, and how far off they are.
ALTER TABLE finding ADD COLUMN picture TEXT;
ALTER TABLE finding ADD COLUMN picture_ulps TEXT;
-- Of the minimal case: bad elements, all elements, and the place of the worst one in row-major order.
ALTER TABLE finding ADD COLUMN bad INTEGER;
ALTER TABLE finding ADD COLUMN total INTEGER;
ALTER TABLE finding ADD COLUMN worst INTEGER;
-- Facets of the signature that its minimal case does not show.
ALTER TABLE finding ADD COLUMN needed TEXT;
ALTER TABLE finding ADD COLUMN reason TEXT;
ALTER TABLE finding ADD COLUMN owner TEXT;
ALTER TABLE finding ADD COLUMN link TEXT;
ALTER TABLE finding ADD COLUMN expires TEXT;
ALTER TABLE finding ADD COLUMN dup_of TEXT;

-- Findings that look alike are shown beside each other.
CREATE INDEX finding_alike ON finding(op, kind, defect, pattern);
CREATE TABLE known (
  id INTEGER PRIMARY KEY,
  match TEXT NOT NULL,
  reason TEXT NOT NULL,
  owner TEXT NOT NULL,
  link TEXT,
  expires TEXT NOT NULL,
  source TEXT NOT NULL
) STRICT;
CREATE TABLE suppression (
  finding INTEGER PRIMARY KEY REFERENCES finding(id),
  known INTEGER NOT NULL REFERENCES known(id)
) STRICT;
CREATE INDEX suppression_known ON suppression(known);

CREATE TABLE outcome (
  finding INTEGER NOT NULL REFERENCES finding(id),
  run INTEGER NOT NULL REFERENCES run(id),
  backend TEXT NOT NULL,
  version TEXT NOT NULL,
  setting TEXT NOT NULL DEFAULT '',
  tries INTEGER NOT NULL,
  diverged INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (finding, run, backend, setting)
) STRICT;
CREATE TABLE night (
  run INTEGER PRIMARY KEY REFERENCES run(id),
  uuid TEXT NOT NULL UNIQUE,
  started INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  open INTEGER NOT NULL,
  fresh INTEGER NOT NULL,
  regressed INTEGER NOT NULL,
  fixed INTEGER NOT NULL,
  flaky INTEGER NOT NULL,
  suppressed INTEGER NOT NULL
) STRICT;

-- Programs that have a construct: how often they ran, were refused, and showed something.
CREATE TABLE construct (
  run INTEGER NOT NULL REFERENCES run(id),
  op TEXT NOT NULL,
  construct TEXT NOT NULL,
  backend TEXT NOT NULL,
  executions INTEGER NOT NULL,
  declined INTEGER NOT NULL,
  findings INTEGER NOT NULL,
  PRIMARY KEY (run, op, construct, backend)
) STRICT, WITHOUT ROWID;
CREATE VIEW v_construct AS
  SELECT op, construct, backend, sum(executions) AS executions, sum(declined) AS declined,
    sum(findings) AS findings,
    CASE WHEN sum(executions) > 0 THEN 'run' WHEN sum(declined) > 0 THEN 'refused' ELSE 'not met' END AS status
  FROM construct GROUP BY op, construct, backend ORDER BY op, construct, backend;

DROP VIEW v_matrix;
-- Most of what a run leaves: half the room without a second copy of its keys.
CREATE TABLE coverage_without_rowid (
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
) STRICT, WITHOUT ROWID;
INSERT INTO coverage_without_rowid SELECT * FROM coverage;
DROP TABLE coverage;
ALTER TABLE coverage_without_rowid RENAME TO coverage;
CREATE TABLE ladder_without_rowid (
  run INTEGER NOT NULL REFERENCES run(id),
  op TEXT NOT NULL,
  backend TEXT NOT NULL,
  step INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (run, op, backend, step)
) STRICT, WITHOUT ROWID;
INSERT INTO ladder_without_rowid SELECT * FROM ladder;
DROP TABLE ladder;
ALTER TABLE ladder_without_rowid RENAME TO ladder;
DROP VIEW v_new;
DROP VIEW v_open;
-- What a finding counts as today: one that is expected is so until its day, by itself or by a known
-- issue that matches it.
CREATE VIEW v_state AS
  SELECT f.id, CASE
    WHEN f.state = 'expected' AND f.expires < date('now') THEN 'open'
    WHEN f.state IN ('new', 'open', 'reopened') AND k.expires >= date('now') THEN 'expected'
    ELSE f.state END AS state
  FROM finding f LEFT JOIN suppression s ON s.finding = f.id LEFT JOIN known k ON k.id = s.known;
CREATE VIEW v_open AS
  SELECT f.id, v.state, f.kind, f.op, f.dtype, f.backend, f.pattern, f.ratio, f.hits,
    coalesce(f.min_line, f.line) AS line
  FROM finding f JOIN v_state v ON v.id = f.id
  WHERE v.state IN ('new', 'open', 'reopened') AND f.kind <> 'POLICY' ORDER BY f.id;
CREATE VIEW v_new AS
  SELECT * FROM v_open WHERE id IN
    (SELECT id FROM finding WHERE first_run = (SELECT max(id) FROM run
      WHERE engine NOT IN ('bisect', 'nightly')));
CREATE VIEW v_matrix AS
  SELECT c.op, c.backend, c.executions, coalesce(f.findings, 0) AS open_findings, c.worst_ratio
  FROM (SELECT op, backend, sum(executions) AS executions, max(worst_ratio) AS worst_ratio
    FROM coverage GROUP BY op, backend) c
  LEFT JOIN (SELECT op, backend, count(*) AS findings FROM v_open GROUP BY op, backend) f
    ON f.op = c.op AND f.backend = c.backend
  ORDER BY c.op, c.backend;
CREATE VIEW v_suppressed AS
  SELECT f.id, f.op, f.backend, f.hits, coalesce(k.reason, f.reason) AS reason,
    coalesce(k.owner, f.owner) AS owner, coalesce(k.link, f.link) AS link,
    coalesce(k.expires, f.expires) AS expires,
    CASE WHEN v.state = 'expected' THEN 'in force' ELSE 'expired' END AS status,
    coalesce(f.min_line, f.line) AS line
  FROM finding f JOIN v_state v ON v.id = f.id
  LEFT JOIN suppression s ON s.finding = f.id LEFT JOIN known k ON k.id = s.known
  WHERE v.state = 'expected' OR f.state = 'expected' OR
    (s.known IS NOT NULL AND f.state IN ('new', 'open', 'reopened')) ORDER BY f.id;
CREATE VIEW v_known AS
  SELECT k.id, k.match, k.reason, k.owner, k.link, k.expires,
    (SELECT count(*) FROM suppression s WHERE s.known = k.id) AS findings,
    (SELECT coalesce(sum(f.hits), 0) FROM suppression s JOIN finding f ON f.id = s.finding
     WHERE s.known = k.id) AS hits,
    CASE WHEN k.expires < date('now') THEN 'expired'
      WHEN NOT EXISTS (SELECT 1 FROM suppression s WHERE s.known = k.id) THEN 'never hit'
      WHEN NOT EXISTS (SELECT 1 FROM suppression s JOIN finding f ON f.id = s.finding
        WHERE s.known = k.id AND f.state <> 'fixed' AND coalesce((SELECT o.diverged FROM outcome o
          WHERE o.finding = f.id AND o.setting = '' ORDER BY o.at DESC LIMIT 1), 1) > 0) THEN 'passes'
      ELSE 'in force' END AS status
  FROM known k ORDER BY k.id;
CREATE VIEW v_version AS
  SELECT o.finding, o.backend, o.version, sum(o.tries) AS tries, sum(o.diverged) AS diverged,
    CASE WHEN sum(o.diverged) = 0 THEN 'good' WHEN sum(o.diverged) = sum(o.tries) THEN 'bad'
      ELSE 'flaky' END AS verdict
  FROM outcome o WHERE o.setting = '' GROUP BY o.finding, o.backend, o.version
  ORDER BY o.finding, o.backend, o.version;
CREATE VIEW v_knob AS
  SELECT finding, backend, setting, sum(tries) AS tries, sum(diverged) AS diverged,
    CASE WHEN sum(diverged) = 0 THEN 'removes it' WHEN sum(diverged) = sum(tries) THEN 'changes nothing'
      ELSE 'makes it flaky' END AS effect
  FROM outcome WHERE setting <> '' GROUP BY finding, backend, setting ORDER BY finding, backend, setting;
CREATE VIEW v_history AS
  SELECT e.finding, datetime(e.at, 'unixepoch') AS at, e.actor, e.kind,
    json_extract(e.payload, '$.state') AS state, json_extract(e.payload, '$.reason') AS reason,
    json_extract(e.payload, '$.link') AS link
  FROM event e ORDER BY e.finding, e.at, e.sequence, e.uuid;
CREATE VIEW v_night AS
  SELECT run, datetime(started, 'unixepoch') AS started, ended - started AS seconds, open, fresh,
    regressed, fixed, flaky, suppressed FROM night ORDER BY started, uuid;
PRAGMA user_version = 4;
