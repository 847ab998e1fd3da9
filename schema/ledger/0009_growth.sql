-- For what is asked at every look: sheets of the last days, those whose original is still in its inbox, and held sheets
-- with news.

CREATE INDEX claim_taken ON claim (taken_at);
CREATE INDEX claim_left ON claim (place) WHERE left_in_place = 1;
CREATE INDEX held_sheet_stale ON held_sheet (stale) WHERE stale > 0;
