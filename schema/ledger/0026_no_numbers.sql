-- `N/A` and its like were taken for tracking numbers: such an order was not watched any more.

UPDATE orders SET watched = 1
    WHERE watched = 0 AND (state = 'created' OR state = 'canceling') AND trackings IS NOT NULL AND trackings NOT GLOB '*[1-9]*';
DELETE FROM parcel WHERE number IS NOT NULL AND number NOT GLOB '*[1-9]*' AND link IS NULL;
