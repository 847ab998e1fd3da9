-- Whether a product's detail is asked for anew when it is next needed, however young it is: a person has asked for the
-- whole catalog since it was read.

ALTER TABLE product ADD COLUMN doubted INTEGER NOT NULL DEFAULT 0 CHECK (doubted IN (0, 1));
