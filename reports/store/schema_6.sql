-- Version 6: bugs.  A bug is one cause in one library, a set of findings that ties join; which ties
-- there are follows from the findings and from what people decided, so that grouping may be done
-- again at any time.  A finding that is not minimal yet may stand without a bug.
CREATE TABLE bug (
  id INTEGER PRIMARY KEY,
  founder TEXT NOT NULL UNIQUE, -- signature of the first of its findings
  library TEXT NOT NULL,
  title TEXT NOT NULL,
  severity INTEGER NOT NULL, -- 1 is the worst
  kind TEXT NOT NULL,
  symptom TEXT NOT NULL,
  known TEXT, -- title of the reviewed entry that it is, and where that was reported
  known_link TEXT,
  part_of INTEGER REFERENCES bug(id) -- the bug that it was joined with; its number stays its own
) STRICT;
ALTER TABLE finding ADD COLUMN bug INTEGER REFERENCES bug(id);
-- What is wrong, as a word for grouping; the function of the library in which memory was touched.
ALTER TABLE finding ADD COLUMN symptom TEXT;
ALTER TABLE finding ADD COLUMN frame TEXT;
-- 1 where minimisation ended before its case was minimal.
ALTER TABLE finding ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0;
-- What the library wrote while it ran the case.
ALTER TABLE finding ADD COLUMN output TEXT;
CREATE INDEX finding_bug ON finding(bug);

-- Why two findings are one bug.
CREATE TABLE tie (
  finding INTEGER NOT NULL REFERENCES finding(id),
  other INTEGER NOT NULL REFERENCES finding(id),
  evidence TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (finding, other, evidence)
) STRICT, WITHOUT ROWID;
-- What the minimal case of a finding showed when it was carried over to another operator or type.
CREATE TABLE probe (
  finding INTEGER NOT NULL REFERENCES finding(id),
  op TEXT NOT NULL,
  dtype TEXT NOT NULL,
  symptom TEXT NOT NULL, -- "" where it agreed
  line TEXT NOT NULL,
  PRIMARY KEY (finding, op, dtype)
) STRICT, WITHOUT ROWID;

-- What was decided about a bug: the last such event of any of its findings that was not undone.
CREATE VIEW v_decision AS
  SELECT bug, state, reason, owner, link, expires, actor, at FROM (
    SELECT f.bug, json_extract(e.payload, '$.state') AS state, json_extract(e.payload, '$.reason') AS reason,
      json_extract(e.payload, '$.owner') AS owner, json_extract(e.payload, '$.link') AS link,
      json_extract(e.payload, '$.expires') AS expires, e.actor, e.at,
      row_number() OVER (PARTITION BY f.bug ORDER BY e.at DESC, e.sequence DESC, e.uuid DESC) AS place
    FROM v_standing e JOIN finding f ON f.id = e.finding
    WHERE f.bug IS NOT NULL AND json_extract(e.payload, '$.scope') = 'bug') WHERE place = 1;
DROP VIEW v_state;
-- What a finding counts as today: one that is expected is so until its day, by itself, by its bug or
-- by a known issue that matches it.  What was decided about a bug holds for a finding that joins it
-- later, but one that was fixed and is seen again stays open.
CREATE VIEW v_state AS
  SELECT f.id, CASE
    WHEN f.state = 'expected' AND f.expires < date('now') THEN 'open'
    WHEN f.state IN ('new', 'open', 'reopened') AND k.expires >= date('now') THEN 'expected'
    WHEN f.state IN ('new', 'open') AND d.state = 'expected' AND d.expires < date('now') THEN 'open'
    WHEN f.state IN ('new', 'open') AND d.state IN ('expected', 'invalid', 'upstream', 'dup') THEN d.state
    ELSE f.state END AS state
  FROM finding f LEFT JOIN suppression s ON s.finding = f.id LEFT JOIN known k ON k.id = s.known
  LEFT JOIN v_decision d ON d.bug = f.bug;

-- One line for each bug.  Its state is that of its findings where they are alike, the one that
-- needs most attention where they are not.
CREATE VIEW v_bug AS
  SELECT b.id, b.severity,
    CASE WHEN m.reopened > 0 THEN 'reopened' WHEN m.fresh > 0 THEN 'new' WHEN m.open > 0 THEN 'open'
      WHEN m.upstream > 0 THEN 'upstream' WHEN m.expected > 0 THEN 'expected' WHEN m.fixed > 0 THEN 'fixed'
      ELSE m.some END AS state,
    b.library, b.title, m.operators, m.types, m.findings, m.hits,
    datetime(m.first_seen, 'unixepoch') AS first_seen, datetime(m.last_seen, 'unixepoch') AS last_seen,
    b.kind, b.symptom, m.flaky, b.known, coalesce(d.link, b.known_link) AS link,
    CASE WHEN b.known IS NOT NULL THEN 'known upstream' ELSE 'not known' END AS upstream,
    m.versions, m.agree, m.finding
  FROM bug b JOIN (
    SELECT f.bug, group_concat(DISTINCT f.op) AS operators, group_concat(DISTINCT f.dtype) AS types,
      count(*) AS findings, sum(f.hits) AS hits, min(f.first_seen) AS first_seen, max(f.last_seen) AS last_seen,
      min(f.flaky) AS flaky, total(v.state = 'reopened') AS reopened, total(v.state = 'new') AS fresh,
      total(v.state = 'open') AS open, total(v.state = 'upstream') AS upstream,
      total(v.state = 'expected') AS expected, total(v.state = 'fixed') AS fixed, min(v.state) AS some,
      (SELECT group_concat(DISTINCT r.version) FROM finding g JOIN hit h ON h.finding = g.id
        JOIN backend r ON r.run = h.run AND r.name = g.backend WHERE g.bug = f.bug) AS versions,
      (SELECT group_concat(DISTINCT p.backend) FROM finding g JOIN finding_peer p ON p.finding = g.id
        WHERE g.bug = f.bug AND p.verdict = 'AGREE') AS agree,
      (SELECT g.id FROM finding g WHERE g.bug = f.bug
        ORDER BY g.unfinished, g.flaky, g.kind = 'POLICY', length(coalesce(g.min_line, g.line)), g.id LIMIT 1) AS finding
    FROM finding f JOIN v_state v ON v.id = f.id GROUP BY f.bug) m ON m.bug = b.id
  LEFT JOIN v_decision d ON d.bug = b.id
  WHERE b.part_of IS NULL ORDER BY b.severity, m.findings DESC, b.id;
CREATE VIEW v_open_bug AS
  SELECT * FROM v_bug WHERE state IN ('new', 'open', 'reopened');
CREATE VIEW v_tie AS
  SELECT f.bug, t.finding, t.other, t.evidence, t.detail FROM tie t JOIN finding f ON f.id = t.finding
  ORDER BY f.bug, t.finding, t.other, t.evidence;
PRAGMA user_version = 6;
