-- For what is asked at every look: orders that the service did not cancel, whoever asked for it, with its word.

CREATE INDEX orders_not_canceled ON orders (changed_at) WHERE state = 'created' AND note <> '';
