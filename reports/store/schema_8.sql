-- Version 8: why cases were declined.
CREATE TABLE decline (
  run INTEGER NOT NULL REFERENCES run(id),
  op TEXT NOT NULL,
  backend TEXT NOT NULL,
  reason TEXT NOT NULL,
  cases INTEGER NOT NULL,
  PRIMARY KEY (run, op, backend, reason)
) STRICT;
CREATE VIEW v_decline AS
  SELECT backend, reason, sum(cases) AS cases, count(DISTINCT op) AS operators,
    group_concat(DISTINCT op) AS names
  FROM decline GROUP BY backend, reason ORDER BY backend, sum(cases) DESC, reason;
PRAGMA user_version = 8;
