-- Of orders that the service listed and the ledger did not make: their names from the last character to the first, in small
-- letters, by which one is found that was sent with another `order_prefix`. Those that were listed before get theirs when
-- the list is read anew, as it is after a ledger was lost or put back.
ALTER TABLE listed ADD COLUMN backwards TEXT;
CREATE INDEX listed_backwards ON listed (account_id, backwards) WHERE backwards IS NOT NULL;
