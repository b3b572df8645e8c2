CREATE TEMP TABLE chosen AS SELECT uuid, source, started, b.runs + row_number() OVER (ORDER BY started, uuid) AS id,
  b.observations + sum(c.observations) OVER (ORDER BY started, uuid) - c.observations AS observations_before FROM candidate c, base b;
CREATE UNIQUE INDEX temp.chosen_uuid ON chosen(uuid);
-- Of each run the counts of the largest unit that it is in; alone it counts as the chosen source has it.
CREATE TEMP TABLE unit_size AS SELECT source, leader, count(*) AS size FROM unit GROUP BY source, leader;
CREATE UNIQUE INDEX temp.unit_size_key ON unit_size(source, leader);
CREATE TEMP TABLE counted AS SELECT uuid, source, leader, size FROM (
  SELECT u.uuid, u.source, u.leader, s.size, row_number() OVER (PARTITION BY u.uuid
    ORDER BY s.size DESC, u.leader, s.size = 1 AND u.source <> c.source, u.source) AS place
  FROM unit u JOIN unit_size s ON s.source = u.source AND s.leader = u.leader JOIN chosen c ON c.uuid = u.uuid)
  WHERE place = 1;
-- Units that have a part of their runs in common, of which no sum can be told.
CREATE TEMP TABLE torn AS SELECT leader, source FROM counted GROUP BY source, leader HAVING count(*) < min(size);
-- The run under which each is counted now: of those alike the first one, or the one it had.
CREATE TEMP TABLE home AS SELECT d.uuid, d.source, d.leader, first_value(d.uuid) OVER (
    PARTITION BY iif((SELECT fold FROM way) AND l.kin IS NOT NULL, 'kin ' || l.kin, d.leader) ORDER BY c.started, d.uuid) AS home
  FROM counted d JOIN chosen c ON c.uuid = d.uuid JOIN candidate l ON l.uuid = d.leader;
CREATE UNIQUE INDEX temp.home_uuid ON home(uuid);
CREATE TEMP TABLE m_run AS SELECT * FROM main.run WHERE false;
CREATE TEMP TABLE m_backend AS SELECT * FROM main.backend WHERE false;
CREATE TEMP TABLE m_coverage AS SELECT * FROM main.coverage WHERE false;
CREATE UNIQUE INDEX temp.m_coverage_key ON m_coverage(run, op, dtype, fill, backend);
CREATE TEMP TABLE m_ladder AS SELECT * FROM main.ladder WHERE false;
CREATE UNIQUE INDEX temp.m_ladder_key ON m_ladder(run, op, backend, step);
CREATE TEMP TABLE m_agreement AS SELECT * FROM main.agreement WHERE false;
CREATE UNIQUE INDEX temp.m_agreement_key ON m_agreement(run, op, dtype, backend, model);
CREATE TEMP TABLE m_construct AS SELECT * FROM main.construct WHERE false;
CREATE UNIQUE INDEX temp.m_construct_key ON m_construct(run, op, construct, backend);
CREATE TEMP TABLE m_decline AS SELECT * FROM main.decline WHERE false;
CREATE UNIQUE INDEX temp.m_decline_key ON m_decline(run, op, backend, reason);
CREATE TEMP TABLE m_redraw AS SELECT * FROM main.redraw WHERE false;
CREATE UNIQUE INDEX temp.m_redraw_key ON m_redraw(run, op, backend, reason);
CREATE TEMP TABLE m_qualification AS SELECT * FROM main.qualification WHERE false;
CREATE TEMP TABLE m_change AS SELECT * FROM main.change WHERE false;
CREATE TEMP TABLE m_count AS SELECT * FROM main.policy_count WHERE false;
CREATE UNIQUE INDEX temp.m_count_key ON m_count(run, policy, backend);
CREATE TEMP TABLE m_night AS SELECT * FROM main.night WHERE false;
CREATE TEMP TABLE m_known AS SELECT * FROM main.known WHERE false;
CREATE TEMP TABLE m_sentence AS SELECT * FROM main.policy WHERE false;
CREATE TEMP TABLE m_sweep (call, backend, version, build, block, op, dtype, inputs,
  PRIMARY KEY (call, backend, version, build, block));
CREATE TEMP TABLE m_block (call, backend, version, build, block, number, inputs, correct, wrong, undecided, open,
  unjudged, bins, worst_ulps, worst_input, seconds, PRIMARY KEY (call, backend, version, build, block, number));
CREATE TEMP TABLE m_departure (call, backend, version, build, block, number, what, kind, count, first, worst, ulps,
  filed, PRIMARY KEY (call, backend, version, build, block, number, what, kind));
