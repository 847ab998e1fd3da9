-- For whoever has the service's id of an order that the ledger did not make, in any writing: asked of each create that was
-- answered with another order's name, while all others wait.
CREATE INDEX listed_called ON listed (account_id, pw_order_id COLLATE NOCASE);
