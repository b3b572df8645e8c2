INSERT INTO main.observation SELECT c.observations_before + row_number() OVER (PARTITION BY o.run ORDER BY o.id),
    c.id, n.id, o.backend, o.raw, o.line, o.ratio, o.expected, o.got, o.seen
  FROM src.observation o JOIN src.run r ON r.id = o.run
  JOIN chosen c ON c.uuid = r.uuid AND c.source = (SELECT source FROM this)
  JOIN src.finding f ON f.id = o.finding JOIN main.finding n ON n.signature = f.signature;
