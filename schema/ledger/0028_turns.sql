-- In which turn the service was last asked about an order without an answer, or for a wished cancel, counted over all:
-- whoever has time for some alone begins with those that were asked about longest ago. No clock counts, for one may be set
-- back.
ALTER TABLE orders ADD COLUMN asked_turn INTEGER;
CREATE INDEX orders_asked ON orders (asked_turn) WHERE asked_turn IS NOT NULL;
