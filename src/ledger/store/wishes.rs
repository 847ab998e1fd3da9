//! Cancels that were asked for of orders which an older sheet may still have to send. They are looked for in the
//! transaction that would write such an order's intent: one that is written here keeps it from being sent.

use rusqlite::{Row, params};

use super::{Store, count, get, millis};
use crate::clock::Now;
use crate::ledger::LedgerError;
use crate::ledger::record::{AccountRef, CancelWish, ClaimRef, NewOrder, OrderRecord, OrderRef};
use crate::ledger::state::State;

/// How `of_its_inbox` tells the word of a shop, which speaks of orders of its own inbox alone as well.
const BY_SHOP: u8 = 2;

/// The eldest of the cancels that younger sheets than ?5 ask for of an order, by either of its ids as a known order is found,
/// and of which this holds besides.
macro_rules! wishes {
    ($besides:literal) => {
        concat!(
            "SELECT * FROM cancel_wish
             WHERE account_id = ?1 AND order_id = ?2 AND claim_id > ?5 AND (of_its_inbox = 0 OR inbox = ?3) ",
            $besides,
            " UNION ALL SELECT * FROM cancel_wish WHERE inbox = ?3 AND sheet_order_id = ?4 AND claim_id > ?5 ",
            $besides,
            " ORDER BY claim_id LIMIT 1"
        )
    };
}

impl Store<'_> {
    /// Whether a sheet may ask to cancel orders that are not sent: an older one of the account or the inbox has them still to
    /// send, or they wait for a person, or were approved and have not left, or have no answer and may be sent once more.
    pub fn may_cancel_unsent(
        &self,
        account: AccountRef,
        inbox: &str,
        claim: ClaimRef,
    ) -> Result<bool, LedgerError> {
        // The indexes' own words besides: SQLite does not see that some states are among more.
        let sql = "SELECT 1 FROM claim INDEXED BY claim_open
                   WHERE state IN ('taken', 'worked') AND state = 'taken'
                     AND (account_id = ?1 OR inbox = ?2) AND id < ?3 AND purpose = 'send'
                   UNION ALL SELECT 1 FROM orders INDEXED BY orders_open
                   WHERE (state = 'sending' OR state = 'unresolved' OR state = 'canceling' OR state = 'held')
                     AND state <> 'canceling' AND claim_id < ?3 AND (account_id = ?1 OR inbox = ?2) LIMIT 1";
        let before = params![account.0, inbox, claim.0];
        Ok(self
            .one("look for orders that are not sent", sql, before, |_row| Ok(()))?
            .is_some())
    }

    /// Writes down that a cancel is asked for of an order that may still have to be sent. The same again changes nothing;
    /// of two rows the one that has an id alone counts, and the shop's word comes last.
    pub fn wish_cancel(&self, wish: &CancelWish, now: &Now) -> Result<(), LedgerError> {
        self.run(
            "write a cancel that is asked for",
            "INSERT INTO cancel_wish
             (claim_id, first_row, account_id, order_id, inbox, sheet_order_id, asked_at, of_its_inbox)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT DO UPDATE SET of_its_inbox = min(of_its_inbox, excluded.of_its_inbox)",
            params![
                wish.claim.0,
                wish.first_row,
                wish.account.0,
                wish.order_id,
                wish.inbox,
                wish.sheet_order_id,
                millis(now.wall),
                if wish.by_shop {
                    BY_SHOP
                } else {
                    u8::from(wish.is_of_its_inbox)
                },
            ],
        )?;
        Ok(())
    }

    /// The cancel that a younger sheet than `claim` asks for of an order, by either of its ids as a known order is found;
    /// the eldest of several.
    pub fn canceled_ahead(
        &self,
        account: AccountRef,
        order_id: &str,
        (inbox, sheet_order_id): (&str, &str),
        claim: ClaimRef,
    ) -> Result<Option<CancelWish>, LedgerError> {
        self.one(
            "look for a cancel that is asked for",
            wishes!(""),
            params![account.0, order_id, inbox, sheet_order_id, claim.0],
            wish,
        )
    }

    /// The cancel that a younger sheet asks for of an order that is about to be promised.
    pub fn canceled_before(&self, new: &NewOrder) -> Result<Option<CancelWish>, LedgerError> {
        let in_sheet = (new.inbox.as_str(), new.sheet_order_id.as_str());
        self.canceled_ahead(new.account, &new.content.order_id, in_sheet, new.claim)
    }

    /// The cancel that a younger sheet asks for of an order that the ledger knows, before that is sent again; the word of its
    /// shop, which asks for nothing, hides none.
    pub fn cancel_asked(&self, order: &OrderRecord) -> Result<Option<CancelWish>, LedgerError> {
        self.of_known(order, wishes!("AND of_its_inbox <> ?6"))
    }

    /// Whether a younger sheet says of an order that the ledger knows that its shop has canceled it.
    pub fn is_called_off(&self, order: &OrderRecord) -> Result<bool, LedgerError> {
        let word = self.of_known(order, wishes!("AND of_its_inbox = ?6"))?;
        Ok(word.is_some())
    }

    fn of_known(&self, order: &OrderRecord, sql: &str) -> Result<Option<CancelWish>, LedgerError> {
        self.one(
            "look for a cancel that is asked for",
            sql,
            params![
                order.account.0,
                order.order_id,
                order.inbox,
                order.sheet_order_id,
                order.claim.0,
                BY_SHOP
            ],
            wish,
        )
    }

    /// What a younger sheet has still to say of an order that waits for a person: a cancel, or the word of its shop. What has
    /// had its turn has ended the order, or was put before the person.
    pub fn cancel_to_come(&self, order: &OrderRecord) -> Result<Option<CancelWish>, LedgerError> {
        self.one(
            "look for a cancel that is to come",
            wishes!(
                "AND EXISTS (SELECT 1 FROM claim WHERE claim.id = cancel_wish.claim_id AND claim.state = 'taken')
                 AND NOT EXISTS (SELECT 1 FROM outcome WHERE outcome.claim_id = cancel_wish.claim_id
                                 AND outcome.first_row = cancel_wish.first_row)"
            ),
            params![
                order.account.0,
                order.order_id,
                order.inbox,
                order.sheet_order_id,
                order.claim.0
            ],
            wish,
        )
    }

    /// Whether an order may be promised as it was judged: it is known as it was then, the list has not shown one of its
    /// name, and no younger sheet asks for its cancel.
    pub fn may_promise(&self, new: &NewOrder, known: Option<(OrderRef, State)>) -> Result<bool, LedgerError> {
        Ok(self.is_still(new, known)?
            && self
                .at_service(new.account, &new.content, &new.sheet_order_id)?
                .is_empty()
            && self.canceled_before(new)?.is_none())
    }

    /// How many cancels younger sheets ask for that may be of orders of this one, and the youngest of those sheets.
    pub fn cancels_after(&self, claim: ClaimRef) -> Result<(u32, Option<ClaimRef>), LedgerError> {
        let sql = "SELECT count(*) AS n, max(claim_id) AS youngest FROM cancel_wish WHERE claim_id > ?1";
        let asked = self.one("count cancels that are asked for", sql, [claim.0], |row| {
            let youngest: Option<i64> = get(row, "youngest")?;
            Ok((count(row, "n")?, youngest.map(ClaimRef)))
        })?;
        Ok(asked.unwrap_or_default())
    }

    /// Forgets the cancels that hold against no sheet any more: they were judged themselves, and none of their account or their
    /// inbox that was taken before theirs has anything to send.
    pub(super) fn forget_wishes(&self) -> Result<(), LedgerError> {
        // The index's own words besides: SQLite does not see that one state is among two.
        self.run(
            "forget cancels that were asked for",
            "DELETE FROM cancel_wish WHERE NOT EXISTS
                 (SELECT 1 FROM claim INDEXED BY claim_open
                  WHERE state IN ('taken', 'worked') AND state = 'taken' AND purpose = 'send'
                    AND (claim.account_id = cancel_wish.account_id OR claim.inbox = cancel_wish.inbox)
                    AND claim.id <= cancel_wish.claim_id)",
            [],
        )?;
        Ok(())
    }

    /// Forgets what a sheet asked for that was not worked.
    pub(super) fn withdraw_wishes(&self, claim: ClaimRef) -> Result<(), LedgerError> {
        let sql = "DELETE FROM cancel_wish WHERE claim_id = ?1";
        self.run("withdraw cancels that were asked for", sql, [claim.0])?;
        Ok(())
    }
}

fn wish(row: &Row<'_>) -> Result<CancelWish, LedgerError> {
    let whose: u8 = get(row, "of_its_inbox")?;
    Ok(CancelWish {
        claim: ClaimRef(get(row, "claim_id")?),
        first_row: count(row, "first_row")?,
        account: AccountRef(get(row, "account_id")?),
        is_of_its_inbox: whose > 0,
        by_shop: whose == BY_SHOP,
        order_id: get(row, "order_id")?,
        inbox: get(row, "inbox")?,
        sheet_order_id: get(row, "sheet_order_id")?,
    })
}
