-- Version 16: what was drawn and gave way to another draw before it was a case, since the library whose turn it was
-- does not take it; and cases that were run without having been asked for.
CREATE TABLE redraw (
  run INTEGER NOT NULL REFERENCES run(id),
  op TEXT NOT NULL,
  backend TEXT NOT NULL,
  reason TEXT NOT NULL,
  redrawn INTEGER NOT NULL,
  unasked INTEGER NOT NULL,
  PRIMARY KEY (run, op, backend, reason)
) STRICT;
CREATE VIEW v_redraw AS
  SELECT backend, reason, sum(redrawn) AS redrawn, sum(unasked) AS unasked, count(*) AS operators, group_concat(op) AS names
  FROM (SELECT backend, reason, op, sum(redrawn) AS redrawn, sum(unasked) AS unasked FROM redraw GROUP BY backend, reason, op)
  GROUP BY backend, reason ORDER BY backend, sum(redrawn) DESC, reason;
PRAGMA user_version = 16;
