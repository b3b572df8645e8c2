-- Findings that are in the database already, to be ranked beside those of the source.
CREATE TABLE src.finding AS SELECT * FROM main.finding WHERE id IN (SELECT id FROM met);
