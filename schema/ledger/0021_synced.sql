-- When the list was last read for news of all orders that are still to have some: a walk reads of the newest alone.

ALTER TABLE account ADD COLUMN synced_boot_id TEXT;  -- null before the first walk, which reads all there is
ALTER TABLE account ADD COLUMN synced_boot INTEGER;
UPDATE account SET synced_boot_id = walked_boot_id, synced_boot = walked_boot;
