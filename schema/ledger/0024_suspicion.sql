-- When each order came to be looked up before its create, by the boot clock too: the machine's own may be set meanwhile.
-- And from where on the list has shown an order without an id, which may be any: it is read from there until all have one.

ALTER TABLE account ADD COLUMN suspect_boot_id TEXT;
ALTER TABLE account ADD COLUMN suspect_boot INTEGER;
ALTER TABLE account ADD COLUMN without_id_from_at INTEGER;  -- null: each order that was listed had one
