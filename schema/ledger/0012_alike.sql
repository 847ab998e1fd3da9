-- Orders that the service lists under a name which differs from the one that was sent in writing alone.

-- The letters and digits of its name, in small letters. Names that were written down before this column came have those
-- marks taken out that ids are written with; they are written down anew when they are listed again.
ALTER TABLE listed ADD COLUMN plain TEXT NOT NULL DEFAULT '';
UPDATE listed SET plain = lower(replace(replace(replace(replace(replace(replace(order_id,
    '#', ''), '-', ''), '_', ''), ' ', ''), '/', ''), '.', ''));
CREATE INDEX listed_plain ON listed (account_id, plain);
