-- Version 2: the policy matrix.
CREATE TABLE policy (
  name TEXT PRIMARY KEY,
  sentence TEXT NOT NULL,
  source TEXT NOT NULL
) STRICT;
CREATE TABLE policy_count (
  run INTEGER NOT NULL REFERENCES run(id),
  policy TEXT NOT NULL,
  backend TEXT NOT NULL,
  executions INTEGER NOT NULL,
  documented INTEGER NOT NULL,
  PRIMARY KEY (run, policy, backend)
) STRICT;
CREATE TABLE finding_policy (
  finding INTEGER NOT NULL REFERENCES finding(id),
  policy TEXT NOT NULL,
  PRIMARY KEY (finding, policy)
) STRICT;
DROP VIEW v_open;
CREATE VIEW v_open AS
  SELECT id, state, kind, op, dtype, backend, pattern, ratio, hits, coalesce(min_line, line) AS line
  FROM finding WHERE state IN ('new', 'open', 'reopened') AND kind <> 'POLICY' ORDER BY id;
CREATE VIEW v_policy_finding AS
  SELECT fp.policy, f.backend, f.id, f.kind, f.op, coalesce(f.min_line, f.line) AS line
  FROM finding_policy fp JOIN finding f ON f.id = fp.finding
  WHERE f.state IN ('new', 'open', 'reopened', 'upstream');
CREATE VIEW v_policy AS
  SELECT c.policy, c.backend,
    CASE WHEN EXISTS (SELECT 1 FROM v_policy_finding f WHERE f.policy = c.policy AND
                      f.backend = c.backend AND f.kind = 'FAULT') THEN 'crashes'
         WHEN EXISTS (SELECT 1 FROM v_policy_finding f WHERE f.policy = c.policy AND
                      f.backend = c.backend) THEN 'deviates'
         WHEN sum(c.documented) > 0 THEN 'documented'
         WHEN sum(c.executions) > 0 THEN 'strict'
         ELSE 'not tried' END AS verdict,
    sum(c.executions) AS executions,
    (SELECT count(*) FROM v_policy_finding f WHERE f.policy = c.policy AND
     f.backend = c.backend) AS findings,
    (SELECT f.line FROM v_policy_finding f WHERE f.policy = c.policy AND f.backend = c.backend
     ORDER BY f.kind <> 'FAULT', f.id LIMIT 1) AS line
  FROM policy_count c GROUP BY c.policy, c.backend ORDER BY c.policy, c.backend;
PRAGMA user_version = 2;
