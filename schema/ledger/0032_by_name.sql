-- For whoever has the service's id of an order that the ledger did not make, in any writing: asked of each create that was
-- answered with another order's name, while all others wait.
CREATE INDEX listed_called ON listed (account_id, pw_order_id COLLATE NOCASE);

-- For whether a sheet came again under its name, which is asked every few seconds.
CREATE INDEX claim_named ON claim (inbox, sheet_name);
