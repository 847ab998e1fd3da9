-- Why an order that a person has approved is not sent yet: blank where nothing has kept it.

ALTER TABLE orders ADD COLUMN approved_waits TEXT NOT NULL DEFAULT '';
