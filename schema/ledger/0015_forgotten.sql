-- Sheets that a ledger has forgotten which was put back from before: their originals lie in the inboxes' done/.

-- Inboxes whose done/ is to be gone through for such originals, because the ledger turned out to be older than what was
-- worked.
CREATE TABLE recall (
    inbox        TEXT NOT NULL PRIMARY KEY,
    since        INTEGER,               -- what was taken before this is known; null where nobody can tell
    newest_claim INTEGER NOT NULL,      -- the newest sheet that it knew then; 0 where it knew none
    trouble      TEXT,                  -- why it could not be gone through, or not all of it
    trouble_at   INTEGER
) STRICT, WITHOUT ROWID;

-- Originals that no sheet of the ledger accounts for. One is settled by a sheet of its bytes that was taken since, and
-- forgotten when it is gone.
CREATE TABLE forgotten (
    inbox        TEXT NOT NULL,
    name         TEXT NOT NULL,         -- in done/
    account_id   INTEGER NOT NULL REFERENCES account (id),
    hash         TEXT NOT NULL,         -- SHA-256 of its bytes
    newest_claim INTEGER NOT NULL,      -- the newest sheet when it was found to be forgotten
    found_at     INTEGER NOT NULL,
    PRIMARY KEY (inbox, name)
) STRICT, WITHOUT ROWID;
