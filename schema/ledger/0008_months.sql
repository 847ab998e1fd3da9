-- Months whose costs were written by themselves, and what their workbooks said of each order: what changes later stands
-- in a later month's.

CREATE TABLE closed_month (
    account_id INTEGER NOT NULL REFERENCES account (id),
    month      TEXT NOT NULL,           -- 2026-10
    from_at    INTEGER NOT NULL,        -- when it began, in the zone of the config then
    closed_at  INTEGER NOT NULL,
    said       TEXT NOT NULL,           -- JSON: the sums of its workbook
    PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;

-- What was last told of an order. Totals are JSON numbers, as they stand in `orders.quote` and `orders.service`.
CREATE TABLE told_cost (
    order_id INTEGER PRIMARY KEY REFERENCES orders (id),
    month    TEXT NOT NULL,             -- the month that it counts in
    canceled INTEGER NOT NULL,          -- it was told among the canceled ones
    quoted   TEXT,
    service  TEXT
) STRICT;
