-- What the operator is told: the last look at each inbox, how far a sheet is, and what was told already.

-- The last look at an inbox; one row an inbox.
CREATE TABLE look (
    inbox         TEXT PRIMARY KEY,
    looked_at     INTEGER NOT NULL,
    trouble       TEXT,                 -- why the folder cannot be worked
    trouble_since_at INTEGER,
    waiting       INTEGER NOT NULL,     -- files that are still changing or not whole
    left_alone    TEXT NOT NULL,        -- JSON: [[path, why], …]
    free_bytes    INTEGER,              -- of the folder's disk
    total_bytes   INTEGER
) STRICT, WITHOUT ROWID;

-- How large the sheets under way are; one row a sheet from its first pass on.
CREATE TABLE work (
    claim_id      INTEGER PRIMARY KEY REFERENCES claim (id),
    orders        INTEGER NOT NULL,     -- in the sheet
    known         INTEGER NOT NULL,     -- of those, with an outcome when this work began
    begun_at      INTEGER NOT NULL
) STRICT;

-- What a person was told by mail or a command, so that it is not told twice.
CREATE TABLE notice (
    key           TEXT PRIMARY KEY,
    told_at       INTEGER NOT NULL,
    seen_at       INTEGER NOT NULL      -- when it was last so
) STRICT, WITHOUT ROWID;

-- For the erasing of old content, and the copies that no sheet needs any more.
CREATE INDEX claim_hash ON claim (hash, taken_at);
CREATE INDEX orders_content ON orders (changed_at) WHERE content IS NOT NULL AND (state = 'refused' OR state = 'abandoned');
