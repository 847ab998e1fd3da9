-- Of orders that the service listed and the ledger did not make: whether they are canceled there, by the service's word
-- or by a cancel of ours that it has confirmed.

ALTER TABLE listed ADD COLUMN canceled INTEGER;  -- null: neither that it is canceled nor that it goes on was said
