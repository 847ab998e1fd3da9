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

-- For what `status` tells of the newest sheets: a sheet of 100 000 orders is not read for the three that went wrong.
CREATE INDEX orders_refused ON orders (claim_id) WHERE state = 'refused';

-- How many orders are in each state, kept with every change: counting millions takes a second each time.
CREATE TABLE tally (
    state  TEXT PRIMARY KEY,
    orders INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tally SELECT state, count(*) FROM orders GROUP BY state;
CREATE TRIGGER tally_inserted AFTER INSERT ON orders BEGIN
    INSERT INTO tally VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET orders = orders + 1;
END;
CREATE TRIGGER tally_changed AFTER UPDATE OF state ON orders WHEN OLD.state <> NEW.state BEGIN
    UPDATE tally SET orders = orders - 1 WHERE state = OLD.state;
    INSERT INTO tally VALUES (NEW.state, 1) ON CONFLICT DO UPDATE SET orders = orders + 1;
END;
