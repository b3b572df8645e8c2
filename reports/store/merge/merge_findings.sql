INSERT INTO main.run SELECT * FROM m_run ORDER BY id;
INSERT INTO main.backend (run, name, version, build, core, path, threads)
  SELECT run, name, version, build, core, path, threads FROM m_backend ORDER BY run, name;
INSERT INTO main.coverage SELECT * FROM m_coverage ORDER BY run, op, dtype, fill, backend;
INSERT INTO main.ladder SELECT * FROM m_ladder ORDER BY run, op, backend, step;
INSERT INTO main.agreement SELECT * FROM m_agreement ORDER BY run, op, dtype, backend, model;
INSERT INTO main.policy SELECT * FROM m_sentence WHERE true ORDER BY name, sentence, source
  ON CONFLICT DO UPDATE SET sentence = excluded.sentence, source = excluded.source
  WHERE (excluded.sentence, excluded.source) < (policy.sentence, policy.source);
INSERT INTO main.construct SELECT * FROM m_construct ORDER BY run, op, construct, backend;
INSERT INTO main.decline SELECT * FROM m_decline ORDER BY run, op, backend, reason;
INSERT INTO main.redraw SELECT * FROM m_redraw ORDER BY run, op, backend, reason;
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
CREATE TEMP TABLE m_total AS SELECT signature, min(run) AS first_run, max(run) AS last_run,
  min(first_seen) AS first_seen, max(last_seen) AS last_seen, sum(hits) AS hits FROM m_hit GROUP BY signature;
CREATE UNIQUE INDEX temp.m_total_key ON m_total(signature);
UPDATE main.finding SET (signature_version, op, dtype, kind, backend, tier, defect, pattern,
    detail, line, min_line, ratio, ulps, expected, got, bound, flaky, needed, picture,
    picture_ulps, bad, total, worst, symptom, frame, output, unfinished) = (SELECT signature_version, op, dtype, kind, backend, tier, defect, pattern,
    detail, line, min_line, ratio, ulps, expected, got, bound, flaky, needed, picture,
    picture_ulps, bad, total, worst, symptom, frame, output, unfinished
    FROM m_finding m WHERE m.signature = finding.signature)
  WHERE id IN (SELECT id FROM met);
UPDATE main.finding SET last_run = max(finding.last_run, h.last_run), last_seen = max(finding.last_seen, h.last_seen),
    hits = finding.hits + h.hits
  FROM met k JOIN m_total h ON h.signature = k.signature WHERE finding.id = k.id;
INSERT INTO main.finding (id, signature, signature_version, op, dtype, kind, backend, tier, defect, pattern,
    detail, line, min_line, ratio, ulps, expected, got, bound, flaky, needed, picture,
    picture_ulps, bad, total, worst, symptom, frame, output, unfinished, first_run, last_run, first_seen, last_seen, hits)
  SELECT (SELECT findings FROM base) + row_number() OVER (ORDER BY h.first_seen, f.signature), f.signature, signature_version, op, dtype,
    kind, backend, tier, defect, pattern, detail, line, min_line, ratio, ulps, expected, got, bound, flaky,
    needed, picture, picture_ulps, bad, total, worst, symptom, frame, output, unfinished, h.first_run, h.last_run, h.first_seen, h.last_seen, h.hits
  FROM m_finding f JOIN m_total h ON h.signature = f.signature WHERE f.signature NOT IN (SELECT signature FROM met)
  ORDER BY 1;
INSERT INTO main.hit SELECT f.id, run, h.hits, h.first_seen, h.last_seen FROM m_hit h JOIN main.finding f
  ON f.signature = h.signature ORDER BY 1, 2;
INSERT INTO main.outcome SELECT f.id, run, o.backend, version, setting, tries, diverged, at
  FROM m_outcome o JOIN main.finding f ON f.signature = o.signature ORDER BY 1, 2, 3, 5;
INSERT INTO main.raw_signature SELECT raw, f.id FROM m_raw r JOIN main.finding f ON f.signature = r.signature
  WHERE true ORDER BY raw ON CONFLICT DO UPDATE SET finding = excluded.finding WHERE
    (SELECT signature FROM main.finding WHERE id = excluded.finding) < (SELECT signature FROM main.finding WHERE id = raw_signature.finding);
INSERT INTO main.artifact (finding, kind, path, made) SELECT f.id, a.kind, path, made FROM m_artifact a
  JOIN main.finding f ON f.signature = a.signature ORDER BY 1, 2, 3;
INSERT INTO main.finding_peer SELECT f.id, p.backend, verdict, p.ratio FROM m_peer p JOIN main.finding f
  ON f.signature = p.signature WHERE true ORDER BY 1, 2 ON CONFLICT DO UPDATE SET verdict = excluded.verdict, ratio = excluded.ratio
  WHERE (excluded.ratio, excluded.verdict) > (finding_peer.ratio, finding_peer.verdict);
INSERT OR IGNORE INTO main.finding_policy SELECT f.id, policy FROM m_policy p JOIN main.finding f
  ON f.signature = p.signature ORDER BY 1, 2;
INSERT INTO main.probe SELECT f.id, p.op, p.dtype, p.symptom, p.line FROM m_probe p JOIN main.finding f
  ON f.signature = p.signature WHERE true ORDER BY 1, 2, 3 ON CONFLICT DO UPDATE SET symptom = excluded.symptom, line = excluded.line
  WHERE (excluded.symptom, excluded.line) > (probe.symptom, probe.line);
INSERT OR IGNORE INTO main.event (finding, actor, kind, payload, at, uuid, sequence) SELECT f.id, actor, e.kind, payload,
  at, uuid, sequence FROM m_event e JOIN main.finding f ON f.signature = e.signature ORDER BY 1, 5, 7, 6;
