-- Cancels that were asked for of orders which an older sheet may still have to send: such an order is in no other table.

-- A row that asks for a cancel. It holds against the sheets that were taken before its own, and is forgotten when none of
-- them is left to send anything.
CREATE TABLE cancel_wish (
    claim_id       INTEGER NOT NULL REFERENCES claim (id),   -- the sheet that asks
    first_row      INTEGER NOT NULL,    -- the first row in it that does
    account_id     INTEGER NOT NULL REFERENCES account (id),
    order_id       TEXT NOT NULL,       -- as it would be sent
    inbox          TEXT NOT NULL,
    sheet_order_id TEXT NOT NULL,       -- as in the sheet that asks
    asked_at       INTEGER NOT NULL,
    PRIMARY KEY (account_id, order_id, claim_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX cancel_wish_sheet ON cancel_wish (inbox, sheet_order_id, claim_id);
