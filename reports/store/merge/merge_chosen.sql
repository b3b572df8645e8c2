CREATE TEMP TABLE chosen AS SELECT uuid, source, row_number() OVER (ORDER BY started, uuid) AS id,
  sum(observations) OVER (ORDER BY started, uuid) - observations AS observations_before FROM candidate;
CREATE UNIQUE INDEX temp.chosen_uuid ON chosen(uuid);
CREATE TEMP TABLE m_run AS SELECT * FROM main.run WHERE false;
CREATE TEMP TABLE m_backend AS SELECT * FROM main.backend WHERE false;
CREATE TEMP TABLE m_coverage AS SELECT * FROM main.coverage WHERE false;
CREATE TEMP TABLE m_ladder AS SELECT * FROM main.ladder WHERE false;
CREATE TEMP TABLE m_agreement AS SELECT * FROM main.agreement WHERE false;
CREATE TEMP TABLE m_construct AS SELECT * FROM main.construct WHERE false;
CREATE TEMP TABLE m_decline AS SELECT * FROM main.decline WHERE false;
CREATE TEMP TABLE m_qualification AS SELECT * FROM main.qualification WHERE false;
CREATE TEMP TABLE m_change AS SELECT * FROM main.change WHERE false;
CREATE TEMP TABLE m_count AS SELECT * FROM main.policy_count WHERE false;
CREATE TEMP TABLE m_night AS SELECT * FROM main.night WHERE false;
CREATE TEMP TABLE m_known AS SELECT * FROM main.known WHERE false;
CREATE TEMP TABLE m_sentence AS SELECT * FROM main.policy WHERE false;
CREATE TEMP TABLE m_sweep (call, backend, version, build, block, op, dtype, inputs,
  PRIMARY KEY (call, backend, version, build, block));
CREATE TEMP TABLE m_block (call, backend, version, build, block, number, inputs, correct, wrong, undecided, open,
  unjudged, bins, worst_ulps, worst_input, seconds, PRIMARY KEY (call, backend, version, build, block, number));
CREATE TEMP TABLE m_departure (call, backend, version, build, block, number, what, kind, count, first, worst, ulps,
  filed, PRIMARY KEY (call, backend, version, build, block, number, what, kind));
