-- Merging goes over the sources some times, each attached as src: merge_runs chooses for each run
-- the source that knows most of it, merge_facts and merge_ranked collect what belongs to the chosen runs under
-- natural keys, merge_observations copies the observations.  Numbers follow from the whole, in an
-- order that neither the sequence of the sources nor their repetition changes.
CREATE TEMP TABLE this (source INTEGER NOT NULL);
CREATE TEMP TABLE way (fold INTEGER NOT NULL);
-- When runs began that are taken; of one source, or of none, all are.
CREATE TEMP TABLE span (since INTEGER NOT NULL, until INTEGER NOT NULL, whole INTEGER NOT NULL);
-- What is in the database already, behind which all is put: nothing, unless it is one that only grows.
CREATE TEMP TABLE base AS SELECT coalesce((SELECT max(id) FROM main.run), 0) AS runs,
  coalesce((SELECT max(id) FROM main.finding), 0) AS findings, coalesce((SELECT max(id) FROM main.observation), 0) AS observations;
-- Signatures of its findings that a source has as well.
CREATE TEMP TABLE met (signature TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
CREATE TEMP TABLE candidate (
  uuid TEXT PRIMARY KEY, source INTEGER, started INTEGER, ended INTEGER, executions INTEGER,
  observations INTEGER, hits INTEGER, kin TEXT);
-- The runs whose counts a source keeps together, under the first of them; most runs are alone.
CREATE TEMP TABLE unit (source INTEGER, leader TEXT, uuid TEXT, PRIMARY KEY (source, leader, uuid)) WITHOUT ROWID;
CREATE TEMP TABLE m_finding (
  signature TEXT PRIMARY KEY, rank TEXT, signature_version, op, dtype, kind, backend, tier, defect,
  pattern, detail, line, min_line, ratio, ulps, expected, got, bound, flaky, needed, picture,
  picture_ulps, bad, total, worst, symptom, frame, output, unfinished);
CREATE TEMP TABLE m_hit (signature TEXT, run INTEGER, hits, first_seen, last_seen, PRIMARY KEY (signature, run));
CREATE TEMP TABLE m_raw (raw TEXT PRIMARY KEY, signature TEXT);
CREATE TEMP TABLE m_event (uuid TEXT PRIMARY KEY, signature, actor, kind, payload, at, sequence);
CREATE TEMP TABLE m_artifact (signature, kind, path, made, PRIMARY KEY (signature, kind, path));
CREATE TEMP TABLE m_peer (signature, backend, verdict, ratio, PRIMARY KEY (signature, backend));
CREATE TEMP TABLE m_policy (signature, policy, PRIMARY KEY (signature, policy));
CREATE TEMP TABLE m_probe (signature, op, dtype, symptom, line, PRIMARY KEY (signature, op, dtype));
CREATE TEMP TABLE m_outcome (signature, run, backend, version, setting, tries, diverged, at);
