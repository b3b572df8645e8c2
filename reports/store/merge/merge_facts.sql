CREATE TEMP TABLE here AS SELECT r.id AS there, c.id AS id FROM src.run r JOIN chosen c ON c.uuid = r.uuid
  AND c.source = (SELECT source FROM this);
-- The runs whose counts are taken from here, and the run that they count under.
CREATE TEMP TABLE count_here AS SELECT r.id AS there, c.id AS id FROM src.run r JOIN home d ON d.uuid = r.uuid
  AND d.leader = r.uuid AND d.source = (SELECT source FROM this) JOIN chosen c ON c.uuid = d.home;
INSERT INTO m_run SELECT h.id, r.uuid, tool_version, arguments, engine, seed, jobs, started, ended, end_reason,
    cases, executions, seconds, seconds_fill, seconds_reference, seconds_kernel, seconds_oracle, restarts,
    (SELECT nullif(c.id, h.id) FROM home d JOIN chosen c ON c.uuid = d.home WHERE d.uuid = r.uuid)
  FROM src.run r JOIN here h ON h.there = r.id;
INSERT INTO m_backend SELECT 0, h.id, name, version, build, core, path, threads
  FROM src.backend b JOIN here h ON h.there = b.run;
INSERT INTO m_coverage SELECT h.id, op, dtype, fill, backend, executions, declined, vacuous, undecided,
    worst_ratio, nanoseconds FROM src.coverage c JOIN count_here h ON h.there = c.run WHERE true
  ON CONFLICT DO UPDATE SET executions = executions + excluded.executions, declined = declined + excluded.declined,
    vacuous = vacuous + excluded.vacuous, undecided = undecided + excluded.undecided,
    worst_ratio = max(worst_ratio, excluded.worst_ratio), nanoseconds = nanoseconds + excluded.nanoseconds;
INSERT INTO m_ladder SELECT h.id, op, backend, step, count FROM src.ladder l JOIN count_here h ON h.there = l.run
  WHERE true ON CONFLICT DO UPDATE SET count = count + excluded.count;
INSERT INTO m_agreement SELECT h.id, op, dtype, backend, model, executions
  FROM src.agreement a JOIN count_here h ON h.there = a.run
  WHERE true ON CONFLICT DO UPDATE SET executions = executions + excluded.executions;
INSERT INTO m_construct SELECT h.id, op, construct, backend, executions, declined, findings
  FROM src.construct c JOIN count_here h ON h.there = c.run
  WHERE true ON CONFLICT DO UPDATE SET executions = executions + excluded.executions,
    declined = declined + excluded.declined, findings = findings + excluded.findings;
INSERT INTO m_decline SELECT h.id, op, backend, reason, cases FROM src.decline d JOIN count_here h ON h.there = d.run
  WHERE true ON CONFLICT DO UPDATE SET cases = cases + excluded.cases;
INSERT INTO m_redraw SELECT h.id, op, backend, reason, redrawn, unasked FROM src.redraw d JOIN count_here h ON h.there = d.run
  WHERE true ON CONFLICT DO UPDATE SET redrawn = redrawn + excluded.redrawn, unasked = unasked + excluded.unasked;
INSERT INTO m_count SELECT h.id, policy, backend, executions, documented
  FROM src.policy_count p JOIN count_here h ON h.there = p.run
  WHERE true ON CONFLICT DO UPDATE SET executions = executions + excluded.executions,
    documented = documented + excluded.documented;
INSERT INTO m_qualification SELECT h.id, old, new FROM src.qualification q JOIN here h ON h.there = q.run;
INSERT INTO m_change SELECT h.id, op, dtype, kind, cases, ulps, detail, line
  FROM src.change c JOIN here h ON h.there = c.run;
INSERT INTO m_night SELECT h.id, uuid, started, ended, open, fresh, regressed, fixed, flaky, suppressed
  FROM src.night n JOIN here h ON h.there = n.run;
-- Blocks that several sources have were counted alike; of their times the least stays.
INSERT OR IGNORE INTO m_sweep SELECT call, backend, version, build, block, op, dtype, inputs FROM src.sweep;
INSERT INTO m_block SELECT s.call, s.backend, s.version, s.build, s.block, b.block, b.inputs, b.correct, b.wrong,
    b.undecided, b.open, b.unjudged, b.bins, b.worst_ulps, b.worst_input, b.seconds
  FROM src.sweep_block b JOIN src.sweep s ON s.id = b.sweep WHERE true
  ON CONFLICT DO UPDATE SET seconds = min(seconds, excluded.seconds);
INSERT INTO m_departure SELECT s.call, s.backend, s.version, s.build, s.block, d.block, d.what, d.kind, d.count,
    d.first, d.worst, d.ulps, d.filed
  FROM src.sweep_departure d JOIN src.sweep s ON s.id = d.sweep WHERE true
  ON CONFLICT DO UPDATE SET filed = max(filed, excluded.filed);
INSERT INTO m_known SELECT * FROM src.known;
INSERT INTO m_sentence SELECT * FROM src.policy;
INSERT INTO m_hit SELECT f.signature, h.id, x.hits, x.first_seen, x.last_seen
  FROM src.hit x JOIN here h ON h.there = x.run JOIN src.finding f ON f.id = x.finding;
INSERT INTO m_outcome SELECT f.signature, h.id, o.backend, o.version, o.setting, o.tries, o.diverged, o.at
  FROM src.outcome o JOIN here h ON h.there = o.run JOIN src.finding f ON f.id = o.finding;
INSERT INTO m_raw SELECT r.raw, f.signature FROM src.raw_signature r JOIN src.finding f ON f.id = r.finding
  WHERE true ON CONFLICT DO UPDATE SET signature = min(m_raw.signature, excluded.signature);
INSERT OR IGNORE INTO m_event SELECT e.uuid, f.signature, e.actor, e.kind, e.payload, e.at, e.sequence
  FROM src.event e JOIN src.finding f ON f.id = e.finding;
INSERT INTO m_artifact SELECT f.signature, a.kind, a.path, a.made FROM src.artifact a JOIN src.finding f
  ON f.id = a.finding WHERE true ON CONFLICT DO UPDATE SET made = max(m_artifact.made, excluded.made);
INSERT INTO m_peer SELECT f.signature, p.backend, p.verdict, p.ratio FROM src.finding_peer p JOIN src.finding f
  ON f.id = p.finding WHERE true ON CONFLICT DO UPDATE SET verdict = excluded.verdict, ratio = excluded.ratio
  WHERE (excluded.ratio, excluded.verdict) > (m_peer.ratio, m_peer.verdict);
INSERT OR IGNORE INTO m_policy SELECT f.signature, p.policy FROM src.finding_policy p JOIN src.finding f
  ON f.id = p.finding;
INSERT INTO m_probe SELECT f.signature, p.op, p.dtype, p.symptom, p.line FROM src.probe p JOIN src.finding f
  ON f.id = p.finding WHERE true ON CONFLICT DO UPDATE SET symptom = excluded.symptom, line = excluded.line
  WHERE (excluded.symptom, excluded.line) > (m_probe.symptom, m_probe.line);
DROP TABLE here;
DROP TABLE count_here;
