-- For the orders of an inbox whose ids have another writing by which they are compared: few, where a shop writes its ids in
-- capitals and figures. An id that may be one of them in another writing is looked for among these.
CREATE INDEX orders_unplain ON orders (inbox, sheet_order_id)
    WHERE sheet_order_id GLOB '*[^A-Z0-9_-]*' OR sheet_order_id GLOB '0*';
