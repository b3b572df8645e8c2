-- Version 10: what a query needs of a million findings is found in an index.
DROP INDEX finding_bug;
CREATE INDEX finding_bug ON finding(bug, unfinished, flaky, length(coalesce(min_line, line)), state, expires, op, dtype, kind,
  backend, hits, first_seen, last_seen);
CREATE INDEX finding_first_run ON finding(first_run);
CREATE INDEX finding_last_seen ON finding(last_seen);
CREATE INDEX finding_policy_policy ON finding_policy(policy);
-- Events of bugs are few among those of findings.
CREATE INDEX event_of_bug ON event(finding) WHERE json_extract(payload, '$.scope') = 'bug';
CREATE INDEX event_together ON event(finding) WHERE kind = 'together';

DROP VIEW v_decision;
-- What was decided about a bug: the last such event of any of its findings that was not undone.
CREATE VIEW v_decision AS
  SELECT bug, state, reason, owner, link, expires, actor, at FROM (
    SELECT f.bug, json_extract(e.payload, '$.state') AS state, json_extract(e.payload, '$.reason') AS reason,
      json_extract(e.payload, '$.owner') AS owner, json_extract(e.payload, '$.link') AS link,
      json_extract(e.payload, '$.expires') AS expires, e.actor, e.at,
      row_number() OVER (PARTITION BY f.bug ORDER BY e.at DESC, e.sequence DESC, e.uuid DESC) AS place
    FROM event e JOIN finding f ON f.id = e.finding
    WHERE f.bug IS NOT NULL AND e.kind = 'state' AND json_extract(e.payload, '$.scope') = 'bug' AND
      NOT EXISTS (SELECT 1 FROM event u WHERE u.finding = e.finding AND u.kind = 'undo' AND
        json_extract(u.payload, '$.event') = e.uuid)) WHERE place = 1;
DROP VIEW v_state;
-- What a finding counts as today: one that is expected is so until its day, by itself, by its bug or
-- by a known issue that matches it.  What was decided about a bug holds for a finding that joins it
-- later, but one that was fixed and is seen again stays open.  Its own state, as last decided, is `filed`.
CREATE VIEW v_state AS
  SELECT f.id, CASE
    WHEN f.state = 'expected' AND f.expires < date('now') THEN 'open'
    WHEN f.state IN ('new', 'open', 'reopened') AND k.expires >= date('now') THEN 'expected'
    WHEN f.state IN ('new', 'open') AND d.state = 'expected' AND d.expires < date('now') THEN 'open'
    WHEN f.state IN ('new', 'open') AND d.state IN ('expected', 'invalid', 'upstream', 'dup') THEN d.state
    ELSE f.state END AS state,
    f.state AS filed, f.bug, f.op, f.dtype, f.kind, f.backend, f.hits, f.first_seen, f.last_seen, f.flaky,
    f.pattern, f.ratio, coalesce(f.min_line, f.line) AS line
  FROM finding f LEFT JOIN suppression s ON s.finding = f.id LEFT JOIN known k ON k.id = s.known
  LEFT JOIN v_decision d ON d.bug = f.bug;
DROP VIEW v_open;
CREATE VIEW v_open AS
  SELECT id, state, kind, op, dtype, backend, pattern, ratio, hits, line
  FROM v_state
  WHERE filed IN ('new', 'open', 'reopened', 'expected') AND state IN ('new', 'open', 'reopened') AND
    kind <> 'POLICY' ORDER BY id;

DROP VIEW v_bug;
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
    CASE WHEN b.known_link IS NOT NULL THEN 'known upstream'
      WHEN b.known IS NOT NULL THEN 'reviewed' ELSE 'new' END AS upstream,
    m.versions, m.agree, m.finding
  FROM bug b JOIN (
    SELECT v.bug, group_concat(DISTINCT v.op) AS operators, group_concat(DISTINCT v.dtype) AS types,
      count(*) AS findings, sum(v.hits) AS hits, min(v.first_seen) AS first_seen, max(v.last_seen) AS last_seen,
      min(v.flaky) AS flaky, total(v.state = 'reopened') AS reopened, total(v.state = 'new') AS fresh,
      total(v.state = 'open') AS open, total(v.state = 'upstream') AS upstream,
      total(v.state = 'expected') AS expected, total(v.state = 'fixed') AS fixed, min(v.state) AS some,
      (SELECT group_concat(DISTINCT r.version) FROM (SELECT DISTINCT h.run, g.backend FROM finding g
        JOIN hit h ON h.finding = g.id WHERE g.bug = v.bug) u JOIN backend r ON r.run = u.run AND r.name = u.backend) AS versions,
      (SELECT group_concat(DISTINCT p.backend) FROM finding g JOIN finding_peer p ON p.finding = g.id
        WHERE g.bug = v.bug AND p.verdict = 'AGREE') AS agree,
      (SELECT g.id FROM finding g WHERE g.bug = v.bug
        ORDER BY g.unfinished, g.flaky, length(coalesce(g.min_line, g.line)), g.id LIMIT 1) AS finding
    FROM v_state v GROUP BY v.bug) m ON m.bug = b.id
  LEFT JOIN v_decision d ON d.bug = b.id
  WHERE b.part_of IS NULL ORDER BY b.severity, m.findings DESC, b.id;

DROP VIEW v_policy;
DROP VIEW v_policy_finding;
CREATE VIEW v_policy_finding AS
  SELECT fp.policy, f.backend, f.id, f.kind, f.op, coalesce(f.min_line, f.line) AS line
  FROM finding_policy fp CROSS JOIN finding f ON f.id = fp.finding
  WHERE f.state IN ('new', 'open', 'reopened', 'upstream');
CREATE VIEW v_policy AS
  SELECT c.policy, c.backend,
    CASE WHEN f.faults > 0 THEN 'crashes' WHEN f.findings > 0 THEN 'deviates'
         WHEN c.documented > 0 THEN 'documented' WHEN c.executions > 0 THEN 'strict'
         ELSE 'not tried' END AS verdict,
    c.executions, coalesce(f.findings, 0) AS findings,
    (SELECT coalesce(g.min_line, g.line) FROM finding g WHERE g.id = coalesce(f.first_fault, f.first)) AS line
  FROM (SELECT policy, backend, sum(executions) AS executions, sum(documented) AS documented
    FROM policy_count GROUP BY policy, backend) c
  LEFT JOIN (SELECT policy, backend, count(*) AS findings, total(kind = 'FAULT') AS faults, min(id) AS first,
      min(iif(kind = 'FAULT', id, NULL)) AS first_fault
    FROM v_policy_finding GROUP BY policy, backend) f ON f.policy = c.policy AND f.backend = c.backend
  ORDER BY c.policy, c.backend;
PRAGMA user_version = 10;
