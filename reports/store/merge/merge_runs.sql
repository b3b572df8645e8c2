INSERT INTO candidate SELECT r.uuid, (SELECT source FROM this), r.started, coalesce(r.ended, 0), r.executions,
    coalesce(o.count, 0), coalesce(h.hits, 0),
    -- Runs that did all they were to do may be counted together where tool and libraries are the same.
    iif(r.ended IS NULL OR r.end_reason IS NULL OR r.end_reason IN ('interrupted', 'error') OR q.run IS NOT NULL, NULL,
      r.tool_version || ' ' || r.engine || ' ' || coalesce(b.libraries, ''))
  FROM src.run r LEFT JOIN src.run l ON l.id = r.counts_of
  JOIN span p ON p.whole = (SELECT source FROM this) OR
    (coalesce(l.started, r.started) >= p.since AND coalesce(l.started, r.started) < p.until)
  LEFT JOIN (SELECT run, count(*) AS count FROM src.observation GROUP BY run) o ON o.run = r.id
  LEFT JOIN (SELECT run, sum(hits) AS hits FROM src.hit GROUP BY run) h ON h.run = r.id
  LEFT JOIN src.qualification q ON q.run = r.id
  LEFT JOIN (SELECT run, group_concat(quote(name) || quote(version) || quote(build) || quote(core) || threads) AS libraries
    FROM (SELECT * FROM src.backend ORDER BY run, name) GROUP BY run) b ON b.run = r.id
  WHERE true
  ON CONFLICT (uuid) DO UPDATE SET source = excluded.source, started = excluded.started,
    ended = excluded.ended, executions = excluded.executions, observations = excluded.observations, hits = excluded.hits,
    kin = excluded.kin
  WHERE (excluded.ended, excluded.executions, excluded.observations, excluded.hits, excluded.started) >
    (candidate.ended, candidate.executions, candidate.observations, candidate.hits, candidate.started);
INSERT INTO unit SELECT (SELECT source FROM this), coalesce(l.uuid, r.uuid), r.uuid
  FROM src.run r LEFT JOIN src.run l ON l.id = r.counts_of
  JOIN span p ON p.whole = (SELECT source FROM this) OR
    (coalesce(l.started, r.started) >= p.since AND coalesce(l.started, r.started) < p.until);
