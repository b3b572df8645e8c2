-- Version 13: counts of many runs may be kept together, which merging a fleet does.  Rows of coverage, ladder,
-- agreement, construct, decline and policy_count are then those of the run that this names, and of others like it.
ALTER TABLE run ADD COLUMN counts_of INTEGER REFERENCES run(id); -- NULL: its counts are its own
CREATE INDEX run_counts_of ON run(counts_of) WHERE counts_of IS NOT NULL;
DROP VIEW v_decline;
CREATE VIEW v_decline AS
  SELECT backend, reason, sum(cases) AS cases, count(*) AS operators, group_concat(op) AS names
  FROM (SELECT backend, reason, op, sum(cases) AS cases FROM decline GROUP BY backend, reason, op)
  GROUP BY backend, reason ORDER BY backend, sum(cases) DESC, reason;
PRAGMA user_version = 13;
