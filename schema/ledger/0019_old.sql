-- For what is asked again and again of what has grown old: zips to be erased, and bells that nobody needs.

CREATE INDEX listed_zip ON listed (coalesce(entered_at, 0)) WHERE zip IS NOT NULL;
CREATE INDEX doorbell_answered ON doorbell (read_at) WHERE rings = answered;
