-- Version 15: the finding that speaks for a bug is one of few numbers, where there is one: the shortest line may say
-- thousands of them, all of which a program has.
DROP INDEX finding_bug;
CREATE INDEX finding_bug ON finding(bug, unfinished, flaky, max(coalesce(total, 0), 64), length(coalesce(min_line, line)), state,
  expires, op, dtype, kind, backend, hits, first_seen, last_seen);
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
        ORDER BY g.unfinished, g.flaky, max(coalesce(g.total, 0), 64), length(coalesce(g.min_line, g.line)),
          g.id LIMIT 1) AS finding
    FROM v_state v GROUP BY v.bug) m ON m.bug = b.id
  LEFT JOIN v_decision d ON d.bug = b.id
  WHERE b.part_of IS NULL ORDER BY b.severity, m.findings DESC, b.id;
PRAGMA user_version = 15;
