-- Whether all of the source comes behind what the database has, whose numbers then stay as they are: its runs are later,
-- its findings are met ones or were seen later, and of what is numbered as a whole it has nothing.
INSERT INTO met SELECT m.signature, m.id FROM src.finding f JOIN main.finding m ON m.signature = f.signature;
CREATE TEMP TABLE src_seen AS SELECT f.signature, min(h.first_seen) AS first_seen FROM src.finding f JOIN src.hit h
  ON h.finding = f.id GROUP BY f.id;
CREATE TEMP TABLE grows AS SELECT EXISTS (SELECT 1 FROM src.run) AND EXISTS (SELECT 1 FROM main.run)
  AND NOT EXISTS (SELECT 1 FROM src.run WHERE counts_of IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM src.known)
  AND NOT EXISTS (SELECT 1 FROM src.sweep) AND NOT EXISTS (SELECT 1 FROM src.artifact)
  AND NOT EXISTS (SELECT 1 FROM src.run WHERE (started, uuid) <=
    (SELECT started, uuid FROM main.run ORDER BY started DESC, uuid DESC LIMIT 1))
  AND NOT EXISTS (SELECT 1 FROM src.run JOIN main.run m USING (uuid))
  AND NOT EXISTS (SELECT 1 FROM (SELECT id, row_number() OVER (ORDER BY started, uuid) AS place FROM main.run) WHERE id <> place)
  AND NOT EXISTS (SELECT 1 FROM (SELECT id, row_number() OVER (ORDER BY first_seen, signature) AS place FROM main.finding)
    WHERE id <> place)
  AND NOT EXISTS (SELECT 1 FROM src_seen s JOIN met USING (signature) JOIN main.finding m ON m.id = met.id
    WHERE s.first_seen < m.first_seen)
  AND NOT EXISTS (SELECT 1 FROM src_seen s WHERE s.signature NOT IN (SELECT signature FROM met) AND (s.first_seen, s.signature) <=
    (SELECT first_seen, signature FROM main.finding ORDER BY first_seen DESC, signature DESC LIMIT 1)) AS grows;
