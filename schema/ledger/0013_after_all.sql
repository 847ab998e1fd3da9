-- For what is asked at every look: orders that the service came to have after it had refused them, or a person had given
-- them up.

CREATE INDEX event_after_all ON event (at) WHERE new = 'created' AND old IN ('abandoned', 'refused');
