INSERT INTO main.run SELECT * FROM m_run ORDER BY id;
INSERT INTO main.backend (run, name, version, build, core, path, threads)
  SELECT run, name, version, build, core, path, threads FROM m_backend ORDER BY run, name;
INSERT INTO main.coverage SELECT * FROM m_coverage ORDER BY run, op, dtype, fill, backend;
INSERT INTO main.ladder SELECT * FROM m_ladder ORDER BY run, op, backend, step;
INSERT INTO main.agreement SELECT * FROM m_agreement ORDER BY run, op, dtype, backend, model;
INSERT OR IGNORE INTO main.policy SELECT * FROM m_sentence ORDER BY name, sentence, source;
INSERT INTO main.construct SELECT * FROM m_construct ORDER BY run, op, construct, backend;
INSERT INTO main.decline SELECT * FROM m_decline ORDER BY run, op, backend, reason;
INSERT INTO main.qualification SELECT * FROM m_qualification ORDER BY run;
INSERT INTO main.change SELECT * FROM m_change ORDER BY run, op, dtype, kind;
INSERT INTO main.sweep (op, dtype, call, backend, version, build, inputs, block)
  SELECT op, dtype, call, backend, version, build, inputs, block FROM m_sweep ORDER BY 3, 4, 5, 6, 8;
INSERT INTO main.sweep_block SELECT s.id, number, m.inputs, correct, wrong, undecided, open, unjudged, bins, worst_ulps,
    worst_input, seconds
  FROM m_block m JOIN main.sweep s USING (call, backend, version, build, block) ORDER BY 1, 2;
INSERT INTO main.sweep_departure SELECT s.id, number, what, kind, count, first, worst, ulps, filed
  FROM m_departure m JOIN main.sweep s USING (call, backend, version, build, block) ORDER BY 1, 2, 3, 4;
INSERT INTO main.policy_count SELECT * FROM m_count ORDER BY run, policy, backend;
INSERT INTO main.night SELECT * FROM m_night ORDER BY run;
INSERT INTO main.known (match, reason, owner, link, expires, source)
  SELECT DISTINCT match, reason, owner, link, expires, source FROM m_known ORDER BY 1, 2, 3, 4, 5, 6;
INSERT INTO main.finding (id, signature, signature_version, op, dtype, kind, backend, tier, defect, pattern,
    detail, line, min_line, ratio, ulps, expected, got, bound, flaky, needed, picture,
    picture_ulps, bad, total, worst, symptom, frame, output, unfinished, first_run, last_run, first_seen, last_seen, hits)
  SELECT row_number() OVER (ORDER BY h.first_seen, f.signature), f.signature, signature_version, op, dtype,
    kind, backend, tier, defect, pattern, detail, line, min_line, ratio, ulps, expected, got, bound, flaky,
    needed, picture, picture_ulps, bad, total, worst, symptom, frame, output, unfinished, h.first_run, h.last_run, h.first_seen, h.last_seen, h.hits
  FROM m_finding f JOIN (SELECT signature, min(run) AS first_run, max(run) AS last_run,
    min(first_seen) AS first_seen, max(last_seen) AS last_seen, sum(hits) AS hits FROM m_hit
    GROUP BY signature) h ON h.signature = f.signature
  ORDER BY 1;
INSERT INTO main.hit SELECT f.id, run, h.hits, h.first_seen, h.last_seen FROM m_hit h JOIN main.finding f
  ON f.signature = h.signature ORDER BY 1, 2;
INSERT INTO main.outcome SELECT f.id, run, o.backend, version, setting, tries, diverged, at
  FROM m_outcome o JOIN main.finding f ON f.signature = o.signature ORDER BY 1, 2, 3, 5;
INSERT INTO main.raw_signature SELECT raw, f.id FROM m_raw r JOIN main.finding f ON f.signature = r.signature
  ORDER BY raw;
INSERT INTO main.artifact (finding, kind, path, made) SELECT f.id, a.kind, path, made FROM m_artifact a
  JOIN main.finding f ON f.signature = a.signature ORDER BY 1, 2, 3;
INSERT INTO main.finding_peer SELECT f.id, p.backend, verdict, p.ratio FROM m_peer p JOIN main.finding f
  ON f.signature = p.signature ORDER BY 1, 2;
INSERT INTO main.finding_policy SELECT f.id, policy FROM m_policy p JOIN main.finding f
  ON f.signature = p.signature ORDER BY 1, 2;
INSERT INTO main.probe SELECT f.id, p.op, p.dtype, p.symptom, p.line FROM m_probe p JOIN main.finding f
  ON f.signature = p.signature ORDER BY 1, 2, 3;
INSERT INTO main.event (finding, actor, kind, payload, at, uuid, sequence) SELECT f.id, actor, e.kind, payload,
  at, uuid, sequence FROM m_event e JOIN main.finding f ON f.signature = e.signature ORDER BY 1, 5, 7, 6;
