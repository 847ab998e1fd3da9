-- What an event tells besides its states, where something hangs on it; `why` is then the service's words or its id, of which
-- the sentence is made where it is shown.

ALTER TABLE event ADD COLUMN tells TEXT;  -- null: `why` is all
UPDATE event SET tells = 'refused', why = substr(why, 25)
    WHERE old = 'sending' AND substr(why, 1, 24) = 'the service refused it: ';
UPDATE event SET tells = 'doubted', why = substr(why, 34)
    WHERE old = 'sending' AND substr(why, 1, 33) = 'the answer to it proves nothing: ';
UPDATE event SET tells = 'after-all', why = substr(why, 34)
    WHERE new = 'created' AND old IN ('abandoned', 'refused') AND substr(why, 1, 33) = 'the service has it after all, as ';
