-- Version 11: what the findings of a bug need, as its title and its text for upstream say it: "beta =
-- NaN and a negative increment", empty where they need nothing.
ALTER TABLE bug ADD COLUMN condition TEXT NOT NULL DEFAULT '';
PRAGMA user_version = 11;
