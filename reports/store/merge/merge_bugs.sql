-- Bugs are numbered by their findings, as in a database that is made anew.
PRAGMA defer_foreign_keys = ON;
DELETE FROM bug;
