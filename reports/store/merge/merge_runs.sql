INSERT INTO candidate SELECT r.uuid, (SELECT source FROM this), r.started, coalesce(r.ended, 0), r.executions,
    coalesce(o.count, 0), coalesce(h.hits, 0)
  FROM src.run r
  LEFT JOIN (SELECT run, count(*) AS count FROM src.observation GROUP BY run) o ON o.run = r.id
  LEFT JOIN (SELECT run, sum(hits) AS hits FROM src.hit GROUP BY run) h ON h.run = r.id
  WHERE true
  ON CONFLICT (uuid) DO UPDATE SET source = excluded.source, started = excluded.started,
    ended = excluded.ended, executions = excluded.executions, observations = excluded.observations, hits = excluded.hits
  WHERE (excluded.ended, excluded.executions, excluded.observations, excluded.hits, excluded.started) >
    (candidate.ended, candidate.executions, candidate.observations, candidate.hits, candidate.started);
