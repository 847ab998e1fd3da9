-- What the service's catalog said, by account (a hash of base URL and e-mail). A cache: it can be deleted at any time.
-- Times are milliseconds since 1970 UTC.

CREATE TABLE catalog (
    account TEXT NOT NULL PRIMARY KEY,
    read_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE entry (
    account TEXT NOT NULL REFERENCES catalog (account) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    sku TEXT NOT NULL,
    product_code TEXT NOT NULL,
    product_name TEXT NOT NULL,
    title TEXT NOT NULL,
    variant_id TEXT NOT NULL,
    PRIMARY KEY (account, position)
) STRICT, WITHOUT ROWID;

-- A product whose detail was read, also when it has no variants.
CREATE TABLE product (
    account TEXT NOT NULL,
    code TEXT NOT NULL,
    read_at INTEGER NOT NULL,
    PRIMARY KEY (account, code)
) STRICT, WITHOUT ROWID;

CREATE TABLE detail (
    account TEXT NOT NULL,
    product_code TEXT NOT NULL,
    position INTEGER NOT NULL,
    sku TEXT NOT NULL,
    availability TEXT,
    locations TEXT NOT NULL, -- a JSON array of names
    PRIMARY KEY (account, product_code, position),
    FOREIGN KEY (account, product_code) REFERENCES product (account, code) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
