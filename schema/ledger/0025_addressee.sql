-- Of orders that the service listed and the ledger did not make: hashes of name, street and city, as JSON.

ALTER TABLE listed ADD COLUMN addressee TEXT;  -- null: it was listed before this was kept
