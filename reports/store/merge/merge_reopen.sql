-- What was fixed in one source and seen later in another is back.
INSERT INTO event (finding, actor, kind, payload, at, uuid, sequence)
  SELECT f.id, 'opconform', 'state', json_object('state', 'reopened', 'reason', 'seen again'), h.last_seen,
    r.uuid || ' ' || f.signature, 1 + (SELECT max(sequence) FROM event WHERE finding = f.id)
  FROM finding f JOIN hit h ON h.finding = f.id JOIN run r ON r.id = h.run
  WHERE f.state = 'fixed' AND h.hits > 0 AND h.last_seen > (SELECT max(at) FROM event e
    WHERE e.finding = f.id AND e.kind = 'state') ORDER BY f.id, h.last_seen, r.uuid;
