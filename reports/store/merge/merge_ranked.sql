-- Of what sources say of a finding, all that the shortest minimal case says.
INSERT INTO m_finding SELECT signature, (min_line IS NULL) || printf('%08d', length(coalesce(min_line, line))) ||
    quote(min_line) || quote(line) || quote(ratio) || quote(expected) || quote(got) || quote(bound) ||
    quote(ulps) || quote(detail) || quote(tier) || quote(defect) || flaky || quote(needed) ||
    quote(picture) || quote(picture_ulps) || quote(bad) || quote(total) || quote(worst) || quote(symptom) || quote(frame) ||
    quote(output) || unfinished,
    signature_version, op, dtype, kind, backend, tier, defect, pattern, detail, line, min_line, ratio, ulps,
    expected, got, bound, flaky, needed, picture, picture_ulps, bad, total,
    worst, symptom, frame, output, unfinished
  FROM src.finding WHERE true
  ON CONFLICT (signature) DO UPDATE SET rank = excluded.rank, signature_version = excluded.signature_version,
    op = excluded.op, dtype = excluded.dtype, kind = excluded.kind, backend = excluded.backend,
    tier = excluded.tier, defect = excluded.defect, pattern = excluded.pattern, detail = excluded.detail,
    line = excluded.line, min_line = excluded.min_line, ratio = excluded.ratio, ulps = excluded.ulps,
    expected = excluded.expected, got = excluded.got, bound = excluded.bound, flaky = excluded.flaky,
    needed = excluded.needed, picture = excluded.picture, picture_ulps = excluded.picture_ulps, bad = excluded.bad,
    total = excluded.total, worst = excluded.worst, symptom = excluded.symptom, frame = excluded.frame,
    output = excluded.output, unfinished = excluded.unfinished
  WHERE excluded.rank < m_finding.rank;
