-- What every order writes and reads again and again, made small: a row that shrinks when its content is erased leaves half
-- of its page empty for ever, and what triggers add up for each order is added up once in each transaction.

-- What is sent of an order, as JSON; erased when that is final. Orders without it lie close together.
CREATE TABLE content (
    order_id INTEGER PRIMARY KEY REFERENCES orders (id),
    json     TEXT NOT NULL
) STRICT;
INSERT INTO content SELECT id, content FROM orders WHERE content IS NOT NULL;
DROP INDEX orders_content;
ALTER TABLE orders DROP COLUMN content;

-- A hash a field of an order's own content, as JSON: half of its row, written once and read to say what differs.
CREATE TABLE field_hash (
    order_id INTEGER PRIMARY KEY REFERENCES orders (id),
    hashes   TEXT NOT NULL
) STRICT;
INSERT INTO field_hash SELECT id, field_hashes FROM orders;
ALTER TABLE orders DROP COLUMN field_hashes;

-- For the erasing of old content.
CREATE INDEX orders_ended_badly ON orders (changed_at) WHERE state = 'refused' OR state = 'abandoned';

-- Whoever writes a state counts it, and whoever writes an outcome counts the change of its sheet.
DROP TRIGGER tally_inserted;
DROP TRIGGER tally_changed;
DROP TRIGGER outcome_written;
DROP TRIGGER outcome_forgotten;
