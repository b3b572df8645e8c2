-- Version 3: what the other backends of a run made of the minimal case of a finding.
CREATE TABLE finding_peer (
  finding INTEGER NOT NULL REFERENCES finding(id),
  backend TEXT NOT NULL,
  verdict TEXT NOT NULL,
  ratio REAL NOT NULL,
  PRIMARY KEY (finding, backend)
) STRICT;
CREATE VIEW v_outlier AS
  SELECT f.id, f.op, f.backend AS apart, f.ratio,
    (SELECT group_concat(backend || ' ' || verdict, ', ') FROM finding_peer
     WHERE finding = f.id AND verdict <> 'AGREE' AND verdict <> 'DECLINED') AS also_apart,
    (SELECT group_concat(backend, ', ') FROM finding_peer
     WHERE finding = f.id AND verdict = 'AGREE') AS agree,
    coalesce(f.min_line, f.line) AS line
  FROM finding f WHERE f.id IN (SELECT finding FROM finding_peer WHERE verdict = 'AGREE')
  ORDER BY f.id;
PRAGMA user_version = 3;
