-- Version 14: what the cases of an operator, an element type and a kind of data cost on a library: all that was
-- done for them, without minimising.
ALTER TABLE coverage ADD COLUMN nanoseconds INTEGER NOT NULL DEFAULT 0;
PRAGMA user_version = 14;
