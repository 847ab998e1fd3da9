-- The order after its create: what its shop calls it, what the service has come to say of it, its parcels, the files
-- that tell of them, and what people ask of a running dropsheet.

ALTER TABLE orders ADD COLUMN shop_order TEXT;          -- the shop's own order number, where the sheet gives one
ALTER TABLE orders ADD COLUMN shop_items TEXT;          -- JSON: the shop's own ids of its items, with quantities
ALTER TABLE orders ADD COLUMN watched INTEGER NOT NULL DEFAULT 1;   -- news are still to come: 0 when it has its tracking
ALTER TABLE orders ADD COLUMN trouble_at INTEGER;       -- since when the service's words name a trouble
ALTER TABLE orders ADD COLUMN differs_at INTEGER;       -- since when the service's total is not the quoted one
ALTER TABLE orders ADD COLUMN missing_at INTEGER;       -- since when the service does not know the order any more

UPDATE orders SET watched = 0 WHERE trackings IS NOT NULL;

CREATE INDEX orders_watched ON orders (account_id, coalesce(entered_at, changed_at))
    WHERE watched = 1 AND (state = 'created' OR state = 'canceling');
-- The same words as in the query: SQLite compares the terms as they are written.
CREATE INDEX orders_flagged ON orders (id)
    WHERE trouble_at IS NOT NULL OR differs_at IS NOT NULL OR missing_at IS NOT NULL OR others > 0;

CREATE INDEX outcome_of_none ON outcome (order_id) WHERE order_ref IS NULL;
CREATE INDEX outcome_to_fix ON outcome (claim_id, status) WHERE order_ref IS NULL;
CREATE INDEX outcome_cancel ON outcome (order_ref) WHERE status = 'canceling';

-- When the days that are older than a week were last read.
ALTER TABLE account ADD COLUMN old_days_boot_id TEXT;
ALTER TABLE account ADD COLUMN old_days_boot INTEGER;

-- Every parcel that a tracking has told of, with the moment it was first told.
CREATE TABLE parcel (
    order_id INTEGER NOT NULL REFERENCES orders (id),
    name     TEXT NOT NULL,             -- its number, else its link, else the raw item
    number   TEXT,
    carrier  TEXT,
    link     TEXT,
    known_at INTEGER NOT NULL,
    PRIMARY KEY (order_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX parcel_known ON parcel (known_at);

-- Files of dropsheet's own that are written again while nobody else has changed them.
CREATE TABLE own_file (
    inbox   TEXT NOT NULL,
    name    TEXT NOT NULL,              -- what it is: attention, trackings-2026-11-21
    path    TEXT NOT NULL,              -- where it was put
    hash    TEXT NOT NULL,              -- SHA-256 of its bytes
    content TEXT NOT NULL,              -- SHA-256 of what it tells
    PRIMARY KEY (inbox, name)
) STRICT, WITHOUT ROWID;

-- What a command asks of the process that works the ledger.
CREATE TABLE request (
    id          INTEGER PRIMARY KEY,
    asked       TEXT NOT NULL,          -- JSON
    asked_at    INTEGER NOT NULL,
    taken_at    INTEGER,                -- it is being done
    answered_at INTEGER,
    answer      TEXT                    -- JSON
) STRICT;
CREATE INDEX request_open ON request (id) WHERE answered_at IS NULL;
