-- Orders that wait for a person: their approval, the sheets that list them, and the money of a day.
-- Amounts are decimal text; `*_at` are milliseconds since 1970 (wall clock).

ALTER TABLE orders ADD COLUMN hold_number INTEGER NOT NULL DEFAULT 0;   -- how often it was held; an approval names one
ALTER TABLE orders ADD COLUMN held_at INTEGER;                          -- when it was held last
ALTER TABLE orders ADD COLUMN approved_total TEXT;                      -- a person lets it be sent at most at this total
ALTER TABLE orders ADD COLUMN reserved_day TEXT;                        -- the day of which its quote is reserved
ALTER TABLE orders ADD COLUMN reserved TEXT;                            -- how much of it

CREATE INDEX orders_held ON orders (claim_id) WHERE state = 'held';

-- The held sheet of a taken sheet: `held/TIME_NAME.held.xlsx`.
CREATE TABLE held_sheet (
    claim_id INTEGER PRIMARY KEY REFERENCES claim (id),
    stale    INTEGER NOT NULL DEFAULT 0,   -- how many news since it was written
    path     TEXT,                         -- where it was put; none while nothing is listed
    hash     TEXT,                         -- SHA-256 of what was put there: such a file is dropsheet's own
    said_at  INTEGER                       -- when it was last said that its orders still wait
) STRICT;

-- What an inbox has reserved of a day of `zone`, for `daily_limit`.
CREATE TABLE day_money (
    inbox    TEXT NOT NULL,
    day      TEXT NOT NULL,                -- 2026-11-21
    reserved TEXT NOT NULL,
    PRIMARY KEY (inbox, day)
) STRICT, WITHOUT ROWID;
