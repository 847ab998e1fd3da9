-- What a person is told of: notices that come before their order's id is known, and orders that vanish by the hundred.

CREATE INDEX notification_problems ON notification (account_id, last_at) WHERE kind = 'order-problem';

-- When the service was last asked for the order by its id, for its list did not show it.
ALTER TABLE orders ADD COLUMN asked_at INTEGER;
