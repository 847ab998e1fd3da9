-- Why a person is asked, as a reason with its parameters: what is done hangs on it, and its words are made where they are
-- shown. Until here it was kept as words, of which the reasons are made.

ALTER TABLE absence ADD COLUMN reason TEXT;  -- JSON; null with nobody asked
ALTER TABLE orders ADD COLUMN reason TEXT;   -- JSON; null where `note` is the service's word, or blank

CREATE TABLE told (words TEXT PRIMARY KEY, about TEXT NOT NULL, reason TEXT) STRICT, WITHOUT ROWID;
INSERT INTO told (words, about) SELECT person, max(coalesce(about, '"presence"')) FROM absence WHERE person IS NOT NULL GROUP BY person;
INSERT OR IGNORE INTO told (words, about)
    SELECT note, '"presence"' FROM orders WHERE note <> '' AND state IN ('sending', 'unresolved', 'canceling');

-- Those of one sentence, or of a sentence and the service's words or names behind it.
CREATE TABLE sentence (words TEXT PRIMARY KEY, code TEXT NOT NULL, parameter TEXT, ending TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;
INSERT INTO sentence (code, words) VALUES
    ('other-content', 'the service has an order of this id with other content or from an earlier time'),
    ('absent-twice', 'it was sent twice without an answer and is not at the service'),
    ('dead-list', 'the service''s list does not show orders that the service has confirmed, so that it tells nothing of this one: ask the print service whether it is there'),
    ('unreadable-list', 'the service''s list has an order without an id, or without a name and with the same content, that may be this one, or is not whole, so that it tells nothing of it: ask the print service whether it is there'),
    ('never-resend', 'it is not at the service, and `resend` is "never"'),
    ('contradicted', 'the service answered with an id, but named another order: see there whether it is this one');
INSERT INTO sentence (code, parameter, words, ending) VALUES
    ('refused-again', 'words', 'no answer came when it was sent first, it is not at the service, and when it was sent again the service refused it: “', '”'),
    ('doubted-twice', 'answer', 'it was sent twice and is not at the service, and the last answer proves nothing: ', ''),
    ('unpriced', 'words', 'it is not at the service, which answers, and gives no price for it: ', ''),
    ('price-refused', 'words', 'it is not at the service, which refuses to price it now: ', ''),
    ('unknown-there', 'words', 'the service does not know it any more, so that a request it has not confirmed may have canceled it: “', '”'),
    ('given-away', 'to', 'the service does not know it any more, and has given its id to another order: `', '`');
UPDATE told SET reason = json_quote(code) FROM sentence WHERE sentence.words = told.words AND parameter IS NULL;
UPDATE told SET reason = json_object(code, json_object(parameter,
        substr(told.words, length(sentence.words) + 1, length(told.words) - length(sentence.words) - length(ending))))
    FROM sentence WHERE parameter IS NOT NULL AND substr(told.words, 1, length(sentence.words)) = sentence.words;

-- An order whose id is written in another way: PW-1 (`name`), where one has the very content.
UPDATE told SET reason = json_object('alike', json_object('one', json(CASE WHEN instr(rest, ' (`') > 3 THEN
        json_object('pw_order_id', substr(rest, 3, instr(rest, ' (`') - 3),
                    'order_name', substr(rest, instr(rest, ' (`') + 3, length(rest) - instr(rest, ' (`') - 4)) END)))
    FROM (SELECT words AS it_is, substr(words, instr(words, 'another way') + 11) AS rest FROM told
          WHERE substr(words, 1, 81) = 'the service has an order with the same content whose id is written in another way') AS one
    WHERE told.words = it_is;

-- A price: it has moved from one to another, or the day is full, or both.
UPDATE told SET reason = json_object('price', json_object(
        'total', json(total), 'agreed', json(agreed), 'limit', json(day_limit)))
    FROM (SELECT words AS price,
                 CASE WHEN instr(behind_from, ' to ') > 0 THEN substr(behind_from, 1, instr(behind_from, ' to ') - 1) END AS agreed,
                 CASE WHEN behind_from <> '' THEN
                     substr(substr(behind_from, instr(behind_from, ' to ') + 4), 1,
                            instr(substr(behind_from, instr(behind_from, ' to ') + 4), ' since it was sent') - 1)
                 ELSE substr(behind_at, 1, instr(behind_at, ' the day comes over') - 1) END AS total,
                 CASE WHEN behind_limit <> '' THEN substr(behind_limit, 1, instr(behind_limit, ';') - 1) END AS day_limit
          FROM (SELECT words,
                       CASE WHEN instr(words, ' over its limit of ') > 0
                            THEN substr(words, instr(words, ' over its limit of ') + 19) ELSE '' END AS behind_limit,
                       CASE WHEN substr(words, 1, 44) = 'it is not at the service, and its price has '
                            THEN substr(words, instr(words, ' from ') + 6) ELSE '' END AS behind_from,
                       CASE WHEN substr(words, 1, 44) = 'it is not at the service, and sent again at '
                            THEN substr(words, 45) ELSE '' END AS behind_at
                FROM told WHERE about = '"price"')) AS parts
    WHERE told.words = price AND json_valid(total) AND json_valid(coalesce(agreed, '0')) AND json_valid(coalesce(day_limit, '0'))
          AND coalesce(agreed, day_limit) IS NOT NULL;

UPDATE told SET reason = '"canceled-in-shop"' WHERE about = '"shop"';
UPDATE told SET reason = json_object('earlier', json_object(
        'words', words, 'is_absent', json(iif(about = '"presence"', 'false', 'true')))) WHERE reason IS NULL;

UPDATE absence SET reason = (SELECT told.reason FROM told WHERE words = person) WHERE person IS NOT NULL;
-- Of a cancel of an order that is known there, most notes are the service's word to an earlier one.
UPDATE orders SET reason = (SELECT told.reason FROM told WHERE words = note), note = ''
    WHERE note <> '' AND (state IN ('sending', 'unresolved') OR state = 'canceling' AND (pw_order_id IS NULL OR EXISTS
        (SELECT 1 FROM sentence WHERE code IN ('unknown-there', 'given-away') AND substr(note, 1, length(words)) = words)));

ALTER TABLE absence DROP COLUMN person;
ALTER TABLE absence DROP COLUMN about;
DROP TABLE told;
DROP TABLE sentence;
