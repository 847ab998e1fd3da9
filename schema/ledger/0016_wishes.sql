-- A cancel whose row says more than an id speaks of an order of its own inbox alone: another inbox's of that id may be
-- another order.
ALTER TABLE cancel_wish ADD COLUMN of_its_inbox INTEGER NOT NULL DEFAULT 0;
