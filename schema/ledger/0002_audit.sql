-- Every order that ever had a create without an answer is counted at the service again, soon and long afterwards: the
-- service could have carried it out later than its absence was believed.
CREATE TABLE audit (
    order_id      INTEGER PRIMARY KEY REFERENCES orders (id),
    since_at      INTEGER NOT NULL,             -- its latest create ended here; the rounds are counted from it
    since_boot_id TEXT NOT NULL,
    since_boot    INTEGER NOT NULL,
    rounds        INTEGER NOT NULL DEFAULT 0,   -- how many have been made since then
    is_open       INTEGER NOT NULL DEFAULT 1,   -- whether another one is due
    counted       INTEGER,                      -- orders of its name and content at the service, in the latest one
    counted_at    INTEGER
) STRICT;
CREATE INDEX audit_open ON audit (since_at) WHERE is_open = 1;

INSERT INTO audit (order_id, since_at, since_boot_id, since_boot)
    SELECT order_id, max(coalesce(ended_at, intended_at)), coalesce(ended_boot_id, intended_boot_id),
           coalesce(ended_boot, intended_boot)
    FROM attempt WHERE answer IN ('unknown', 'crashed') GROUP BY order_id;

-- For the orders of which the service has more than one.
CREATE INDEX orders_several ON orders (changed_at) WHERE others > 0;
