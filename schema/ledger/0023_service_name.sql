-- The service's name of an order, where that is not order_id as it was sent: the service asks for both ids at once.

ALTER TABLE orders ADD COLUMN service_name TEXT;
