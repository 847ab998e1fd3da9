-- How what a sheet says of a known order differs from it, so that it is said of the order as it is when a result is written.

ALTER TABLE outcome ADD COLUMN apart TEXT;  -- JSON; null where nothing is changed, and in outcomes of earlier versions

-- What a person is asked about for whom `absence.person` says why.
ALTER TABLE absence ADD COLUMN about TEXT;  -- JSON; null with nobody asked, and from earlier versions: whether it is there
