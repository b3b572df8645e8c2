-- Version 12: all inputs of an operator on a library.
CREATE TABLE sweep (
  id INTEGER PRIMARY KEY,
  op TEXT NOT NULL,
  dtype TEXT NOT NULL,
  call TEXT NOT NULL, -- the operator with its version and parameters
  backend TEXT NOT NULL,
  version TEXT NOT NULL,
  build TEXT NOT NULL,
  inputs INTEGER NOT NULL, -- all that there are
  block INTEGER NOT NULL, -- those of a block
  UNIQUE (call, backend, version, build, block)
) STRICT;
-- A range of inputs that is done.  bins counts results that are not correctly rounded by their error
-- in ulps, as an array of JSON.
CREATE TABLE sweep_block (
  sweep INTEGER NOT NULL REFERENCES sweep(id),
  block INTEGER NOT NULL,
  inputs INTEGER NOT NULL,
  correct INTEGER NOT NULL,
  wrong INTEGER NOT NULL,
  undecided INTEGER NOT NULL,
  open INTEGER NOT NULL,
  unjudged INTEGER NOT NULL,
  bins TEXT NOT NULL,
  worst_ulps REAL NOT NULL,
  worst_input INTEGER NOT NULL,
  seconds REAL NOT NULL, -- of processor time
  PRIMARY KEY (sweep, block)
) STRICT, WITHOUT ROWID;
-- Results of a block that no bound and no reading of the promise admits, by what they show.
CREATE TABLE sweep_departure (
  sweep INTEGER NOT NULL REFERENCES sweep(id),
  block INTEGER NOT NULL,
  what TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  first INTEGER NOT NULL, -- the least input
  worst INTEGER NOT NULL, -- the one with the largest error
  ulps REAL, -- that error, NULL where none is a distance
  filed INTEGER NOT NULL DEFAULT 0, -- whether findings were made of it
  PRIMARY KEY (sweep, block, what, kind)
) STRICT, WITHOUT ROWID;
CREATE VIEW v_departure AS
  SELECT s.id AS sweep, s.op, s.dtype, s.backend, s.version, d.what, d.kind, sum(d.count) AS results,
    printf('0x%x', min(d.first)) AS first, printf('0x%x', (SELECT w.worst FROM sweep_departure w
      WHERE w.sweep = d.sweep AND w.what = d.what AND w.kind = d.kind ORDER BY w.ulps DESC, w.worst LIMIT 1)) AS worst,
    max(d.ulps) AS ulps
  FROM sweep s JOIN sweep_departure d ON d.sweep = s.id GROUP BY s.id, d.what, d.kind
  ORDER BY s.op, s.dtype, s.backend, s.version, results DESC, d.what;
CREATE VIEW v_exhaustive AS
  SELECT s.id AS sweep, s.op, s.dtype, s.backend, s.version, b.inputs, s.inputs AS of, b.correct, b.wrong,
    b.undecided, b.open, b.unjudged,
    (SELECT coalesce(sum(count), 0) FROM sweep_departure d WHERE d.sweep = s.id) AS departures,
    b.worst_ulps, printf('0x%x', (SELECT w.worst_input FROM sweep_block w
      WHERE w.sweep = s.id ORDER BY w.worst_ulps DESC, w.worst_input LIMIT 1)) AS worst_input,
    b.seconds AS core_seconds
  FROM sweep s JOIN (SELECT sweep, sum(inputs) AS inputs, sum(correct) AS correct, sum(wrong) AS wrong,
      sum(undecided) AS undecided, sum(open) AS open, sum(unjudged) AS unjudged, max(worst_ulps) AS worst_ulps,
      sum(seconds) AS seconds FROM sweep_block GROUP BY sweep) b ON b.sweep = s.id
  ORDER BY s.op, s.dtype, s.backend, s.version;
PRAGMA user_version = 12;
