-- What the service sends of itself: notifications as they came, and the orders that they ring for.

-- A notification is a doorbell, never a fact: its body is kept as it came, and its orders are read from the service.
CREATE TABLE notification (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account (id),
    kind       TEXT NOT NULL CHECK (kind IN ('order-problem', 'tracking')),
    hash       TEXT NOT NULL,           -- SHA-256 of the body: a repeat is counted, not kept again
    body       BLOB NOT NULL,
    first_at   INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    times      INTEGER NOT NULL DEFAULT 1,
    unread     INTEGER NOT NULL DEFAULT 1,   -- the orders in it have not been rung for yet
    orders     INTEGER NOT NULL DEFAULT 0,   -- how many of ours it names
    UNIQUE (account_id, kind, hash)
) STRICT;
CREATE INDEX notification_unread ON notification (account_id) WHERE unread = 1;
CREATE INDEX notification_last ON notification (last_at);

-- An order that is to be read from the service because a notification has named it; one row however often it rang.
CREATE TABLE doorbell (
    order_id   INTEGER PRIMARY KEY REFERENCES orders (id),
    account_id INTEGER NOT NULL REFERENCES account (id),
    rings      INTEGER NOT NULL DEFAULT 1,   -- how often it rang
    answered   INTEGER NOT NULL DEFAULT 0,   -- how often it had rung when the order was last read
    is_problem INTEGER NOT NULL,             -- a notice of a problem has rung since
    read_at    INTEGER                       -- the latest reading: rung again soon after it, the order waits
) STRICT;
CREATE INDEX doorbell_unanswered ON doorbell (account_id, order_id) WHERE rings > answered;

-- Since when the service's own notices say that an order has a problem.
ALTER TABLE orders ADD COLUMN noticed_at INTEGER;
DROP INDEX orders_flagged;
-- The same words as in the query: SQLite compares the terms as they are written.
CREATE INDEX orders_flagged ON orders (id)
    WHERE trouble_at IS NOT NULL OR differs_at IS NOT NULL OR missing_at IS NOT NULL OR noticed_at IS NOT NULL OR others > 0;
CREATE INDEX orders_pw ON orders (account_id, pw_order_id) WHERE pw_order_id IS NOT NULL;
