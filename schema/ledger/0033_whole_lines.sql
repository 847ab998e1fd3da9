-- The SKUs, in upper case, of the lines of an order with errors with which nothing is wrong, as a JSON list: a later sheet that
-- brings the order without one of them has not mended it. Null where there are none.

ALTER TABLE outcome ADD COLUMN whole_skus TEXT;
