-- A variant's whole detail, as JSON: locations with costs and print areas, attributes. What was cached without is read again.

DELETE FROM product;
DROP TABLE detail;

CREATE TABLE detail (
    account TEXT NOT NULL,
    product_code TEXT NOT NULL,
    position INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (account, product_code, position),
    FOREIGN KEY (account, product_code) REFERENCES product (account, code) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What was found under the URL of an artwork; both are SHA-256, for a URL may hold a key of its own.
CREATE TABLE artwork (
    url TEXT NOT NULL PRIMARY KEY,
    content TEXT NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What refreshes have changed: a SKU that is new, gone or dearer. Kept for a month.
CREATE TABLE change (
    account TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('new', 'gone', 'dearer')),
    sku TEXT NOT NULL,
    place TEXT NOT NULL, -- the location, of a SKU that is dearer there
    old TEXT NOT NULL,   -- costs as decimal text
    new TEXT NOT NULL,
    PRIMARY KEY (account, at, kind, sku, place)
) STRICT, WITHOUT ROWID;
