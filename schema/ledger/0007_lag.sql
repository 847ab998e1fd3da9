-- How late the service's list was, in milliseconds, when it first showed an order that was sent after the unanswered one.
ALTER TABLE absence ADD COLUMN lag INTEGER;
