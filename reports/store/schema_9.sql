-- Version 9: two versions of a library on the same cases.
CREATE TABLE qualification (
  run INTEGER PRIMARY KEY REFERENCES run(id),
  old TEXT NOT NULL, -- backends
  new TEXT NOT NULL
) STRICT;
-- What differs between the first two backends of a run and is no finding.
CREATE TABLE change (
  run INTEGER NOT NULL REFERENCES run(id),
  op TEXT NOT NULL,
  dtype TEXT NOT NULL,
  kind TEXT NOT NULL,
  cases INTEGER NOT NULL,
  ulps INTEGER NOT NULL, -- the most between two finite values
  detail TEXT NOT NULL, -- the reason of a decline
  line TEXT NOT NULL, -- the case that is cheapest to run
  PRIMARY KEY (run, op, dtype, kind)
) STRICT;
-- On which of the two versions the minimal case of each finding of a run diverges, by the outcomes
-- of running it again.  A side that does not run the case has no outcome.
CREATE VIEW v_side AS
  SELECT q.run, f.id AS finding, f.bug, f.op, f.dtype, f.kind, v.state, coalesce(f.min_line, f.line) AS line,
    o.tries IS NULL AS old_declines, n.tries IS NULL AS new_declines,
    CASE WHEN f.flaky OR (o.diverged > 0 AND o.diverged < o.tries) OR (n.diverged > 0 AND n.diverged < n.tries)
        OR (coalesce(o.diverged, 0) = 0 AND coalesce(n.diverged, 0) = 0) THEN 'not reproducible'
      WHEN o.diverged > 0 AND n.diverged > 0 THEN 'still there'
      WHEN n.diverged > 0 THEN 'new' ELSE 'gone' END AS verdict
  FROM qualification q JOIN hit h ON h.run = q.run JOIN finding f ON f.id = h.finding
  JOIN v_state v ON v.id = f.id
  LEFT JOIN outcome o ON o.finding = f.id AND o.run = q.run AND o.backend = q.old AND o.setting = ''
  LEFT JOIN outcome n ON n.finding = f.id AND n.run = q.run AND n.backend = q.new AND n.setting = '';
-- The bugs of a qualification.  A bug that is on both sides in other ways is more or less of what it
-- was: with what is new counting more.
CREATE VIEW v_qualified_bug AS
  SELECT s.run, CASE
      WHEN s.fresh > 0 AND s.still + s.gone > 0 THEN 'more'
      WHEN s.fresh > 0 THEN 'new'
      WHEN s.still > 0 AND s.gone > 0 THEN 'less'
      WHEN s.still > 0 THEN 'still there'
      WHEN s.gone > 0 THEN 'gone'
      ELSE 'not reproducible' END AS verdict,
    s.bug, b.severity, s.state, s.operators, s.types, s.findings, s.fresh AS new_findings, s.gone AS gone_findings,
    s.only_new AS old_declines, s.only_old AS new_declines, b.library || ': ' || b.title AS title, s.line
  FROM (SELECT run, bug, group_concat(DISTINCT op) AS operators, group_concat(DISTINCT dtype) AS types,
      count(*) AS findings, sum(verdict = 'new') AS fresh, sum(verdict = 'gone') AS gone,
      sum(verdict = 'still there') AS still, sum(verdict = 'new' AND old_declines) AS only_new,
      sum(verdict = 'gone' AND new_declines) AS only_old,
      CASE WHEN sum(state IN ('new', 'open', 'reopened')) > 0 THEN 'open' ELSE min(state) END AS state,
      -- The shortest case of those that say most: of what is new first.
      substr(min(CASE verdict WHEN 'new' THEN '1' WHEN 'gone' THEN '2' ELSE '3' END ||
        printf('%08d', length(line)) || line), 10) AS line
    FROM v_side WHERE bug IS NOT NULL GROUP BY run, bug) s
  JOIN bug b ON b.id = s.bug ORDER BY s.run, b.severity, s.findings DESC, s.bug;
-- What changed within bounds, the gravest kinds first, and of how many cases.
CREATE VIEW v_change AS
  SELECT c.run, c.op, c.dtype, substr(c.kind, 7) AS what, c.cases, (SELECT sum(t.cases) FROM change t
      WHERE t.run = c.run AND t.op = c.op AND t.dtype = c.dtype AND t.kind NOT LIKE 'declined%') AS of,
    CASE c.kind WHEN 'other value' THEN c.ulps END AS ulps, c.line,
    CASE c.kind WHEN 'other class' THEN 3 WHEN 'other value' THEN 2 ELSE 1 END AS grave
  FROM change c WHERE c.kind LIKE 'other%' ORDER BY c.run, grave DESC, c.cases DESC, c.op, c.dtype;
CREATE VIEW v_one_sided AS
  SELECT run, op, dtype, kind AS what, cases, detail AS reason, line
  FROM change WHERE kind LIKE 'declined%' ORDER BY run, cases DESC, op, dtype;
-- All that came of qualifications, one kind of row for what is read by programs.
CREATE VIEW v_qualification AS
  SELECT q.run, q.old, q.new, b.verdict, b.bug, b.severity, b.operators, b.types, b.findings AS count,
    NULL AS ulps, b.title AS what, b.line
  FROM qualification q JOIN v_qualified_bug b ON b.run = q.run
  UNION ALL SELECT q.run, q.old, q.new, CASE WHEN c.kind LIKE 'declined%' THEN 'declined' ELSE 'changed' END, NULL, NULL, c.op, c.dtype, c.cases,
    CASE c.kind WHEN 'other value' THEN c.ulps END, CASE c.detail WHEN '' THEN c.kind ELSE c.kind || ': ' || c.detail END, c.line
  FROM qualification q JOIN change c ON c.run = q.run WHERE c.kind <> 'same bits';
PRAGMA user_version = 9;
