-- What a person is told of: notices that come before their order's id is known, orders that vanish by the hundred, totals
-- unlike their quotes, be it of all orders, and what ended sheets have come to.

-- For the notices of problems that are looked at again when the service's id of an order is written down.
CREATE INDEX notification_problems ON notification (account_id, last_at) WHERE kind = 'order-problem';

-- When the service was last asked for the order by its id, for its list did not show it.
ALTER TABLE orders ADD COLUMN asked_at INTEGER;

-- A total unlike its quote is told for a while and kept for ever: it has an index of its own, by when it came to be.
DROP INDEX orders_flagged;
-- The same words as in the query: SQLite compares the terms as they are written.
CREATE INDEX orders_flagged ON orders (id)
    WHERE trouble_at IS NOT NULL OR missing_at IS NOT NULL OR noticed_at IS NOT NULL OR others > 0;
CREATE INDEX orders_differing ON orders (differs_at)
    WHERE differs_at IS NOT NULL AND (state = 'created' OR state = 'canceling');

-- Counts what may change the statuses of a sheet's orders, so that they are counted anew only then: its own state, the
-- states of its orders, and what is said in a sheet that has ended.
ALTER TABLE claim ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER outcome_written AFTER INSERT ON outcome BEGIN
    UPDATE claim SET changes = changes + 1 WHERE id = NEW.claim_id AND state = 'done';
END;
CREATE TRIGGER outcome_forgotten AFTER DELETE ON outcome BEGIN
    UPDATE claim SET changes = changes + 1 WHERE id = OLD.claim_id AND state = 'done';
END;
