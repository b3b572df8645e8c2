-- Version 5: under which model of its backend's promise a case agreed, the strictest that admits it.
CREATE TABLE agreement (
  run INTEGER NOT NULL REFERENCES run(id),
  op TEXT NOT NULL,
  dtype TEXT NOT NULL,
  backend TEXT NOT NULL,
  model TEXT NOT NULL,
  executions INTEGER NOT NULL,
  PRIMARY KEY (run, op, dtype, backend, model)
) STRICT, WITHOUT ROWID;
CREATE VIEW v_model AS
  SELECT op, dtype, backend, model, sum(executions) AS executions
  FROM agreement GROUP BY op, dtype, backend, model ORDER BY op, dtype, backend, executions DESC, model;
PRAGMA user_version = 5;
