-- The ledger: what was promised for each order, and what each taken sheet came to.
-- Times: `*_at` are milliseconds since 1970 (wall clock); `*_boot` are milliseconds on the boot clock of `*_boot_id`.
-- Amounts are decimal text. Content that names a person is erased when its order is final.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- An account is its base_url and e-mail; the name is what the config calls it.
CREATE TABLE account (
    id             INTEGER PRIMARY KEY,
    name           TEXT NOT NULL UNIQUE,
    base_url       TEXT NOT NULL,
    email          TEXT NOT NULL,
    walked_to_at   INTEGER,             -- the service's order list is known up to here
    walked_boot_id TEXT,                -- when that walk ended
    walked_boot    INTEGER,
    suspect_until_at INTEGER,           -- the list showed what the ledger did not know: look up before each create
    quiet_boot_id  TEXT,                -- no create before `absent_after` has passed since
    quiet_boot     INTEGER,
    UNIQUE (base_url, email)
) STRICT;

-- A sheet that was taken.
CREATE TABLE claim (
    id             INTEGER PRIMARY KEY,
    account_id     INTEGER NOT NULL REFERENCES account (id),
    inbox          TEXT NOT NULL,
    purpose        TEXT NOT NULL CHECK (purpose IN ('send', 'try')),
    place          TEXT NOT NULL,       -- the path it was taken from
    sheet_name     TEXT NOT NULL,
    stem           TEXT NOT NULL,
    hash           TEXT NOT NULL,       -- SHA-256 of its bytes; names the copy in the spool
    stamp          TEXT NOT NULL,       -- size, times and inode of the original when it was copied
    taken_at       INTEGER NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('taken', 'worked', 'done', 'rejected')),
    left_in_place  INTEGER NOT NULL DEFAULT 0,
    stale          INTEGER NOT NULL DEFAULT 0,   -- how many news since its result was written
    out_path       TEXT,                -- where its results go, if not to the inbox's folder
    result_path    TEXT,
    result_hash    TEXT,
    result_at      INTEGER,
    UNIQUE (inbox, stem)
) STRICT;
CREATE INDEX claim_open ON claim (state) WHERE state IN ('taken', 'worked');
CREATE INDEX claim_stale ON claim (stale) WHERE stale > 0;

CREATE TABLE orders (
    id             INTEGER PRIMARY KEY,
    account_id     INTEGER NOT NULL REFERENCES account (id),
    order_id       TEXT NOT NULL,       -- as sent
    inbox          TEXT NOT NULL,
    sheet_order_id TEXT NOT NULL,       -- as in the sheet
    state          TEXT NOT NULL,
    came_from      TEXT NOT NULL,       -- the state before `sending`
    claim_id       INTEGER NOT NULL REFERENCES claim (id),   -- whose content this is
    fingerprint    TEXT NOT NULL,       -- of the merchant's own content
    field_hashes   TEXT NOT NULL,       -- JSON: a hash a field, to say what differs
    content        TEXT,                -- JSON of the checked order; erased when final
    signature      TEXT NOT NULL,       -- what a candidate must have: SKUs with quantities, country
    country_code   TEXT NOT NULL,
    quote          TEXT,                -- JSON
    holds          TEXT,                -- JSON
    note           TEXT NOT NULL DEFAULT '',     -- the service's word, or why a person is needed
    pw_order_id    TEXT,
    others         INTEGER NOT NULL DEFAULT 0,   -- further orders of this id seen at the service
    sends          INTEGER NOT NULL DEFAULT 0,   -- creates that may have left since the content was taken
    unanswered     INTEGER NOT NULL DEFAULT 0,   -- of those, without an answer
    entered_at     INTEGER,
    service        TEXT,                -- JSON of the service's amounts
    service_read_at INTEGER,
    order_status   TEXT,
    payment_status TEXT,
    trackings      TEXT,                -- JSON, raw
    changed_at     INTEGER NOT NULL,
    UNIQUE (account_id, order_id),
    UNIQUE (inbox, sheet_order_id)
) STRICT;
-- Spelt with OR: SQLite does not see that `state = 'held'` implies an IN, and would never use the index.
CREATE INDEX orders_open ON orders (account_id, state, changed_at)
    WHERE state = 'sending' OR state = 'unresolved' OR state = 'canceling' OR state = 'held';
CREATE INDEX orders_created ON orders (account_id, changed_at) WHERE state = 'created';
CREATE INDEX orders_newest ON orders (changed_at, state, account_id);   -- for `status` and `orders list`
CREATE INDEX orders_claim ON orders (claim_id);

-- Every create that was intended. Kept for the audit.
CREATE TABLE attempt (
    order_id        INTEGER NOT NULL REFERENCES orders (id),
    number          INTEGER NOT NULL,
    intended_at     INTEGER NOT NULL,
    intended_boot_id TEXT NOT NULL,
    intended_boot   INTEGER NOT NULL,
    ended_at        INTEGER,
    ended_boot_id   TEXT,
    ended_boot      INTEGER,
    service_date_at INTEGER,            -- the service's own clock, with the latest answer about it
    answer          TEXT,               -- created, refused, not-sent, unknown, crashed
    PRIMARY KEY (order_id, number)
) STRICT, WITHOUT ROWID;

-- What is known of the absence of an unanswered order at the service; one row an unresolved order.
CREATE TABLE absence (
    order_id      INTEGER PRIMARY KEY REFERENCES orders (id),
    looks         INTEGER NOT NULL DEFAULT 0,   -- look-ups that answered and saw none
    looked_at     INTEGER,
    looked_boot_id TEXT,
    looked_boot   INTEGER,
    since_boot_id TEXT NOT NULL,                -- the wait began here
    since_boot    INTEGER NOT NULL,
    since_service_at INTEGER,                   -- the same by the service's clock, for a wait across a reboot
    person        TEXT                          -- why a person has to decide
) STRICT;

CREATE TABLE event (
    id       INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    at       INTEGER NOT NULL,
    claim_id INTEGER,
    old      TEXT NOT NULL,
    new      TEXT NOT NULL,
    why      TEXT NOT NULL
) STRICT;
CREATE INDEX event_order ON event (order_id);

-- What became of an order (or of a row of none) in one taken sheet.
CREATE TABLE outcome (
    claim_id   INTEGER NOT NULL REFERENCES claim (id),
    first_row  INTEGER NOT NULL,
    order_ref  INTEGER REFERENCES orders (id),  -- set: the status follows the order's state
    status     TEXT NOT NULL,                   -- else this status
    order_id   TEXT NOT NULL,                   -- as sent, or as it would be
    pw_order_id TEXT,                           -- of an order that the ledger did not make
    first_sheet TEXT,                           -- the sheet it is known from, where it follows no order
    message    TEXT NOT NULL,
    findings   TEXT NOT NULL,                   -- JSON
    quote      TEXT,                            -- JSON, of an order that was only priced
    country_code TEXT,
    PRIMARY KEY (claim_id, first_row)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_order ON outcome (order_ref) WHERE order_ref IS NOT NULL;

-- Orders of an account that the service listed and the ledger did not make.
CREATE TABLE listed (
    account_id   INTEGER NOT NULL REFERENCES account (id),
    order_id     TEXT NOT NULL,
    pw_order_id  TEXT NOT NULL,
    signature    TEXT NOT NULL,
    zip          TEXT,
    entered_at   INTEGER,
    PRIMARY KEY (account_id, order_id, pw_order_id)
) STRICT, WITHOUT ROWID;

-- Files seen in an inbox and not yet taken.
CREATE TABLE sighting (
    place      TEXT PRIMARY KEY,
    stamp      TEXT NOT NULL,
    since_boot_id TEXT NOT NULL,
    since_boot INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
